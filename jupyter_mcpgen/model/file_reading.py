"""How the files of a tool are read: the parameters of its contract that say it, and what a call makes of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.request import ReadOptions
from jupyter_mcpgen.model.spec import DATA_PARAMETERS, OTHER_DATA_PARAMETER, ToolParameter, ToolSpec

SHEET = "sheet"
_OF_THE_OTHER = "other_"
_PARAMETERS = {
    "delimiter": ("str | None", "Sign between the fields of a text file; null to find it."),
    "encoding": ("str | None", "Encoding of a text file, such as `cp1252`; null to find it."),
    "skip": ("int", "Lines at the start of a text file that are left out."),
    "header": ("int | None", "Line of the column names in a text file, from 1; 0 for none, null to find it."),
    "footer": ("int | None", "Rows at the end of a text file that are left out; null to find them."),
    "missing": ("Sequence[str]", "Words in a text file that stand for a missing value, besides the usual ones."),
    "decimal": ("str | None", "Mark before decimals in a text file, `.` or `,`; null to find it."),
    SHEET: ("str | None", "Sheet, member or table, for a file that has several."),
}
"""What may be said of a file, with the type and the meaning of its parameter."""
_SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "delimiter": {"type": ["string", "null"], "minLength": 1, "maxLength": 1},
    "encoding": {"type": ["string", "null"]},
    "skip": {"type": "integer", "minimum": 0},
    "header": {"type": ["integer", "null"], "minimum": 0},
    "footer": {"type": ["integer", "null"], "minimum": 0},
    "missing": {"type": "array", "items": {"type": "string"}},
    "decimal": {"type": ["string", "null"], "enum": [".", ",", None]},
    SHEET: {"type": ["string", "null"]},
}


class FileReading(Record):
    """What is said of how one file is read: the options of a text file, and which of several tables is meant."""

    options: ReadOptions = ReadOptions()
    sheet: str | None = None
    is_asked: bool = False
    """Whether it was said for this very call: then it counts more than what was said of the file before."""

    @property
    def said(self) -> Mapping[str, Any]:
        """What is said, by the names of the parameters."""
        nothing, told = dict(ReadOptions()), {**dict(self.options), "decimal": self.options.mark}
        options = {name: value for name, value in told.items() if name in _PARAMETERS and value != nothing[name]}
        return options if self.sheet is None else {**options, SHEET: self.sheet}


def reading_parameters(reading: FileReading, data_parameter: str) -> Iterator[tuple[ToolParameter, dict[str, Any]]]:
    """Yield the parameters of a tool that say how one of its files is read, each with its JSON Schema."""
    for name, value in reading.said.items():
        type_, meaning = _PARAMETERS[name]
        default = list(value) if isinstance(value, tuple) else value
        parameter = ToolParameter(
            name=_named(name, data_parameter),
            type=type_,
            description=_meant(meaning, data_parameter),
            required=False,
            default=default,
        )
        schema = {**_SCHEMAS[name], "description": parameter.description, "default": default}
        yield parameter, schema


def said_in(spec: ToolSpec, data_parameter: str) -> Mapping[str, str]:
    """Return what a contract has parameters for, of how a file is read, with their names."""
    wanted = {
        (_named(name, data_parameter), _meant(meaning, data_parameter)): name
        for name, (_, meaning) in _PARAMETERS.items()
    }
    found = ((wanted.get((each.name, each.description)), each.name) for each in spec.parameters)
    return {name: parameter for name, parameter in found if name is not None}


def reading_of(spec: ToolSpec, data_parameter: str, arguments: Mapping[str, Any]) -> FileReading:
    """Return how a call reads a file: by its arguments, or else by the defaults of the tool.

    Raises `DataError` for an argument that no file can be read by.
    """
    parameters = said_in(spec, data_parameter)
    defaults = {each.name: each.default for each in spec.parameters}
    values = {name: arguments.get(parameter, defaults[parameter]) for name, parameter in parameters.items()}
    sheet = values.pop(SHEET, None)
    asked = any(parameter in arguments for parameter in parameters.values())
    return FileReading(options=ReadOptions.of(values), sheet=sheet, is_asked=asked)


def read_already(spec: ToolSpec, data_parameters: tuple[str, ...] = DATA_PARAMETERS) -> dict[str, Any]:
    """Return the arguments that leave files as they are: for tables that were made of the files that a person named."""
    nothing = ReadOptions().model_dump(mode="json")
    return {
        parameter: nothing.get(name)
        for data_parameter in data_parameters
        for name, parameter in said_in(spec, data_parameter).items()
    }


def own_parameters(spec: ToolSpec) -> tuple[ToolParameter, ...]:
    """Return the parameters that are about the work, not about the files."""
    about_files = {*DATA_PARAMETERS, *read_already(spec)}
    return tuple(each for each in spec.parameters if each.name not in about_files)


def _named(name: str, data_parameter: str) -> str:
    return f"{_OF_THE_OTHER}{name}" if data_parameter == OTHER_DATA_PARAMETER else name


def _meant(meaning: str, data_parameter: str) -> str:
    return f"Second file: {meaning[:1].lower()}{meaning[1:]}" if data_parameter == OTHER_DATA_PARAMETER else meaning
