"""The code of a tool keeps the promises of its spec, one difference at a time."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.analysis.contract import check_contract
from jupyter_mcpgen.model.spec import ToolSpec

CHANGES = [
    ("a renamed function", "def sum_by_group", "def other", {"tool-function", "extra-tool"}),
    ("a second definition", "if __name__", "def sum_by_group():\n    pass\n\n\nif __name__", {"tool-function"}),
    ("an async tool", "def sum_by_group", "async def sum_by_group", {"tool-async"}),
    ("no decorator", "@mcp.tool()\n", "", {"tool-decorator"}),
    ("a bare decorator", "@mcp.tool()", "@mcp.tool", {"tool-decorator"}),
    ("a decorator with a name", "@mcp.tool()", '@mcp.tool(name="x")', {"tool-decorator"}),
    ("two decorators", "@mcp.tool()", "@mcp.tool()\n@wraps", {"tool-decorator"}),
    ("a second tool", "def analyze", "@mcp.tool()\ndef analyze", {"extra-tool"}),
    ("a second tool by call", "if __name__", "mcp.tool()(analyze)\nif __name__", {"extra-tool"}),
    ("a resource", "if __name__", "mcp.add_resource(analyze)\nif __name__", {"extra-tool"}),
    ("no server", 'mcp = FastMCP("sum_by_group")', "", {"tool-server"}),
    ("two servers", "if __name__", 'mcp = FastMCP("x")\nif __name__', {"tool-rebound"}),
    ("the function replaced", "if __name__", "sum_by_group = analyze\nif __name__", {"tool-rebound"}),
    ("a parameter renamed", "    limit: Annotated", "    top: Annotated", {"parameters"}),
    ("keyword-only parameters", "    limit: Annotated", "    *,\n    limit: Annotated", {"parameters"}),
    ("variadic parameters", " = 10,\n", " = 10,\n    **more: str,\n", {"parameters-variadic"}),
    ("another type", "Annotated[int", "Annotated[float", {"parameter-annotation"}),
    ("another description", "How many groups.", "How many.", {"parameter-annotation"}),
    ("a constraint nobody approved", 'groups.")]', 'groups.", ge=1)]', {"parameter-annotation"}),
    (
        "no annotation",
        'limit: Annotated[int, Field(description="How many groups.")]',
        "limit",
        {"parameter-annotation"},
    ),
    ("another default", " = 10", " = 11", {"parameter-default"}),
    ("a default of another type", " = 10", " = 10.0", {"parameter-default"}),
    ("a default that is computed", " = 10", " = 5 + 5", {"parameter-default"}),
    ("a default for a required one", 'table.")],', 'table.")] = "x",', {"parameter-default"}),
    ("no return type", ") -> str:", "):", {"return-type"}),
    ("another return type", ") -> str:", ") -> dict:", {"return-type"}),
    ("no summary", '"""Sum a column by groups.\n\n    WHEN', '"""WHEN', {"docstring-summary"}),
    ("a missing section", "    RETURNS:\n    A table.\n", "", {"docstring-section"}),
    ("a section twice", "    RETURNS:", "    RETURNS:\n    A table.\n    RETURNS:", {"docstring-section-twice"}),
    ("an empty section", "    A table.\n", "", {"docstring-section-empty"}),
    ("another text in a section", "A table.", "A list.", {"docstring-section-differs"}),
    ("code that does not parse", "def analyze", "def (", {"syntax-error"}),
]


def rules(source: str, spec: ToolSpec) -> set[str]:
    """Return the rules that a source breaks against a spec."""
    return {finding.rule for finding in check_contract(source, spec)}


def test_a_tool_that_keeps_its_spec_has_no_findings(tool: str, spec: ToolSpec) -> None:
    """The expert's tool passes."""
    assert check_contract(tool, spec) == ()


