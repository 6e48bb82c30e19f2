"""What each kind of parameter is in a form, over a tool that only says what it was called with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import pandas as pd
import pytest

from jupyter_mcpgen.errors import ToolFailed
from jupyter_mcpgen.lab.form import Form
from jupyter_mcpgen.lab.tool_on_data import ToolOnData
from jupyter_mcpgen.model.spec import ToolParameter
from tests.builders import spec

SCHEMAS: Mapping[str, tuple[Mapping[str, Any], Any]] = {
    "how": ({"type": "string", "enum": ["mean", "median"]}, "median"),
    "exact": ({"type": "boolean"}, True),
    "share": ({"type": "number", "minimum": 0, "maximum": 1}, 0.5),
    "most": ({"type": "integer", "minimum": 1}, 10),
    "levels": ({"type": "array", "items": {"type": "number"}, "minItems": 1}, [0.5, 0.9]),
    "since": ({"type": "string", "format": "date"}, "2024-02-29"),
    "name": ({"type": "string"}, "x"),
    "limits": ({"type": "object"}, {"low": 1}),
}


@dataclass(frozen=True)
class _Tool:
    spec: Any
    name: str = "made"
    version: str = "1.0.0"


@dataclass
class Recorded:
    """A tool on a table that gives its arguments back as a row, and fails where it is asked for `name=fail`."""

    calls: list[dict[str, Any]] = field(default_factory=list)
    columns: tuple[str, ...] = ()
    tool: Any = field(
        default_factory=lambda: _Tool(
            spec(
                "made",
                input_schema={"type": "object", "properties": {name: schema for name, (schema, _) in SCHEMAS.items()}},
                parameters=tuple(
                    ToolParameter(name=name, type="object", description=f"The {name}", required=False, default=default)
                    for name, (_, default) in SCHEMAS.items()
                ),
            )
        )
    )

    def takes_column(self, name: str) -> bool:
        """Take none."""
        return False

    def call(self, arguments: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
        """Give the arguments back."""
        self.calls.append(dict(arguments))
        if arguments["name"] == "fail":
            raise ToolFailed("`made` gave no result: `name` must not be fail.")
        return None, pd.DataFrame({"called": [str(dict(arguments))]})


@pytest.fixture
def use() -> Recorded:
    return Recorded()


@pytest.fixture
def form(use: Recorded) -> Form:
    return Form(cast("ToolOnData", use))


def test_each_kind_of_parameter_has_its_widget_and_begins_at_the_tools_own_value(form: Form, use: Recorded) -> None:
    assert {name: type(each.widget).__name__ for name, each in form.fields.items()} == {
        "how": "Dropdown",
        "exact": "Checkbox",
        "share": "FloatText",
        "most": "IntText",
        "levels": "Text",
        "since": "DatePicker",
        "name": "Text",
        "limits": "Text",
    }
    assert use.calls == [{name: default for name, (_, default) in SCHEMAS.items()}]


@pytest.mark.parametrize(
    ("name", "typed", "argument"),
    [
        ("how", "mean", "mean"),
        ("exact", False, False),
        ("share", 0.25, 0.25),
        ("levels", "0.1, 0.2", [0.1, 0.2]),
        ("limits", '{"low": 2}', {"low": 2}),
    ],
)
def test_a_change_calls_the_tool_with_the_new_value(
    form: Form, use: Recorded, name: str, typed: object, argument: object
) -> None:
    form.fields[name].widget.value = typed

    assert use.calls[-1][name] == argument
    assert len(use.calls) == 2


@pytest.mark.parametrize(
    ("name", "typed", "wrong"),
    [
        ("share", 1.5, "1.5 is greater than the maximum of 1."),
        ("most", 0, "0 is less than the minimum of 1."),
        ("levels", "", "[] should be non-empty."),
        ("levels", "0.1, much", "'much' is not of type 'number'."),
        ("since", None, "None is not of type 'string'."),
        ("limits", "low", "'low' is not of type 'object'."),
        ("name", "fail", "`made` gave no result: `name` must not be fail."),
    ],
)
def test_what_the_schema_or_the_tool_refuses_stands_beside_its_field(
    form: Form, name: str, typed: object, wrong: str
) -> None:
    form.fields[name].widget.value = typed

    notes = {each: field.note.value for each, field in form.fields.items() if field.note.value}
    assert list(notes) == [name]
    assert wrong.replace("'", "&#x27;") in notes[name]


def test_the_words_of_a_tool_are_shown_as_text(use: Recorded) -> None:
    use.tool = _Tool(use.tool.spec, name="<b>made</b>")

    assert "<b>&lt;b&gt;made&lt;/b&gt;</b>" in Form(cast("ToolOnData", use)).widget.children[0].value
