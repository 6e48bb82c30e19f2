"""`tools.NAME.form(frame)`: the parameters of a tool as fields of a form, with its answer below, live.

The fields come from the tool's JSON Schema. A field for a column offers only columns that the tool takes there, given
the values of the other fields. ipywidgets draws the form and is imported for the first one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from jsonschema import Draft202012Validator

from jupyter_mcpgen.errors import McpgenError, NoAnswer
from jupyter_mcpgen.lab.mime import bundle
from jupyter_mcpgen.lab.tool_on_data import ToolOnData, tool_on_data
from jupyter_mcpgen.model.file_reading import own_parameters
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.spec import ToolParameter
from jupyter_mcpgen.pipeline.present import call_of
from jupyter_mcpgen.plan.visible import name_in_words
from jupyter_mcpgen.runtime import Runtime

if TYPE_CHECKING:
    import pandas as pd

    from jupyter_mcpgen.model.card import Card

_INSTALL = "pip install 'jupyter-mcpgen[forms]'"
_CLASS = "jp-mcpgen-form"
"""By this our part of the page knows a form, whose keys are no commands of the notebook."""
_LONGEST_LIST = 8
_LABEL = "160px"
_WIDTH = "420px"
_LARGEST = 2**53
"""Numbers beyond it lose digits on a page."""


@dataclass(frozen=True)
class _Kind:
    """How a value is shown in a widget and read from it again."""

    widget: Any
    read: Callable[[Any], Any] = lambda value: value


class Field:
    """One parameter: its widget, and a line beside it that says what is wrong with its value."""

    def __init__(self, parameter: ToolParameter, kind: _Kind, note: Any, *, columns: bool) -> None:
        self.parameter, self.kind, self.note = parameter, kind, note
        self.offers_columns = columns

    @property
    def widget(self) -> Any:
        """What is shown and changed."""
        return self.kind.widget

    @property
    def value(self) -> Any:
        """The argument in the field."""
        return self.kind.read(self.widget.value)

    def say(self, wrong: str) -> None:
        """Say what is wrong with the value, or nothing."""
        self.note.value = f'<span role="alert" style="color: var(--jp-error-color1)">{escape(wrong)}</span>' * bool(
            wrong
        )


class Form:
    """The fields of a tool over a table, or two; a change of one shows the new answer in the same place.

    `arguments` are the values as they stand, `df` is the result, `call` the same call in Python.
    """

    def __init__(self, use: ToolOnData) -> None:
        self._widgets = _ipywidgets(use)
        self._use = use
        self.fields: dict[str, Field] = {}
        for parameter in own_parameters(use.tool.spec):
            self.fields[parameter.name] = self._field(parameter)
        self._message = self._widgets.HTML()
        self._card: Card | None = None
        self._frame: pd.DataFrame | None = None
        self._display_id = f"mcpgen-{uuid4().hex}"
        self._is_shown = self._is_offering = False
        self._offer_fitting_columns()
        for field in self.fields.values():
            field.widget.observe(self._changed, names="value")
        self._answer()

    @property
    def arguments(self) -> dict[str, Any]:
        """What the tool is called with."""
        return {name: field.value for name, field in self.fields.items()}

    @property
    def call(self) -> str:
        """The call that gives the same in Python."""
        return call_of(self._use.tool.name, self._use.tool.spec, self.arguments)

    @property
    def card(self) -> Card | None:
        """The answer as a card, for a tool that is a plan; None while a field is wrong, and for written code."""
        return self._card

    @property
    def df(self) -> pd.DataFrame:
        """The result; raises `NoAnswer` while a field is wrong."""
        if self._frame is None:
            wrong = "; ".join(f"`{name}`: {said}" for name, said in self.errors.items()) or self._message.value
            raise NoAnswer(f"The form has no result. Correct it first: {wrong}")
        return self._frame.copy()

    @property
    def errors(self) -> dict[str, str]:
        """What is wrong with the fields, by name."""
        return {name: wrong for name, field in self.fields.items() if (wrong := self._wrong_in(field))}

    @cached_property
    def widget(self) -> Any:
        """The form itself, without its answer."""
        title = self._widgets.HTML(f"<b>{escape(self._use.tool.name)}</b> v{escape(self._use.tool.version)}")
        rows = [self._widgets.HBox([field.widget, field.note]) for field in self.fields.values()]
        return self._widgets.VBox([title, *rows, self._message]).add_class(_CLASS)

    def _ipython_display_(self) -> None:
        from IPython.display import display  # deferred: only a notebook shows a form

        display(self.widget)  # type: ignore[no-untyped-call]
        self._is_shown = True
        display(self._bundle(), raw=True, display_id=self._display_id)  # type: ignore[no-untyped-call]

    def _changed(self, change: Mapping[str, Any]) -> None:
        if self._is_offering:
            return
        self._offer_fitting_columns()
        self._answer()
        if self._is_shown:
            from IPython.display import display

            display(self._bundle(), raw=True, display_id=self._display_id, update=True)  # type: ignore[no-untyped-call]

    def _answer(self) -> None:
        """Call the tool with the values of the fields; if it cannot be called, say why beside the field."""
        errors = self.errors
        self._card = self._frame = None
        self._message.value = ""
        for name, field in self.fields.items():
            field.say(errors.get(name, ""))
        if errors:
            return
        try:
            self._card, self._frame = self._use.call(self.arguments)
        except McpgenError as error:
            self._complain(str(error))

    def _complain(self, wrong: str) -> None:
        """Say what is wrong beside the field that it names, or below them all."""
        named = next((field for name, field in self.fields.items() if f"`{name}`" in wrong), None)
        if named is not None:
            named.say(wrong)
        else:
            self._message.value = f'<span role="alert" style="color: var(--jp-error-color1)">{escape(wrong)}</span>'

    def _bundle(self) -> dict[str, Any]:
        if self._card is not None:
            return bundle(self._card)
        if self._frame is not None:
            return {"text/html": self._frame.to_html(max_rows=20), "text/plain": self._frame.to_string(max_rows=20)}
        return {"text/plain": "No result: a field of the form has to be corrected."}

    def _wrong_in(self, field: Field) -> str:
        if field.offers_columns and not field.widget.options:
            return "No column of this table fits here."
        return self._violated(field)

    def _violated(self, field: Field) -> str:
        """Say what the tool's schema has against the value of a field."""
        validator = Draft202012Validator(self._schema(field.parameter.name))
        first = next(iter(validator.iter_errors(field.value)), None)
        return "" if first is None else f"{first.message[:1].upper()}{first.message[1:]}."

    def _schema(self, name: str) -> Mapping[str, Any]:
        schema: Mapping[str, Any] = self._use.tool.spec.input_schema["properties"][name]
        return schema

    # what each field is

    def _field(self, parameter: ToolParameter) -> Field:
        columns = self._use.takes_column(parameter.name)
        kind = self._of_columns(parameter) if columns else self._of_value(parameter)
        kind.widget.description_allow_html = False
        kind.widget.tooltip = parameter.description
        return Field(parameter, kind, self._widgets.HTML(), columns=columns)

    def _of_columns(self, parameter: ToolParameter) -> _Kind:
        several = self._schema(parameter.name).get("type") == "array"
        offered = self._use.columns
        if several:
            chosen = [name for name in _listed(parameter.default) if name in offered] or list(offered[:1])
            rows = min(max(2, len(offered)), _LONGEST_LIST)
            widget = self._widgets.SelectMultiple(options=offered, value=chosen, rows=rows, **self._look(parameter))
            return _Kind(widget, lambda value: self._in_order(parameter.name, value))
        value = parameter.default if parameter.default in offered else next(iter(offered), None)
        return _Kind(self._widgets.Dropdown(options=offered, value=value, **self._look(parameter)))

    def _in_order(self, name: str, chosen: Sequence[str]) -> list[str]:
        """Return columns in the order of the tool's own, where they are the same; a list on a page has none."""
        default = _listed(self._use.default(name))
        return default if set(default) == set(chosen) else list(chosen)

    def _of_value(self, parameter: ToolParameter) -> _Kind:
        schema, look, default = self._schema(parameter.name), self._look(parameter), parameter.default
        widgets, type_ = self._widgets, schema.get("type")
        if "enum" in schema:
            return _Kind(widgets.Dropdown(options=schema["enum"], value=default, **look))
        if type_ == "boolean":
            return _Kind(widgets.Checkbox(value=bool(default), indent=True, **look))
        if type_ in ("integer", "number"):
            return self._of_number(schema, default, look)
        if type_ == "array":
            text = ", ".join(map(str, _listed(default)))
            return _Kind(widgets.Text(value=text, continuous_update=False, **look), _read_list(_listed(default)))
        day = _day(default)
        if schema.get("format") == "date" or day is not None:
            return _Kind(widgets.DatePicker(value=day, **look), lambda value: value and value.isoformat())
        if type_ == "string":
            return _Kind(widgets.Text(value=str(default or ""), continuous_update=False, **look))
        return _Kind(widgets.Text(value=json.dumps(default), continuous_update=False, **look), _read_json)

    def _of_number(self, schema: Mapping[str, Any], default: Any, look: Mapping[str, Any]) -> _Kind:
        """Return a field for a number; a value beyond the tool's bounds is said to be wrong, and not moved."""
        is_whole = schema["type"] == "integer"
        make = self._widgets.IntText if is_whole else self._widgets.FloatText
        usual = default if default is not None else schema.get("minimum", 0)
        return _Kind(make(value=min(usual, _LARGEST), continuous_update=False, **look))

    def _look(self, parameter: ToolParameter) -> dict[str, Any]:
        name = name_in_words(parameter.name.replace("_", " "))
        return {
            "description": name,
            "style": {"description_width": _LABEL},
            "layout": self._widgets.Layout(width=_WIDTH),
        }

    def _offer_fitting_columns(self) -> None:
        """Offer in each field for a column those that fit the values of the other fields."""
        for name, field in self.fields.items():
            if field.offers_columns:
                self._offer(field, list(self._fitting(name)))

    def _fitting(self, name: str) -> Iterator[str]:
        several = isinstance(self.fields[name].value, list)
        # what is wrong in another field says nothing of the columns that fit in this one
        arguments = {
            other: self._use.default(other) if self._violated(field) else field.value
            for other, field in self.fields.items()
        }
        for column in self._use.columns:
            if self._use.fits({**arguments, name: [column] if several else column}, name):
                yield column

    def _offer(self, field: Field, columns: list[str]) -> None:
        widget, value = field.widget, field.widget.value
        if tuple(widget.options) == tuple(columns):
            return
        self._is_offering = True  # other options take the value away for a moment
        try:
            widget.options = columns
            if isinstance(value, tuple):
                widget.value = tuple(each for each in value if each in columns) or tuple(columns[:1])
            else:
                widget.value = value if value in columns else next(iter(columns), None)
        finally:
            self._is_offering = False


