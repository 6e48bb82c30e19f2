"""The parameters of a tool become arguments of a command, and no text of them becomes anything else."""

from __future__ import annotations

import argparse
import json
from typing import Any

import pytest

from jupyter_mcpgen.build.command_line import command_line
from jupyter_mcpgen.model.spec import ToolParameter
from tests.builders import spec

HOSTILE = "'); __import__('os').system('x') #\n%(prog)s \x1b[2J"


def parsed(schemas: dict[str, Any], typed: list[str], description: str = "What it is") -> dict[str, Any]:
    """Return what a command line gives for parameters of these schemas; the first one is required."""
    names = list(schemas)
    contract = spec(
        input_schema={"type": "object", "properties": schemas},
        parameters=tuple(
            ToolParameter(name=name, type="object", description=description, required=not place)
            for place, name in enumerate(names)
        ),
    )
    parser = argparse.ArgumentParser()
    for line in command_line(contract).arguments:
        exec(line, {"parser": parser, "argparse": argparse, "json": json})  # noqa: S102  what a command does
    parser.format_help()
    return vars(parser.parse_args(typed))


@pytest.mark.parametrize(
    ("schema", "typed", "value"),
    [
        ({"type": "string"}, ["--x", "a b"], "a b"),
        ({"type": ["string", "null"]}, ["--x", ";"], ";"),
        ({"type": "integer"}, ["--x", "3"], 3),
        ({"type": ["integer", "null"]}, ["--x", "3"], 3),
        ({"type": ["integer", "null"]}, ["--x", "null"], None),
        ({"type": "number"}, ["--x", "2.5"], 2.5),
        ({"type": "boolean"}, ["--no-x"], False),
        ({"type": "array", "items": {"type": "string"}}, ["--x", "a", "b"], ["a", "b"]),
        ({"type": "array", "items": {"type": "integer"}}, ["--x", "1", "2"], [1, 2]),
        ({"type": "object"}, ["--x", '{"a": [1]}'], {"a": [1]}),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, ["--x", "null"], None),
    ],
)
def test_a_text_is_read_by_the_schema_of_its_parameter(schema: dict[str, Any], typed: list[str], value: object) -> None:
    assert parsed({"file_path": {"type": "string"}, "x": schema}, ["data.csv", *typed]) == {
        "file_path": "data.csv",
        "x": value,
    }


def test_what_is_left_out_is_left_to_the_tool() -> None:
    assert parsed({"file_path": {"type": "string"}, "x": {"type": "integer"}}, ["data.csv"]) == {
        "file_path": "data.csv"
    }


def test_a_description_is_text_whatever_it_says() -> None:
    assert parsed({"a": {"type": "string"}}, ["--a", "1"], HOSTILE) == {"a": "1"}


def test_the_option_for_the_form_of_the_result_is_free() -> None:
    taken = spec(parameters=(ToolParameter(name="format", type="str", description="which"),))

    assert (command_line(spec()).written_as, command_line(taken).written_as) == ("format", "output_format")
