"""Writes into a tool how its files are read, where a person said it: as parameters with what was said as defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from jupyter_mcpgen.authors.author import Contract, PlannedContract, WrittenContract
from jupyter_mcpgen.model.file_reading import SHEET, FileReading, reading_parameters, said_in
from jupyter_mcpgen.model.spec import DATA_PARAMETERS, ToolSpec

_VARIABLES = dict(zip(DATA_PARAMETERS, ("file_reading", "other_reading"), strict=True))


def read_by(contract: Contract, readings: Mapping[str, FileReading]) -> Contract:
    """Return a contract whose files are read as is said of each, by the parameter that names it."""
    match contract:
        case PlannedContract() | WrittenContract():
            return replace(contract, spec=_spec(contract.spec, readings))
        case _:
            assert_never(contract)


def _spec(spec: ToolSpec, readings: Mapping[str, FileReading]) -> ToolSpec:
    taken = {each.name for each in spec.parameters}
    added = [
        (parameter, schema)
        for data_parameter, reading in readings.items()
        if data_parameter in taken
        for parameter, schema in reading_parameters(reading, data_parameter)
        if parameter.name not in taken  # written code may call one of its own parameters so
    ]
    if not added:
        return spec
    properties = spec.input_schema["properties"] | {parameter.name: schema for parameter, schema in added}
    return spec.replace(
        parameters=(*spec.parameters, *(parameter for parameter, _ in added)),
        input_schema={**spec.input_schema, "properties": properties},
    )


def variables_of(spec: ToolSpec) -> dict[str, str]:
    """Return the variables that hold how files are read, by the parameters that name the files."""
    return {path: name for path, name in _VARIABLES.items() if said_in(spec, path)}


def assignments_of(spec: ToolSpec) -> list[str]:
    """Return the lines that give these variables their values."""
    return [f"{name} = Reading({_arguments(spec, path)})" for path, name in variables_of(spec).items()]


def helpers_for(spec: ToolSpec) -> tuple[str, ...]:
    """Return what a tool imports of `helpers.py` for that."""
    return (*(["Reading"] if variables_of(spec) else []), *(["read_as"] if notes_of(spec) else []))


def notes_of(spec: ToolSpec) -> list[str]:
    """Return what a report notes of how text files were read, as Python."""
    said = {path: set(said_in(spec, path)) - {SHEET} for path in DATA_PARAMETERS}
    return [f"*read_as({path}, {name})" for path, name in variables_of(spec).items() if said[path]]


def _arguments(spec: ToolSpec, path: str) -> str:
    values = {name: f"tuple({each})" if name == "missing" else each for name, each in said_in(spec, path).items()}
    return ", ".join(f"{name}={value}" for name, value in values.items())
