"""Derives a whole contract from the shape of a plan: parameters, schemas, documentation, limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, assert_never

from jupyter_mcpgen.authors.author import Contract
from jupyter_mcpgen.model.spec import ToolParameter, ToolSpec
from jupyter_mcpgen.plan.english import say_generally
from jupyter_mcpgen.plan.ops import Aggregate, Derive, Describe, Filter, Limit, Select, Sort, Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.shape import Shape

FILE_PARAMETER = ToolParameter(
    name="file_path",
    type="str",
    description="Path of the table: CSV, TSV, Parquet, Feather or JSON.",
)
CAPABILITIES = ("cap:data.read",)
DEPENDENCIES = ("fastmcp", "pandas", "pyarrow", "pydantic")
_JSON_TYPES = {"int": "integer", "float": "number", "str": "string", "bool": "boolean"}

OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "columns": {"type": "array", "items": {"type": "string"}},
        "rows": {"type": "array", "items": {"type": "object"}},
        "row_count": {"type": "integer", "minimum": 0},
        "rows_in": {"type": "integer", "minimum": 0},
        "truncated": {"type": "boolean"},
        "result": {"type": "string", "description": "The result as Markdown with its JSON footer."},
    },
    "required": ["columns", "rows", "row_count", "result"],
}


def contract_of(shape: Shape, name: str) -> Contract:
    """Return the contract of a shape under a name."""
    parameters = (FILE_PARAMETER, *_parameters(shape))
    spec = ToolSpec(
        tool_name=name,
        description=_sentence(say_generally(shape.plan)),
        input_schema=_input_schema(parameters, {p.name: shape.least_columns(p) for p in shape.parameters}),
        output_schema=OUTPUT_SCHEMA,
        parameters=parameters,
        when_to_use=f"To get the {say_generally(shape.plan)}, for these or for other columns and values.",
        what_it_does="\n".join(f"{number}. {step}" for number, step in enumerate(_work(shape.plan), 1)),
        returns=(
            "A Markdown table with the result, how many rows came in, and a JSON footer with the same rows.\n"
            f"Columns for the default parameters: {', '.join(map(_quoted, shape.plan.result_schema.names))}."
        ),
        prerequisites=_prerequisites(shape),
    )
    return Contract(
        spec=spec,
        shape=shape,
        capabilities=CAPABILITIES,
        dependencies=DEPENDENCIES,
        limitations=tuple(_limitations(shape.plan)),
    )


def _parameters(shape: Shape) -> Iterator[ToolParameter]:
    for parameter in shape.parameters:
        default = list(parameter.default) if isinstance(parameter.default, tuple) else parameter.default
        yield ToolParameter(
            name=parameter.name,
            type=parameter.type,
            description=parameter.description,
            required=False,
            default=default,
        )


def _input_schema(parameters: tuple[ToolParameter, ...], least: Mapping[str, int]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {parameter.name: _property(parameter, least.get(parameter.name, 1)) for parameter in parameters},
        "required": [parameter.name for parameter in parameters if parameter.required],
        "additionalProperties": False,
    }


def _property(parameter: ToolParameter, least: int) -> dict[str, Any]:
    inner = parameter.type.removeprefix("Sequence[").removesuffix("]")
    schema: dict[str, Any] = (
        {"type": "array", "items": {"type": _JSON_TYPES[inner]}}
        if parameter.type.startswith("Sequence[")
        else {"type": _JSON_TYPES[parameter.type]}
    )
    if parameter.type.startswith("Sequence["):
        schema["minItems"] = least
    if parameter.name.startswith("top"):
        schema["minimum"] = 1
    schema["description"] = parameter.description
    return schema if parameter.required else {**schema, "default": parameter.default}


def _work(plan: Plan) -> Iterator[str]:
    yield "Reads the table and checks that the columns exist."
    for step in plan.steps:
        yield _step_in_words(step)


def _step_in_words(step: Step) -> str:
    match step:
        case Filter():
            return "Keeps the rows that meet the condition; a missing value never meets one."
        case Derive():
            return f"Computes {_quoted(step.name)} for every row."
        case Select():
            return "Keeps the columns asked for."
        case Aggregate():
            functions = ", ".join(dict.fromkeys(measure.function.value for measure in step.measures))
            per = " per group; rows without a group value are left out" if step.by.names else " over all rows"
            return f"Computes {functions}{per}."
        case Sort():
            return "Orders the rows; equal rows keep their order, missing values come last."
        case Limit():
            return "Keeps the first rows."
        case Describe():
            return "Computes count, missing values, mean, standard deviation and quartiles of each number column."
        case _:
            assert_never(step)


def _prerequisites(shape: Shape) -> str:
    columns = [p for p in shape.parameters if p.is_column]
    if not columns:
        return "The file exists and can be read as a table."
    named = ", ".join(f"`{parameter.name}`" for parameter in columns)
    return f"The file exists, can be read as a table, and has the columns given in {named}."


def _limitations(plan: Plan) -> Iterator[str]:
    for step in plan.steps:
        if isinstance(step, Aggregate) and step.by.names:
            yield "Rows with a missing group value belong to no group; the card counts them."
        if isinstance(step, Filter):
            yield "Rows whose value is missing never meet a condition."
        if isinstance(step, Limit):
            yield "Rows that tie at the cut are decided by their order, so one of several equals may be left out."


def _quoted(name: str) -> str:
    return f"`{' '.join(name.split())}`"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