def form_of(name: str, runtime: Runtime, data: DataRef, other: DataRef | None = None) -> Form:
    """Return the form of a tool over a table, or two; raises `NoAnswer` where ipywidgets is not installed."""
    return Form(tool_on_data(name, runtime, data, other))


def _ipywidgets(use: ToolOnData) -> Any:
    try:
        import ipywidgets
    except ImportError as error:
        call = call_of(use.tool.name, use.tool.spec, use.defaults)
        raise NoAnswer(f"A form needs ipywidgets: `{_INSTALL}`. Without it, write the call: `{call}`.") from error
    return ipywidgets


def _listed(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [] if value is None else [value]


def _day(value: object) -> date | None:
    """Return the day that a default is, if it is one and has no time."""
    try:
        return date.fromisoformat(value) if isinstance(value, str) and len(value) == len("2024-01-01") else None
    except ValueError:
        return None


def _read_list(default: Sequence[Any]) -> Callable[[str], list[Any]]:
    """Return what reads values that are separated by commas, as numbers where the tool's own are numbers."""
    numbers = bool(default) and all(isinstance(each, int | float) for each in default)

    def read(text: str) -> list[Any]:
        words = [word.strip() for word in text.split(",") if word.strip()]
        return [_read_json(word) for word in words] if numbers else words

    return read


def _read_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text  # the schema says what is wrong with it
