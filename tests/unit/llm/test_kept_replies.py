"""Replies are recorded to be replayed, kept to be paid for once, and asked of a second model if need be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import ModelError, NoRecording, NoSuchModel, UnreadableReply, WrongKey
from jupyter_mcpgen.llm.cached import Cached
from jupyter_mcpgen.llm.fallback import WithFallback
from jupyter_mcpgen.llm.recorded import Recorded, Recording
from jupyter_mcpgen.llm.reply import Usage
from tests.fakes.model import ScriptedModel
from tests.imitations.endpoints import prompt
from tests.imitations.quirks import GOOD

OTHER = {"colour": "blue", "count": 1}


def test_a_prompt_without_a_recording_is_an_error_that_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(NoRecording, match=r"`paint` \([0-9a-f]{12}\).*Recording\(model, folder\)"):
        Recorded(tmp_path).ask(prompt())


def test_a_recording_is_found_by_the_content_of_the_prompt_and_shows_it(tmp_path: Path) -> None:
    Recording(ScriptedModel({"paint": [GOOD]}), tmp_path).ask(prompt("one"))

    with pytest.raises(NoRecording):
        Recorded(tmp_path).ask(prompt("another"))
    record = json.loads(next(tmp_path.iterdir()).read_text())
    assert record["prompt"]["messages"][1] == {"role": "user", "content": "one"}
    assert Recorded(tmp_path).ask(prompt("one"))[0].value == GOOD


def test_a_kept_reply_is_not_asked_for_again_and_costs_nothing(tmp_path: Path) -> None:
    model = ScriptedModel({"paint": [GOOD, OTHER]})
    cached = Cached(model, tmp_path, "scripted")
    cached.ask(prompt())

    again = cached.ask(prompt(), candidates=2)

    assert [(reply.value, reply.cached) for reply in again] == [(GOOD, True), (OTHER, False)]
    assert again[0].usage == Usage()
    assert len(model.asked) == 2


@pytest.mark.parametrize(("identity", "text"), [("another", "one"), ("scripted", "two")])
def test_a_kept_reply_is_for_the_same_model_and_the_same_prompt(identity: str, text: str, tmp_path: Path) -> None:
    model = ScriptedModel({"paint": [GOOD]})
    Cached(model, tmp_path, "scripted").ask(prompt("one"))

    Cached(model, tmp_path, identity).ask(prompt(text))

    assert len(model.asked) == 2


def test_kept_replies_are_few_and_their_owners(tmp_path: Path) -> None:
    cached = Cached(ScriptedModel({"paint": [GOOD]}), tmp_path / "replies", "scripted", most=3)

    for number in range(5):
        cached.ask(prompt(f"question {number}"))

    files = list((tmp_path / "replies").iterdir())
    assert len(files) == 3
    assert {path.stat().st_mode & 0o777 for path in [*files, tmp_path / "replies"]} == {0o600, 0o700}


@pytest.mark.parametrize("content", ["", "{", "[]", '{"text": 1}', '{"text": "x", "model": "m", "usage": {"a": 1}}'])
def test_a_kept_reply_that_is_damaged_is_asked_for_again(content: str, tmp_path: Path) -> None:
    model = ScriptedModel({"paint": [GOOD]})
    cached = Cached(model, tmp_path, "scripted")
    cached.ask(prompt())
    next(tmp_path.iterdir()).write_text(content)

    assert cached.ask(prompt())[0].value == GOOD
    assert len(model.asked) == 2


def test_a_reply_that_fails_is_not_kept(tmp_path: Path) -> None:
    model = ScriptedModel({"paint": [UnreadableReply("m", "no"), GOOD]})
    cached = Cached(model, tmp_path, "scripted")

    with pytest.raises(UnreadableReply):
        cached.ask(prompt())

    assert cached.ask(prompt())[0].cached is False


@pytest.mark.parametrize(
    ("failure", "is_asked"),
    [(NoSuchModel("m", "o"), True), (WrongKey("o", None), False), (UnreadableReply("m", "no"), False)],
)
def test_a_second_model_is_asked_where_it_may_do_better(failure: ModelError, is_asked: bool) -> None:
    second = ScriptedModel({"paint": [GOOD]})
    model = WithFallback(ScriptedModel({"paint": [failure]}), second, "second")

    if is_asked:
        assert model.ask(prompt())[0].value == GOOD
    else:
        with pytest.raises(type(failure)):
            model.ask(prompt())
    assert bool(second.asked) is is_asked
