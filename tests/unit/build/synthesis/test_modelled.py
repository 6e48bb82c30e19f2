"""What a model writes is checked like anything else, asked for once more, and written only if it holds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from jupyter_mcpgen.build.synthesis.component_templates import Templates
from jupyter_mcpgen.build.synthesis.modelled import Wish
from jupyter_mcpgen.build.synthesis.synthesis import FromPrompt, Synthesis
from jupyter_mcpgen.errors import ModelDown
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from tests.fakes.model import Answer, ScriptedModel

GOOD = 'def count(text: str) -> int:\n    """Count the words."""\n    return len(text.split())\n'
WISH = Wish("Count the words of a text.", "class Texts: ...", "Type hints.")


def files(**content: str) -> Mapping[str, Any]:
    """Return an answer with files whose paths have `__` for a dot."""
    listed = [{"path": path.replace("__", "."), "content": text} for path, text in content.items()]
    return {"files": listed, "explanation": "It counts.\x1b[2J"}


def made(model: ScriptedModel | None, target: Path, language: str = "python", **options: Any) -> FromPrompt:
    """Have a component written, into `out`."""
    synthesis = Synthesis(Templates(), None if model is None else lambda: model, "scripted")
    return synthesis.from_prompt(options.pop("wish", WISH), language, lambda: target, Path, **options)


def test_what_the_model_wrote_is_written_and_explained(tmp_path: Path) -> None:
    model = ScriptedModel({"component": [files(count__py="def count(text:str)->int:\n  return len(text.split())")]})

    component = made(model, tmp_path / "out")

    assert (component.status, component.error_message) == ("success", "")
    assert component.generated_files == {"count.py": "def count(text: str) -> int:\n    return len(text.split())\n"}
    assert (tmp_path / "out" / "count.py").read_text() == component.generated_files["count.py"]
    assert component.explanation.startswith("It counts.\N{REPLACEMENT CHARACTER}[2J")
    sent = model.asked[0].messages[1].content
    assert all(text in sent for text in (WISH.request, WISH.context, WISH.style))


def test_a_preview_writes_nothing(tmp_path: Path) -> None:
    component = made(ScriptedModel({"component": [files(count__py=GOOD)]}), tmp_path / "out", is_preview=True)

    assert (component.status, list(component.generated_files)) == ("success", ["count.py"])
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("first", "flaw"),
    [
        (files(count__py="def count(:\n"), "`count.py` would fail a check"),
        (files(count__py="def count():\n    return nowhere\n"), "F821"),
        ({"files": [{"path": "../count.py", "content": GOOD}], "explanation": ""}, "path leads elsewhere"),
        ({"files": [{"path": ".bashrc", "content": GOOD}], "explanation": ""}, "path leads elsewhere"),
        ({"files": [{"path": "/etc/count.py", "content": GOOD}], "explanation": ""}, "path leads elsewhere"),
        ({"files": [], "explanation": ""}, "it has no file"),
        (files(**{f"f{n}__py": GOOD for n in range(21)}), "more than 20"),
    ],
)
def test_an_answer_with_a_flaw_is_asked_for_once_more(tmp_path: Path, first: Answer, flaw: str) -> None:
    better = ScriptedModel({"component": [first, files(count__py=GOOD)]})
    stubborn = ScriptedModel({"component": [first]})

    cured, failed = made(better, tmp_path / "cured"), made(stubborn, tmp_path / "failed")

    assert (cured.status, len(better.asked)) == ("success", 2)
    assert flaw in better.asked[1].messages[1].content
    assert (failed.status, len(stubborn.asked), failed.generated_files) == ("failure", 2, {})
    assert flaw in failed.error_message
    assert [path.name for path in tmp_path.iterdir()] == ["cured"]


def test_without_a_model_nothing_is_made(tmp_path: Path) -> None:
    component = made(None, tmp_path / "out")

    assert (component.status, component.generated_files) == ("failure", {})
    assert component.error_message == "No language model is set up. `%mcpgen model` shows how to connect one."


def test_what_cannot_be_asked_for_is_said_and_nothing_is_sent(tmp_path: Path) -> None:
    model = ScriptedModel({"component": [files(count__py=GOOD)]})

    failures = [
        made(model, tmp_path / "out", "javascript"),
        made(model, tmp_path / "out", wish=Wish("  ")),
        made(model, tmp_path / "out", llm_config={"model_name": "other"}),
        made(model, tmp_path / "out", wish=Wish("Count words.", context="x = 1\n" * 5_000)),
    ]

    assert [each.status for each in failures] == ["failure"] * 4
    assert "checks for `python` only" in failures[0].error_message
    assert "`prompt` is empty" in failures[1].error_message
    assert "than that of the settings, `scripted`" in failures[2].error_message
    assert "`context_code` has 30,000 characters" in failures[3].error_message
    assert model.asked == []
    assert made(model, tmp_path / "out", llm_config={"model_name": "scripted"}).status == "success"


def test_a_model_that_fails_or_a_call_that_is_cancelled_writes_nothing(tmp_path: Path) -> None:
    cancelled = Cancellation()
    cancelled.cancel()

    down = made(ScriptedModel({"component": [ModelDown("http://x", "refused")]}), tmp_path / "out")
    stopped = made(ScriptedModel({"component": [files(count__py=GOOD)]}), tmp_path / "out", cancelled=cancelled)

    assert [down.status, stopped.status] == ["failure", "failure"]
    assert down.error_message.startswith("No model server answers at `http://x`")
    assert not (tmp_path / "out").exists()


def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "count.py").write_text("mine")

    component = made(ScriptedModel({"component": [files(count__py=GOOD)]}), tmp_path)

    assert component.status == "failure"
    assert (tmp_path / "count.py").read_text() == "mine"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"bodies": [{"name": "count", "body": "return len(text.split())"}]}, ""),
        ({"bodies": []}, "it has no body for `count`"),
        ({"bodies": [{"name": "count", "body": "return ("}]}, "it is no Python"),
        ({"bodies": [{"name": "count", "body": "return nowhere"}]}, "F821"),
    ],
)
def test_a_model_writes_the_bodies_that_a_specification_leaves_out(tmp_path: Path, answer: Answer, said: str) -> None:
    parameters = [{"name": "text", "type": "string", "description": "the text"}]
    functions = [
        {"name": "count", "description": "Count words.", "parameters": parameters},
        {"name": "one", "description": "Return 1.", "body": "return 1"},
    ]
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"name": "x", "description": "X.", "functions": functions}))
    model = ScriptedModel({"bodies": [answer]})

    component = Synthesis(Templates(), lambda: model).from_specification(
        lambda: path, "python", lambda: tmp_path / "out", llm_assisted=True
    )

    assert component.status == ("failure" if said else "success")
    assert said in component.error_message
    if not said:
        assert "return len(text.split())" in component.generated_files["x.py"]
        assert "has no body yet" not in component.log_output
