"""An endpoint asks for no more than it needs, learns, adds up, and ends at once when it is told to."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import traceback
from contextlib import nullcontext
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import (
    AskCancelled,
    ModelDown,
    ModelError,
    ModelServerFailed,
    ModelTooSlow,
    NotAModelServer,
    Offline,
    UnreadableReply,
    WrongKey,
)
from jupyter_mcpgen.llm.budget import Prices
from jupyter_mcpgen.llm.client import Patience
from jupyter_mcpgen.llm.dialect import Dialects
from jupyter_mcpgen.llm.endpoint import Endpoint
from jupyter_mcpgen.llm.keys import Key
from jupyter_mcpgen.llm.model import Progress, Stage
from jupyter_mcpgen.llm.reply import Usage
from jupyter_mcpgen.llm.roundtrip import round_trip
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from tests.imitations.acts import (
    always,
    at,
    drip_blanks,
    error,
    first,
    listing,
    refuse,
    reset,
    says,
    says_as,
    sends,
    silent,
    silent_after,
    silent_after_headers,
)
from tests.imitations.endpoints import endpoint_at, prompt
from tests.imitations.quirks import GOOD, GOOD_REPLY, WRITTEN
from tests.imitations.server import Act, Imitation

BROKEN = says('{"color": "red"}')
SECRET = "sk-secret-of-the-test"


class _Asking(threading.Thread):
    """Asks in a thread of its own and keeps what came of it."""

    def __init__(self, endpoint: Endpoint, cancelled: Cancellation) -> None:
        super().__init__()
        self._endpoint = endpoint
        self._cancelled = cancelled
        self.outcome: object = None

    def run(self) -> None:
        try:
            self.outcome = self._endpoint.ask(prompt(), cancelled=self._cancelled)
        except AskCancelled as error:
            self.outcome = error


@pytest.mark.parametrize("act", [silent, silent_after_headers], ids=["before headers", "after headers"])
def test_a_cancelled_request_returns_while_the_server_is_silent_and_hangs_up(act: Act, tmp_path: Path) -> None:
    with Imitation(((always, act),)) as server, endpoint_at(server.address, tmp_path) as endpoint:
        cancelled = Cancellation()
        asking = _Asking(endpoint, cancelled)
        asking.start()
        server.begun.wait()

        cancelled.cancel()
        asking.join()

        assert isinstance(asking.outcome, AskCancelled)
        assert server.gone.wait(60)
        endpoint.background.close(endpoint.client.close)
        assert [entry.status for entry in endpoint.log.entries()] == ["cancelled"]


def test_a_request_that_was_cancelled_before_is_not_sent(tmp_path: Path) -> None:
    cancelled = Cancellation()
    cancelled.cancel()

    with Imitation((GOOD_REPLY,)) as server, endpoint_at(server.address, tmp_path) as endpoint:
        with pytest.raises(AskCancelled):
            endpoint.ask(prompt(), cancelled=cancelled)

        assert server.arrivals == []


def test_a_listener_that_fails_ends_the_request(tmp_path: Path) -> None:
    def fail(progress: Progress) -> None:
        if progress.stage is Stage.WRITING:
            raise KeyboardInterrupt

    with (
        Imitation(((always, silent_after("red " * 50)),)) as server,
        endpoint_at(server.address, tmp_path) as endpoint,
    ):
        with pytest.raises(KeyboardInterrupt):
            endpoint.ask(prompt(), progress=fail)

        assert server.gone.wait(20)
    assert [entry.status for entry in endpoint.log.entries()] == ["cancelled"]


def test_ctrl_c_ends_a_request_and_leaves_no_traceback_of_ours(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from jupyter_mcpgen.llm.connect import Choice, Named, connect
from jupyter_mcpgen.llm.roundtrip import round_trip
try:
    round_trip(connect(Choice(sys.argv[1], Named("test-model")), Path(sys.argv[2])).for_question())
except KeyboardInterrupt:
    print("stopped")
"""
    with Imitation(((always, silent),)) as server:
        arguments = [sys.executable, "-c", code, server.address, str(tmp_path)]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            server.begun.wait()
            process.send_signal(signal.SIGINT)
            said, complained = process.communicate()

        assert (said, complained) == ("stopped\n", "")
        assert server.gone.wait(60)


