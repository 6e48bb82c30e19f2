"""A session has one valid id and one owner, and for anybody else it does not exist."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import SessionError, ToolchainMissing, UnknownSession
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Status
from jupyter_mcpgen.sandbox.sessions.session import valid_session_id
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from tests.unit.sandbox.sessions.owner import MISSING, Clock, Mine, needs_programs

pytestmark = needs_programs


@pytest.mark.parametrize("value", ["a", "A-b_9", "x" * 64, "00000000-0000-0000-0000-000000000000"])
def test_letters_digits_underscores_and_hyphens_make_an_id(value: str) -> None:
    assert valid_session_id(value) == value


@pytest.mark.parametrize(
    "value", ["x" * 65, "a b", "a.b", "a@b", "a!", "a/b", "a\\b", "..", "ä", "a\n", 3, b"a", ["a"]]
)
def test_anything_else_makes_none(value: object) -> None:
    assert valid_session_id(value) is None


def test_no_id_and_an_empty_one_both_mean_no_session() -> None:
    assert (valid_session_id(None), valid_session_id("")) == (None, "")


@pytest.mark.parametrize("session_id", ["../x", "a/b", "a\\b", f"a{os.sep}b", ".", "x" * 65])
def test_a_bad_id_is_refused_before_any_folder_exists(sessions: Sessions, scratch: Path, session_id: str) -> None:
    with pytest.raises(SessionError, match="cannot be a session's id"):
        sessions.create("me", session_id=session_id)

    assert list(scratch.iterdir()) == []


def test_no_answer_repeats_a_long_id(sessions: Sessions) -> None:
    long = "x" * 1_000_000

    with pytest.raises(SessionError) as bad:
        sessions.create("me", session_id=long)
    with pytest.raises(UnknownSession) as unknown:
        sessions.info("me", long)

    assert [len(str(error.value)) < 300 for error in (bad, unknown)] == [True, True]


def test_ids_can_be_demanded_to_be_uuids(tmp_path: Path) -> None:
    strict = Sessions(Executor(pages=Pages(tmp_path)), demand_uuids=True)

    with pytest.raises(SessionError, match="UUID"):
        strict.create("me", session_id="mine")
    strict.create("me", session_id="12345678-1234-5678-1234-567812345678")
    strict.create("me")
    strict.close()


@pytest.mark.parametrize("session_id", [None, ""])
def test_without_an_id_one_is_made(sessions: Sessions, session_id: str | None) -> None:
    made = sessions.create("me", session_id=session_id)

    assert valid_session_id(made.session_id) == made.session_id


def test_an_id_is_taken_once_by_each_owner(sessions: Sessions) -> None:
    sessions.create("me", session_id="same")
    sessions.create("you", session_id="same")

    with pytest.raises(SessionError, match="already"):
        sessions.create("me", session_id="same")


def test_an_owner_has_only_so_many_sessions(sessions: Sessions) -> None:
    for _ in range(8):
        sessions.create("me", "bash")

    with pytest.raises(SessionError, match="8 sessions already"):
        sessions.create("me", "bash")
    sessions.create("you", "bash")


def test_an_unknown_language_is_refused(sessions: Sessions) -> None:
    with pytest.raises(SessionError, match=r"Unsupported language: `Python`\. Did you mean `python`"):
        sessions.create("me", "Python")


@pytest.mark.skipif(MISSING["go"] is None, reason="Go is installed here")
def test_a_language_that_is_not_installed_is_refused_with_the_cure(sessions: Sessions) -> None:
    with pytest.raises(ToolchainMissing, match=r"`go` was not found\. To use it, install"):
        sessions.create("me", "go")


def test_a_session_is_listed_for_its_owner_only(sessions: Sessions, clock: Clock) -> None:
    mine = Mine(sessions, "bash")
    clock.now = 5
    mine.out("true")
    clock.now = 7

    (info,) = sessions.list("me")

    assert (info.session_id, info.language, info.keeps_state, info.runs) == (mine.id, "bash", False, 1)
    assert (info.age_seconds, info.idle_seconds, info.is_busy) == (7, 2, False)
    assert sessions.list("you") == ()


def test_for_anybody_else_a_session_does_not_exist(sessions: Sessions, python: Mine) -> None:
    python.write("secret", b"mine")

    for attempt in (
        lambda: sessions.execute("you", python.id, "1"),
        lambda: sessions.read_file("you", python.id, "secret"),
        lambda: sessions.write_file("you", python.id, "secret", b""),
        lambda: sessions.list_files("you", python.id),
        lambda: sessions.delete_file("you", python.id, "secret"),
        lambda: sessions.destroy("you", python.id),
    ):
        with pytest.raises(UnknownSession):
            attempt()

    assert python.read("secret") == b"mine"


def test_no_code_and_no_session_are_told(sessions: Sessions, python: Mine) -> None:
    assert sessions.execute("me", python.id, "").status is Status.SETUP_ERROR
    with pytest.raises(UnknownSession, match="`gone`"):
        sessions.execute("me", "gone", "1")
