"""Everything that leaves is in the log, nothing that it says is; and nothing leaves that the budget does not hold."""

from __future__ import annotations

import hashlib
from datetime import date
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import BudgetSpent, ModelServerFailed, RequestNotLogged
from jupyter_mcpgen.llm.budget import DayPurse, Purse
from jupyter_mcpgen.llm.keys import Key
from jupyter_mcpgen.llm.log import MOST_BYTES, RequestLog
from tests.imitations.acts import always, error, first, says
from tests.imitations.endpoints import endpoint_at, prompt
from tests.imitations.quirks import GOOD_REPLY, WRITTEN
from tests.imitations.server import Imitation

SECRET = "sk-secret-of-the-test"
PER_REQUEST = prompt().estimated_tokens + 2000
"""What a request may need: the prompt, and the limit of the reply."""


def test_the_log_has_every_request_with_the_hash_of_its_very_bytes(tmp_path: Path) -> None:
    rules = ((first(), error(429, "slow down")), GOOD_REPLY)

    with Imitation(rules) as server:
        key = Key(SECRET, server.address.removesuffix("/v1"), None)
        with endpoint_at(server.address, tmp_path, key=key) as endpoint:
            endpoint.ask(prompt())
            entries = endpoint.log.entries()

    assert [(one.body, one.body_bytes) for one in entries] == [
        (hashlib.sha256(chat.raw).hexdigest(), len(chat.raw)) for chat in server.chats
    ]
    assert [(one.status, one.reply_characters, one.prompt_tokens) for one in entries] == [
        ("429", 0, None),
        ("ok", len(WRITTEN), 21),
    ]
    assert {(one.origin, one.model, one.prompt, one.policy) for one in entries} == {
        (server.address.removesuffix("/v1"), "test-model", "paint", "none")
    }


def test_the_log_has_neither_the_key_nor_a_word_of_prompt_and_reply_and_is_the_owners(tmp_path: Path) -> None:
    with Imitation((GOOD_REPLY,)) as server:
        key = Key(SECRET, server.address.removesuffix("/v1"), None)
        with endpoint_at(server.address, tmp_path, key=key) as endpoint:
            endpoint.ask(prompt())

    text = endpoint.log.path.read_text()
    assert [word for word in (SECRET, "Which colour", "You answer", "red") if word in text] == []
    assert endpoint.log.path.stat().st_mode & 0o777 == 0o600


def test_a_request_that_cannot_be_logged_is_not_sent(tmp_path: Path) -> None:
    (tmp_path / "requests.jsonl").mkdir()

    with Imitation((GOOD_REPLY,)) as server, endpoint_at(server.address, tmp_path) as endpoint:
        with pytest.raises(RequestNotLogged, match="nothing was sent"):
            endpoint.ask(prompt())

        assert server.arrivals == []


def test_a_request_is_in_the_log_while_it_is_under_way(tmp_path: Path) -> None:
    log = RequestLog(tmp_path / "log", lambda: "2026-01-01T00:00:00.000+00:00")

    entry = log.begin(b"{}", "http://127.0.0.1:1", "m", "p", "rows")

    assert log.entries() == (entry,)
    assert entry.status == "sent"


def test_the_log_does_not_grow_without_end(tmp_path: Path) -> None:
    log = RequestLog(tmp_path / "log")
    for _ in range(3):
        log.begin(b"{}", "o", "m" * MOST_BYTES, "p", "none")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.1"]


def test_a_question_stops_before_the_request_that_may_exceed_its_budget(tmp_path: Path) -> None:
    purse = Purse(PER_REQUEST + 27)

    with Imitation((GOOD_REPLY,)) as server, endpoint_at(server.address, tmp_path, purses=(purse,)) as endpoint:
        endpoint.ask(prompt())
        assert purse.spent == 28
        with pytest.raises(BudgetSpent, match=rf"28 of the {PER_REQUEST + 27:,} of `llm\.budget\.per_question`"):
            endpoint.ask(prompt())

    assert len(server.chats) == 1


def test_candidates_side_by_side_share_the_budget(tmp_path: Path) -> None:
    purse = Purse(2 * PER_REQUEST)

    with Imitation((GOOD_REPLY,)) as server, endpoint_at(server.address, tmp_path, purses=(purse,)) as endpoint:
        assert len(endpoint.ask(prompt())) == 1  # from now on the server is known, and all are sent at once
        assert len(endpoint.ask(prompt(), candidates=5)) == 1

    assert len(server.chats) == 2


def test_a_refused_request_costs_nothing(tmp_path: Path) -> None:
    purse = Purse(PER_REQUEST)

    with (
        Imitation(((always, error(400, "no")),)) as server,
        endpoint_at(server.address, tmp_path, purses=(purse,)) as endpoint,
        pytest.raises(ModelServerFailed),
    ):
        endpoint.ask(prompt())

    assert purse.spent == 0


def test_a_server_that_tells_no_usage_is_counted_by_length(tmp_path: Path) -> None:
    purse = Purse(None)

    with (
        Imitation(((always, says(WRITTEN, usage=None)),)) as server,
        endpoint_at(server.address, tmp_path, purses=(purse,)) as endpoint,
    ):
        endpoint.ask(prompt())

    assert purse.spent == prompt().estimated_tokens + len(WRITTEN) // 3


def test_the_budget_of_a_day_is_kept_in_a_file_and_is_whole_again_on_the_next(tmp_path: Path) -> None:
    path = tmp_path / "spent.json"
    DayPurse(100, path, lambda: date(2026, 1, 1)).set_aside(90)

    with pytest.raises(BudgetSpent, match=r"90 of the 100 of `llm\.budget\.per_day`"):
        DayPurse(100, path, lambda: date(2026, 1, 1)).set_aside(20)

    assert DayPurse(100, path, lambda: date(2026, 1, 1)).spent == 90
    DayPurse(100, path, lambda: date(2026, 1, 2)).set_aside(20)
    assert DayPurse(100, path, lambda: date(2026, 1, 2)).spent == 20
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_budget_that_one_purse_refuses_takes_nothing_from_the_other(tmp_path: Path) -> None:
    day = DayPurse(10, tmp_path / "spent.json")
    question = Purse(None)

    with (
        Imitation((GOOD_REPLY,)) as server,
        endpoint_at(server.address, tmp_path, purses=(question, day)) as endpoint,
        pytest.raises(BudgetSpent),
    ):
        endpoint.ask(prompt())

    assert (question.spent, day.spent, server.chats) == (0, 0, [])
