"""A specification becomes files that run, or nothing is written and the reason is said."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from jupyter_mcpgen.build.synthesis.component_templates import Templates
from jupyter_mcpgen.build.synthesis.synthesis import FromSpecification, Synthesis

COMPONENT: dict[str, Any] = {
    "name": "text_stats",
    "description": "Statistics of texts.",
    "version": "1.2.0",
    "imports": ["import math"],
    "functions": [
        {
            "name": "word_count",
            "description": "Count the words of a text.",
            "parameters": [
                {"name": "skip", "type": "array", "description": "words to leave out", "default": ["the"]},
                {"name": "text", "type": "string", "description": "the text"},
            ],
            "returns": {"type": "integer", "description": "how many words"},
            "body": "return len([word for word in text.split() if word not in skip])",
            "examples": [{"arguments": {"text": "a the b"}, "result": 2}],
        },
        {
            "name": "root",
            "description": "Take a root.",
            "parameters": [{"name": "x", "type": "number", "description": "the number"}],
            "body": "if x < 0:\n    return None\nreturn math.sqrt(x)",
            "examples": [{"arguments": {"x": 2.0}, "result": 1.41421356237}],
        },
    ],
}
EVIL = 'A """ + evil() + """\n# Evil\n```\n{{ evil() }}{% raw %}![x](https://e.example)\x1b[2J\u202e"'
Make = Callable[..., FromSpecification]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Return what makes a component of a value, written as JSON, or of a text with an ending, into `out`."""

    def one(
        component: object = None,
        template: str | None = None,
        *,
        ending: str = ".json",
        text: str | None = None,
        own: Path | None = None,
        **options: Any,
    ) -> FromSpecification:
        path = tmp_path / f"specification{ending}"
        path.write_text(json.dumps(component or COMPONENT) if text is None else text)
        asked = {"language": "python", **options}
        return Synthesis(Templates(own)).from_specification(
            lambda: path, asked.pop("language"), lambda: tmp_path / "out", template, **asked
        )

    return one