@pytest.mark.parametrize(("old", "new", "expected"), [c[1:] for c in CHANGES], ids=[c[0] for c in CHANGES])
def test_each_difference_is_named(tool: str, spec: ToolSpec, old: str, new: str, expected: set[str]) -> None:
    """One change to the code breaks the rule that names it, and no other."""
    assert old in tool

    assert rules(tool.replace(old, new, 1), spec) == expected


def test_a_tool_without_a_docstring_is_refused(tool: str, spec: ToolSpec) -> None:
    """The four sections are the tool's manual."""
    head, _, rest = tool.partition('"""Sum a column by groups.\n\n    WHEN')
    body = rest.partition('"""')[2]

    assert rules(head + body, spec) == {"docstring"}


def test_quotes_blanks_and_line_breaks_do_not_count(tool: str, spec: ToolSpec) -> None:
    """The same annotation in another layout is the same."""
    same = tool.replace('Field(description="How many groups.")', "Field( description = 'How many '\n    'groups.' )")

    assert rules(same, spec) == set()


def test_a_heading_may_carry_its_text(tool: str, spec: ToolSpec) -> None:
    """Text on the line of its heading belongs to the section."""
    assert rules(tool.replace("RETURNS:\n    A table.", "RETURNS: A table."), spec) == set()


def test_every_finding_of_the_contract_says_its_gate(spec: ToolSpec) -> None:
    """The report sorts findings by gate."""
    broken = check_contract("def f(:", spec) + check_contract("x = 1", spec)

    assert {finding.gate for finding in broken} == {"contract"}


SCHEMAS = [
    ("not an object", {"type": "array"}),
    ("a property too few", {"properties": {"file_path": {"type": "string"}}}),
    ("nothing required", {"required": []}),
    ("too much required", {"required": ["file_path", "limit"]}),
]


@pytest.mark.parametrize("change", [c[1] for c in SCHEMAS], ids=[c[0] for c in SCHEMAS])
def test_an_input_schema_that_does_not_fit_the_parameters_is_named(
    tool: str, spec: ToolSpec, change: dict[str, object]
) -> None:
    """The schema a client sees is the signature the code has."""
    changed = spec.replace(input_schema={**spec.input_schema, **change})

    assert {finding.rule for finding in check_contract(tool, changed)} == {"input-schema"}


PROPERTIES = [
    ("another type", "limit", {"type": "string"}),
    ("not nullable", "group_by_columns", {"type": "array"}),
    ("another description", "limit", {"type": "integer", "description": "x"}),
    ("another default", "limit", {"type": "integer", "default": 11}),
    ("a default for a required one", "file_path", {"type": "string", "default": "x"}),
]


@pytest.mark.parametrize(("name", "schema"), [p[1:] for p in PROPERTIES], ids=[p[0] for p in PROPERTIES])
def test_a_property_that_does_not_fit_its_parameter_is_named(
    tool: str, spec: ToolSpec, name: str, schema: dict[str, object]
) -> None:
    """Types, descriptions and defaults are the parameter's."""
    properties = {**spec.input_schema["properties"], name: schema}
    changed = spec.replace(input_schema={**spec.input_schema, "properties": properties})

    assert {finding.rule for finding in check_contract(tool, changed)} == {"input-schema"}


def test_a_type_list_in_a_schema_is_read_like_any_of(tool: str, spec: ToolSpec) -> None:
    """JSON Schema has two spellings of a nullable type."""
    nullable = {"type": ["array", "null"], "items": {"type": "string"}}
    properties = {**spec.input_schema["properties"], "group_by_columns": nullable}
    changed = spec.replace(input_schema={**spec.input_schema, "properties": properties})

    assert check_contract(tool, changed) == ()


def test_an_output_schema_must_describe_an_object(tool: str, spec: ToolSpec) -> None:
    """Structured content is an object on the wire."""
    changed = spec.replace(output_schema={"type": "string"})

    assert [finding.rule for finding in check_contract(tool, changed)] == ["output-schema"]