def test_the_package_of_openai_is_imported_with_the_first_request_only(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from jupyter_mcpgen.llm.connect import Choice, Named, connect
connect(Choice("http://localhost:1/v1", Named("m")), Path(sys.argv[1])).for_question()
print({"openai", "httpx", "httpx2", "jsonschema", "keyring"} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True)

    assert done.stdout == "set()\n"


@pytest.mark.parametrize("act", [silent, silent_after_headers, drip_blanks])
def test_a_model_that_takes_too_long_is_given_up_and_hung_up_on(act: Act, tmp_path: Path) -> None:
    patience = Patience(total=0.2)

    with (
        Imitation(((always, act),)) as server,
        endpoint_at(server.address, tmp_path, patience=patience) as endpoint,
    ):
        with pytest.raises((ModelTooSlow, UnreadableReply)):
            endpoint.ask(prompt())

        assert server.gone.wait(60)


def test_a_request_tells_nothing_of_the_machine_or_its_environment(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from jupyter_mcpgen.llm.connect import Choice, Named, connect
from jupyter_mcpgen.llm.roundtrip import round_trip
connection = connect(Choice(sys.argv[1], Named("test-model")), Path(sys.argv[2]))
print(round_trip(connection.for_question()).is_right)
connection.close()
"""
    rules = ((always, says('{"sum": 5}')),)
    with Imitation(rules) as server, Imitation(rules) as other:
        environment = {
            **os.environ,
            "HTTP_PROXY": other.address,
            "http_proxy": other.address,
            "ALL_PROXY": other.address,
            "OPENAI_API_KEY": SECRET,
            "OPENAI_BASE_URL": other.address,
            "OPENAI_ORG_ID": "organization-of-the-test",
            "OPENAI_PROJECT_ID": "project-of-the-test",
        }
        arguments = [sys.executable, "-c", code, server.address, str(tmp_path)]
        done = subprocess.run(arguments, capture_output=True, text=True, env=environment, check=False)

    assert (done.stdout, done.stderr) == ("True\n", "")
    assert other.arrivals == []
    assert dict(server.chats[0].headers) == {
        "host": f"127.0.0.1:{server.port}",
        "accept": "application/json",
        "accept-encoding": "identity",
        "connection": "keep-alive",
        "content-type": "application/json",
        "content-length": str(len(server.chats[0].raw)),
        "user-agent": "jupyter-mcpgen",
        "x-stainless-raw-response": "stream",
    }


def test_what_would_be_sent_is_what_is_sent(tmp_path: Path) -> None:
    with Imitation((GOOD_REPLY,)) as server, endpoint_at(server.address, tmp_path) as endpoint:
        shown = endpoint.body_of(prompt())
        assert server.arrivals == []
        endpoint.ask(prompt())

    assert server.chats[0].body == json.loads(json.dumps(shown))


def test_a_key_goes_to_its_own_server_and_not_on_to_another(tmp_path: Path) -> None:
    with Imitation((GOOD_REPLY,)) as other:
        away = refuse(307, None, {"Location": f"{other.address}/chat/completions"})
        with Imitation(((always, away),)) as server:
            origin = server.address.removesuffix("/v1")
            with (
                endpoint_at(server.address, tmp_path, key=Key(SECRET, origin, "TEST_KEY")) as endpoint,
                pytest.raises(NotAModelServer, match="another address"),
            ):
                endpoint.ask(prompt())

    assert server.chats[0].headers["authorization"] == f"Bearer {SECRET}"
    assert other.arrivals == []


def test_a_key_that_a_server_repeats_is_in_no_message_and_in_no_log(tmp_path: Path) -> None:
    with Imitation(((always, error(400, f"I do not like {SECRET}")),)) as server:
        origin = server.address.removesuffix("/v1")
        key = Key(SECRET, origin, "TEST_KEY")
        with (
            endpoint_at(server.address, tmp_path, key=key) as endpoint,
            pytest.raises(ModelServerFailed, match=r"I do not like \*\*\*") as failed,
        ):
            endpoint.ask(prompt())

    assert SECRET not in repr((failed.value, failed.value.args, endpoint, key, vars(endpoint.client)["key"]))
    assert SECRET not in (tmp_path / "requests.jsonl").read_text()


def test_a_server_that_is_not_there_is_said_to_be_down_at_once(tmp_path: Path) -> None:
    with Imitation(()) as server:
        address = server.address

    with endpoint_at(address, tmp_path) as endpoint, pytest.raises(ModelDown, match="nothing listens there"):
        endpoint.ask(prompt())

    assert len(endpoint.log.entries()) == 1


def test_a_name_that_leads_nowhere_is_said_to_be_offline(tmp_path: Path) -> None:
    with endpoint_at("http://nowhere.invalid/v1", tmp_path) as endpoint, pytest.raises(Offline):
        endpoint.ask(prompt())


def test_candidates_are_requests_of_their_own_and_the_first_one_of_a_server_is_sent_alone(tmp_path: Path) -> None:
    rules = ((sends("temperature"), error(400, "temperature is not supported")), GOOD_REPLY)

    with Imitation(rules) as server, endpoint_at(server.address, tmp_path) as endpoint:
        replies = endpoint.ask(prompt(), candidates=3)

    assert [reply.value for reply in replies] == [GOOD] * 3
    assert ["temperature" in chat.body for chat in server.chats] == [True, False, False, False]
    assert not any("n" in chat.body for chat in server.chats)


@pytest.mark.parametrize("place", [0, 1])
def test_a_candidate_that_cannot_be_used_is_left_out(place: int, tmp_path: Path) -> None:
    rules = ((lambda arrival: arrival.earlier == place, BROKEN), GOOD_REPLY)

    with Imitation(rules) as server, endpoint_at(server.address, tmp_path) as endpoint:
        assert len(endpoint.ask(prompt(), candidates=3)) == 2


def test_a_wrong_key_is_not_tried_for_every_candidate(tmp_path: Path) -> None:
    with Imitation(((always, refuse(401)),)) as server, endpoint_at(server.address, tmp_path) as endpoint:
        with pytest.raises(WrongKey):
            endpoint.ask(prompt(), candidates=3)

        assert len(server.chats) == 1


def test_a_single_slip_is_forgotten_after_a_good_reply(tmp_path: Path) -> None:
    rules = ((lambda arrival: arrival.earlier in (0, 2), BROKEN), GOOD_REPLY)

    with Imitation(rules) as server, endpoint_at(server.address, tmp_path) as endpoint:
        for broken in (True, False, True, False):
            with pytest.raises(UnreadableReply) if broken else nullcontext():
                endpoint.ask(prompt())

    assert {chat.body["response_format"]["type"] for chat in server.chats} == {"json_schema"}


def test_a_server_that_breaks_the_schema_twice_is_not_asked_for_it_again(tmp_path: Path) -> None:
    with Imitation(((first(2), BROKEN), GOOD_REPLY)) as server, endpoint_at(server.address, tmp_path) as endpoint:
        for _ in range(2):
            with pytest.raises(UnreadableReply) as unreadable:
                endpoint.ask(prompt())
        endpoint.ask(prompt())

    assert "colour" in unreadable.value.reason
    assert unreadable.value.text == '{"color": "red"}'
    modes = [chat.body["response_format"]["type"] for chat in server.chats]
    assert modes == ["json_schema", "json_schema", "json_object"]


def test_what_a_server_takes_is_remembered_for_a_day_by_the_next_process(tmp_path: Path) -> None:
    path, time = tmp_path / "dialects.json", [0.0]
    rules = ((sends("temperature"), error(400, "temperature is not supported")), GOOD_REPLY)

    with Imitation(rules) as server:
        for now in (0.0, 80_000.0, 200_000.0):
            time[0] = now
            dialects = Dialects(path, lambda: time[0])
            with endpoint_at(server.address, tmp_path, dialects=dialects) as endpoint:
                endpoint.ask(prompt())

    assert ["temperature" in chat.body for chat in server.chats] == [True, False, False, True, False]
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_system_text_goes_before_the_question_where_there_is_no_such_role(tmp_path: Path) -> None:
    rules = ((says_as("system"), error(400, "System role not supported")), GOOD_REPLY)

    with Imitation(rules) as server, endpoint_at(server.address, tmp_path) as endpoint:
        endpoint.ask(prompt())

    assert server.chats[-1].body["messages"] == [
        {
            "role": "user",
            "content": "You answer with one JSON object.\n\nWhich colour, and how many? Reply with JSON.",
        }
    ]


def test_an_address_without_v1_is_tried_with_it(tmp_path: Path) -> None:
    rules = ((at("/v1/chat/completions"), says(WRITTEN)),)

    with Imitation(rules) as server, endpoint_at(server.address.removesuffix("/v1"), tmp_path) as endpoint:
        endpoint.ask(prompt())
        endpoint.ask(prompt())

    assert [chat.path for chat in server.chats] == ["/chat/completions", *["/v1/chat/completions"] * 2]


def test_usage_and_cost_are_those_of_the_server_and_of_the_persons_prices(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 2000, "completion_tokens": 1000, "prompt_tokens_details": {"cached_tokens": 1000}}
    prices = Prices(input_per_mtok=4.0, output_per_mtok=10.0, cached_input_per_mtok=1.0)

    with (
        Imitation(((always, says(WRITTEN, usage=usage)),)) as server,
        endpoint_at(server.address, tmp_path, prices=prices) as endpoint,
    ):
        reply = endpoint.ask(prompt())[0]

    assert reply.usage == Usage(2000, 1000, 1000, pytest.approx(0.015))
    assert reply.model == "imitated"


def test_a_prompt_without_a_schema_gives_the_text_without_the_reasoning(tmp_path: Path) -> None:
    with (
        Imitation(((always, says("<think>hm</think>Red it is.", reasoning="so")),)) as server,
        endpoint_at(server.address, tmp_path) as endpoint,
    ):
        reply = endpoint.ask(prompt(schema=None))[0]

    assert (reply.text, reply.value) == ("Red it is.", None)
    assert "response_format" not in server.chats[0].body


def test_progress_is_told_in_the_thread_of_the_caller(tmp_path: Path) -> None:
    told: list[tuple[Stage, bool]] = []
    here = threading.current_thread()
    long = json.dumps({"colour": "red" * 100, "count": 3})

    with (
        Imitation(((first(), error(503, "Loading model")), (always, says(long, reasoning="hm " * 60)))) as server,
        endpoint_at(server.address, tmp_path) as endpoint,
    ):
        endpoint.ask(prompt(), progress=lambda one: told.append((one.stage, threading.current_thread() is here)))

    assert all(is_here for _, is_here in told)
    stages = [stage for stage, _ in told]
    assert list(dict.fromkeys(stages)) == [Stage.ASKING, Stage.LOADING, Stage.THINKING, Stage.WRITING]


def test_the_models_of_a_server_are_listed_and_nothing_else_is_sent(tmp_path: Path) -> None:
    listed = {"object": "list", "data": [{"id": "a/b"}, {"id": "model c.gguf"}, {"id": "hid\u200bden"}]}

    with Imitation(((listing, refuse(200, listed)),)) as server, endpoint_at(server.address, tmp_path) as endpoint:
        assert endpoint.models() == ("a/b", "model c.gguf")

    assert [(one.method, one.raw) for one in server.arrivals] == [("GET", b"")]


def test_a_round_trip_says_whether_the_model_can_add(tmp_path: Path) -> None:
    with Imitation(((always, says('{"sum": 4}')),)) as server, endpoint_at(server.address, tmp_path) as endpoint:
        assert not round_trip(endpoint).is_right


def _unwritable(folder: Path) -> None:
    (folder / "requests.jsonl").mkdir()


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "act",
    [
        error(400, f"I do not like {SECRET}"),
        refuse(401),
        refuse(307, None, {"Location": "http://127.0.0.1:9"}),
        refuse(200, "<html>", kind="text/html"),
        refuse(200, '{"choi'),
        refuse(200, {"error": {"message": f"I do not like {SECRET}"}}),
        reset,
        silent,
        None,
    ],
    ids=["400", "401", "307", "page", "half", "in a stream", "reset", "silent", "unlogged"],
)
def test_no_traceback_shows_the_key_even_with_all_variables(act: Act | None, tmp_path: Path) -> None:
    if act is None:
        _unwritable(tmp_path)
    with Imitation(((always, act or refuse(200)),)) as server:
        key = Key(SECRET, server.address.removesuffix("/v1"), "TEST_KEY")
        with (
            endpoint_at(server.address, tmp_path, key=key, patience=Patience(total=1)) as endpoint,
            pytest.raises(ModelError) as failed,
        ):
            endpoint.ask(prompt())

    ours = failed.tb.tb_next  # without the variables of this test
    shown = traceback.TracebackException(failed.type, failed.value, ours, capture_locals=True)
    assert SECRET not in "".join(shown.format())
    packages = {type(one).__module__.partition(".")[0] for one in _chain(failed.value)}
    assert packages & {"openai", "httpx", "httpx2", "httpcore", "httpcore2"} == set()


def _chain(error: BaseException | None) -> list[BaseException]:
    return [] if error is None else [error, *_chain(error.__cause__), *_chain(error.__context__)]