def run_tests(folder: Path) -> str:
    """Run the tests in a folder, and return how they ended."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir=.", "."]
    environment = {"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    ).stdout


@pytest.mark.parametrize(
    ("template", "files"),
    [
        ("mcp_tool", ["test_text_stats.py", "text_stats.py"]),
        (
            "fastmcp_server",
            [
                *("README.md", "pyproject.toml", "tests/test_text_stats.py", "text_stats/__init__.py"),
                *("text_stats/server.py", "text_stats/tools.py"),
            ],
        ),
    ],
)
def test_a_component_is_written_and_passes_its_tests(
    make: Make, tmp_path: Path, template: str, files: list[str]
) -> None:
    made = make(template=template)

    assert (made.status, made.error_message, list(made.generated_files)) == ("success", "", files)
    for name, text in made.generated_files.items():
        assert (tmp_path / "out" / name).read_text(encoding="utf-8") == text
    assert "2 passed" in run_tests(tmp_path / "out")


def test_a_text_over_several_lines_in_a_body_is_kept_as_it_is(make: Make, tmp_path: Path) -> None:
    letter = {
        "name": "letter",
        "description": "Write a letter.",
        "body": 'text = """Dear,\n  all\nfine"""\nreturn text',
        "examples": [{"arguments": {}, "result": "Dear,\n  all\nfine"}],
    }

    made = make({**COMPONENT, "functions": [letter]}, "mcp_tool")

    assert made.error_message == ""
    assert "1 passed" in run_tests(tmp_path / "out")


@pytest.mark.parametrize(
    ("type_", "result"),
    [("array", [1, 0.3]), ("object", {"shares": {"north": 0.3, "of": [0.3]}, "name": "beds"}), ("any", [[0.3, "x"]])],
)
def test_numbers_are_compared_up_to_their_last_digits_wherever_they_are(
    make: Make, tmp_path: Path, type_: str, result: object
) -> None:
    shares = {
        "name": "shares",
        "description": "Give shares.",
        "returns": {"type": type_},
        "body": f"return {result!r}".replace("0.3", "0.1 + 0.2"),
        "examples": [{"arguments": {}, "result": result}],
    }

    assert make({**COMPONENT, "functions": [shares]}, "mcp_tool").error_message == ""
    assert "1 passed" in run_tests(tmp_path / "out")


def test_a_module_and_its_suite_fit_together(make: Make, tmp_path: Path) -> None:
    module, suite = make(), make(template="pytest_suite")

    assert (list(module.generated_files), list(suite.generated_files)) == (
        ["text_stats.py"],
        ["tests/test_text_stats.py"],
    )
    assert "2 passed" in run_tests(tmp_path / "out")


def test_yaml_says_the_same_as_json_and_its_template_may_stand_in_it(make: Make) -> None:
    told = yaml.safe_dump({**COMPONENT, "template": "mcp_tool"})

    from_yaml, from_json = make(text=told, ending=".yaml", is_preview=True), make(template="mcp_tool", is_preview=True)

    assert from_yaml.generated_files == from_json.generated_files != {}


def test_a_preview_writes_nothing(make: Make, tmp_path: Path) -> None:
    made = make(is_preview=True)

    assert (made.status, list(made.generated_files)) == ("success", ["text_stats.py"])
    assert "would be written" in made.log_output
    assert not (tmp_path / "out").exists()


def test_a_function_without_a_body_says_so(make: Make) -> None:
    bare = {**COMPONENT, "functions": [{"name": "later", "description": "Nobody wrote it."}]}

    made = make(bare)

    assert "`later` has no body yet: it raises NotImplementedError." in made.log_output
    assert "raise NotImplementedError" in made.generated_files["text_stats.py"]


def test_a_file_that_is_there_is_never_overwritten(make: Make, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "text_stats.py").write_text("mine")

    made = make(template="mcp_tool")

    assert (made.status, made.generated_files) == ("failure", {})
    assert "text_stats.py` is there already" in made.error_message
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["text_stats.py"]
    assert (tmp_path / "out" / "text_stats.py").read_text() == "mine"


def test_the_same_may_be_made_twice(make: Make) -> None:
    assert [make().status, make().status] == ["success", "success"]


def changed(**changes: Any) -> dict[str, Any]:
    """Return a component whose first function is another one."""
    return {**COMPONENT, "functions": [{**COMPONENT["functions"][0], **changes}]}


@pytest.mark.parametrize(
    ("component", "said"),
    [
        ([], "it is no object with `name`"),
        ({"name": "x"}, "`description` is missing."),
        ({**COMPONENT, "name": "json"}, "`json` is another module already"),
        ({**COMPONENT, "name": "../x"}, "`name` must be of lower-case letters, digits and `_`"),
        ({**COMPONENT, "name": 3}, "`name` must be a text."),
        ({**COMPONENT, "version": "1"}, "`version` must be three numbers, such as `1.0.0`."),
        ({**COMPONENT, "name": "class"}, "is a word of Python"),
        ({**COMPONENT, "colour": "red"}, "there is no key `colour`."),
        ({**COMPONENT, "imports": ["os.system('x')"]}, "no import statement"),
        ({**COMPONENT, "imports": ["import os; evil()"]}, "no import statement"),
        ({**COMPONENT, "requirements": ["pandas\nevil"]}, "no requirement"),
        ({**COMPONENT, "functions": []}, "`functions` must have an entry."),
        ({**COMPONENT, "functions": {}}, "`functions` must be a list."),
        ({**COMPONENT, "functions": ["f"]}, "`functions.0` must be an object."),
        (changed(exampels=[]), "there is no key `functions.0.exampels` (did you mean `examples`?)."),
        (changed(returns={"type": "str"}), "`functions.0.returns.type` must be 'string', 'number', 'integer',"),
        (changed(name="mcp"), "`mcp` is the name of the server"),
        (changed(name="list"), "`list` is a function or type of Python"),
        (changed(name="test_words"), "`test_words` would be run as a test"),
        (changed(name="x\n"), "`functions.0.name` must be of lower-case letters"),
        (changed(body="return ("), "`functions.0.body` does not fit: it is no Python"),
        (changed(body="return 1\\"), "it is no Python"),
        (changed(body="return nothing_like_it(text)"), "would fail a check (F821)"),
        (changed(body="import subprocess\nreturn subprocess.run(text, shell=True)"), "would fail a check (S602)"),
        (changed(examples=[{"arguments": {"texts": 1}, "result": 1}]), "which is no parameter"),
        ({**COMPONENT, "language": "rust"}, "there are templates and checks for `python` only"),
    ],
)
def test_what_does_not_fit_is_named_and_nothing_is_written(
    make: Make, tmp_path: Path, component: object, said: str
) -> None:
    made = make(text=json.dumps(component))

    assert (made.status, made.generated_files) == ("failure", {})
    assert said in made.error_message
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "ending", "said"),
    [
        ("{", ".json", "cannot be read as JSON"),
        ("[" * 100_000, ".json", "cannot be read as JSON"),
        (
            "name: !!python/object/apply:os.system [x]",
            ".yaml",
            "cannot be read as YAML: could not determine a constructor",
        ),
        ("a: &a [x]\nb: *a\n", ".yaml", "it has aliases"),
        ("name: x", ".toml", "its name ends in none of"),
        ("x" * 1_000_001, ".json", "more than 1,000,000 bytes"),
    ],
)
def test_a_file_that_cannot_be_read_is_said(make: Make, text: str, ending: str, said: str) -> None:
    made = make(text=text, ending=ending)

    assert made.status == "failure"
    assert said in made.error_message


def test_an_unknown_template_another_language_and_a_model_are_honest_failures(make: Make) -> None:
    assert make(template="fastapi_service_template").error_message.startswith(
        "Template 'fastapi_service_template' not found."
    )
    assert make(template="../mcp_tool").error_message.startswith("Template '../mcp_tool' not found.")
    assert "there are templates and checks for `python` only" in make(language="javascript").error_message
    assert make(llm_assisted=True).error_message.startswith("No language model is set up.")


def test_texts_of_a_specification_stay_texts(make: Make) -> None:
    hostile = {
        **COMPONENT,
        "description": EVIL,
        "functions": [
            {"name": "f", "description": EVIL, "parameters": [{"name": "x", "description": EVIL, "default": EVIL}]}
        ],
    }

    for template in Templates().names():
        made = make(hostile, template, is_preview=True)
        assert made.status == "success", made.error_message
        for name, text in made.generated_files.items():
            assert "\x1b" not in text
            if name.endswith(".py"):
                called = (node.func for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
                assert "evil" not in {node.id for node in called if isinstance(node, ast.Name)}
            if name.endswith(".md"):
                assert "![x]" not in text.replace("\\![x]", "")


def test_a_template_of_the_persons_own_goes_first_and_can_do_nothing_but_write(make: Make, tmp_path: Path) -> None:
    own = tmp_path / "templates"
    (own / "python_module").mkdir(parents=True)
    (own / "python_module" / "__name__.txt.jinja").write_text("{{ component.name }} v{{ component.version }}\n")
    (own / "escaping").mkdir()
    (own / "escaping" / "a.txt.jinja").write_text("{{ component.__class__.__mro__ }}")

    assert make(own=own).generated_files == {"text_stats.txt": "text_stats v1.2.0\n"}
    refused = make(template="escaping", own=own)
    assert refused.status == "failure"
    assert "SecurityError" in refused.error_message
