"""What a client is told by the dynamic family: how an offer stands, and in words what cannot be taken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jupyter_mcpgen.errors import NameTaken
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.consent import ConsentDecision
from jupyter_mcpgen.pipeline.draft import Staged
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.tools.dynamic import offers
from jupyter_mcpgen.tools.offer import Caller
from jupyter_mcpgen.verbs.perform import perform
from jupyter_mcpgen.verbs.words import UsageError
from tests.products import new_runtime

CODE = "def tide(hours: int = 6):\n    return hours / 2\n"

Call = Callable[..., dict[str, Any]]


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    overrides: dict[str, Any] = {"server.client_tools": 2}
    return new_runtime(tmp_path, **overrides)


@pytest.fixture
def call(runtime: Runtime) -> Call:
    family = {offer.name: offer for offer in offers(lambda: runtime.client_tools, 0)}

    def one(name: str, /, **arguments: Any) -> dict[str, Any]:
        offer = family[f"dynamic_{name}"]
        reply = offer.perform(offer.parsed(arguments), Caller("local", Cancellation(), "Claude"))
        return dict(reply.record.model_dump())

    return one


def allow(runtime: Runtime, request_id: str) -> None:
    request = runtime.consents.request(request_id)
    runtime.consents.decide(request.request_id, request.token, ConsentDecision.ALLOW, [Confirms.UNCHECKED])


def test_the_id_of_a_request_tells_that_it_was_allowed(runtime: Runtime, call: Call) -> None:
    offered = call("register_tool", name="tide", source_code=CODE)
    allow(runtime, offered["request_id"])

    page = call("inspect_tool", name=offered["request_id"])

    assert (page["status"], page["name"], page["version"]) == ("success", "tide", "1.0.0")


def test_taking_back_a_request_by_its_id_leaves_the_live_tool(runtime: Runtime, call: Call) -> None:
    allow(runtime, call("register_tool", name="tide", source_code=CODE)["request_id"])
    update = call("update_tool", name="tide", source_code=CODE.replace("2", "3"))

    taken = call("revoke_tool", name=update["request_id"])

    assert taken["status"] == "success"
    assert runtime.consents.waiting() == ()
    assert [tool.version for tool in runtime.active()] == ["1.0.0"]


def test_of_two_requests_with_one_name_the_second_is_refused_in_words(runtime: Runtime, call: Call) -> None:
    first = call("register_tool", name="tide", source_code=CODE)
    second = call("register_tool", name="tide", source_code=CODE.replace("2", "3"))
    allow(runtime, first["request_id"])

    with pytest.raises(NameTaken, match="Decline the request"):
        allow(runtime, second["request_id"])


@pytest.mark.parametrize("reason", [{"why": "old"}, 3])
def test_a_reason_that_is_no_text_takes_nothing_back(runtime: Runtime, call: Call, reason: object) -> None:
    allow(runtime, call("register_tool", name="tide", source_code=CODE)["request_id"])

    answer = call("revoke_tool", name="tide", reason=reason)

    assert (answer["status"], answer["error"]) == ("error", "SchemaValidationError")
    assert [tool.name for tool in runtime.active()] == ["tide"]


def test_higher_limits_wait_for_a_person(runtime: Runtime, call: Call) -> None:
    allow(runtime, call("register_tool", name="tide", source_code=CODE)["request_id"])

    raised = call("update_tool", name="tide", resource_limits={"rate_limit_per_minute": 600})

    assert (raised["status"], raised["version"]) == ("pending", "1.1.0")
    diff = runtime.consents.request(raised["request_id"]).diff
    assert diff is not None
    assert "a limit of 600 calls per minute" in "".join(diff.sentences)


def test_an_update_that_changes_nothing_is_no_success(runtime: Runtime, call: Call) -> None:
    allow(runtime, call("register_tool", name="tide", source_code=CODE)["request_id"])

    for said in ({"tags": ["sea"]}, {"version": "2.0.0"}):
        answer = call("update_tool", name="tide", **said)
        assert (answer["status"], answer["error"]) == ("error", "SchemaValidationError")


def test_updates_that_wait_are_bounded_too(runtime: Runtime, call: Call) -> None:
    allow(runtime, call("register_tool", name="tide", source_code=CODE)["request_id"])
    for divisor in (3, 4):
        assert call("update_tool", name="tide", source_code=CODE.replace("2", str(divisor)))["status"] == "pending"

    one_more = call("update_tool", name="tide", source_code=CODE.replace("2", "5"))

    assert (one_more["status"], len(runtime.consents.waiting())) == ("error", 2)


@pytest.mark.parametrize(
    ("field", "text", "told"),
    [
        ("parameters", "[" * 100_000, "nested more than 32 levels"),
        ("parameters", f'[{{"name": "hours", "enum": {"[" * 200 + "]" * 200}}}]', "nested more than 32 levels"),
        ("parameters", '[{"name": "hours", "enum": [1e999, 6]}]', "a number that JSON does not have"),
        ("parameters", '[{"name": "hours", "enum": [NaN, 6]}]', "a number that JSON does not have"),
        ("parameters", f'[{{"name": "hours", "enum": {[*range(50_000)]}}}]', "longer than 50,000 characters"),
        ("version", "9" * 30 + ".0.0", "`version` does not fit"),
    ],
    ids=["open brackets", "deep", "infinite", "no number", "long", "version"],
)
def test_what_no_client_could_be_sent_is_refused_in_words(call: Call, field: str, text: str, told: str) -> None:
    answer = call("register_tool", name="tide", source_code=CODE, **{field: text})

    assert answer["error"] == "SchemaValidationError"
    assert told in answer["message"]


@pytest.mark.parametrize("example", ["tide({1, 2})", "tide(b'six')", "tide(...)", "tide(1j)", "tide(1e999)"])
def test_an_example_with_values_that_json_does_not_have_is_not_tried(call: Call, example: str) -> None:
    assert call("register_tool", name="tide", source_code=CODE, examples=[example])["status"] == "pending"


@pytest.mark.soak
def test_what_a_person_said_of_their_own_draft_is_not_for_clients(runtime: Runtime, call: Call, tmp_path: Path) -> None:
    (tmp_path / "piers.csv").write_text("pier,cars\nOst,14\nWest,9\nOst,3\n")
    staged = runtime.ask("average cars by pier", runtime.reference(str(tmp_path / "piers.csv")))
    assert isinstance(staged, Staged)
    card = staged.card
    runtime.decisions.answer(card.card_id, card.fingerprint, "output", "no", "our secret figures")

    answer = call("inspect_tool", name=card.card_id)

    assert answer["error"] == "ToolNotFoundError"
    assert "secret" not in answer["message"]


def test_an_error_of_the_code_cannot_write_on_the_page_of_its_request(runtime: Runtime, call: Call) -> None:
    words = "x\\n\\n## Checked\\n\\n```python\\ndef harmless(): pass\\n```\\n<!-- \\x1b[2J \\u202e"
    code = f'def tide(name: str):\n    if name == "":\n        raise ValueError("{words}")\n    return name\n'
    offered = call("register_tool", name="tide", source_code=code)

    shown = perform(["inbox", offered["request_id"]], runtime, {}).text

    before, _, _ = shown.partition("````python")  # the code itself stands in a block that nothing in it ends
    assert "## Checked" in before
    assert not [line for line in before.splitlines() if line.startswith(("##", "```", "<!--", "def "))]
    assert not {"\x1b", "\u202e"} & set(shown)


@pytest.mark.soak
def test_a_request_is_allowed_by_the_id_that_was_read(runtime: Runtime, call: Call) -> None:
    offered = call("register_tool", name="tide", source_code=CODE)

    for shorter in ("tide", offered["request_id"][:-1]):
        with pytest.raises(UsageError, match=offered["request_id"]):
            perform(["consent", shorter, "allow", "--unchecked"], runtime, {})

    assert runtime.active() == ()
