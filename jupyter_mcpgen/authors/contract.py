"""Derives a whole contract from the shape of a plan: parameters, schemas, documentation, limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_never

from jupyter_mcpgen.authors.author import PlannedContract
from jupyter_mcpgen.model.spec import DATA_PARAMETER, OTHER_DATA_PARAMETER, ToolParameter, ToolSpec
from jupyter_mcpgen.plan.emit.pandas_rows import emit_rows_used
from jupyter_mcpgen.plan.emit.pandas_statistics import emit_imports
from jupyter_mcpgen.plan.english import say_generally
from jupyter_mcpgen.plan.english_reshaping import do_reshaping, limit_of_reshaping
from jupyter_mcpgen.plan.english_sources import do_second, limits_of_second
from jupyter_mcpgen.plan.english_statistics import do_statistic, limits_of_statistic
from jupyter_mcpgen.plan.ops import (
    Aggregate,
    Derive,
    Describe,
    Distinct,
    Filter,
    Limit,
    Pivot,
    Rename,
    Resample,
    Select,
    Sort,
    Step,
    TopPerGroup,
    Window,
)
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.reshaping import Members, Unpivot
from jupyter_mcpgen.plan.shape import Shape
from jupyter_mcpgen.plan.slots import Parameter
from jupyter_mcpgen.plan.statistics import (
    Statistic,
)
from jupyter_mcpgen.plan.visible import name_in_words, visible

"""Steps that may be about groups of rows."""
_FORMATS = "CSV, Parquet, Arrow, JSON or a workbook."
"""What is described in one line: the lines of a tool are no longer than ours."""
FILE_PARAMETER = ToolParameter(
    name=DATA_PARAMETER,
    type="str",
    description=f"Path of the table: {_FORMATS}",
)
OTHER_PARAMETER = ToolParameter(
    name=OTHER_DATA_PARAMETER,
    type="str",
    description=f"Path of the second table: {_FORMATS}",
)
CAPABILITIES = ("cap:data.read",)
"""What every tool that is made from a plan may do; one that computes with more than pandas may import that as well."""
DEPENDENCIES = ("fastmcp", "pandas", "pyarrow", "pydantic")
_MOST_NAMED, _LONGEST_DEFAULT = 50, 200
_JSON_TYPES = {"int": "integer", "float": "number", "str": "string", "bool": "boolean"}

OUTPUT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "columns": {"type": "array", "items": {"type": "string"}},
        "rows": {"type": "array", "items": {"type": "object"}},
        "row_count": {"type": "integer", "minimum": 0},
        "rows_in": {"type": "integer", "minimum": 0},
        "rows_used": {
            "type": ["integer", "null"],
            "minimum": 0,
            "description": "Rows that meet the conditions and count, before a result is cut to its first ones; null "
            "where no one number says it.",
        },
        "without_value": {
            "type": "object",
            "additionalProperties": {"type": "integer"},
            "description": "How many of the rows used have no value in a measured column, and add nothing to it.",
        },
        "truncated": {"type": "boolean"},
        "result": {"type": "string", "description": "The result as Markdown with its JSON footer."},
    },
    "required": ["columns", "rows", "row_count", "result"],
}


def contract_of(shape: Shape, name: str) -> PlannedContract:
    """Return the contract of a shape under a name."""
    files = (FILE_PARAMETER,) if shape.plan.second is None else (FILE_PARAMETER, OTHER_PARAMETER)
    parameters = (*files, *_parameters(shape))
    used = "" if emit_rows_used(shape.plan) is None else " and were used"
    spec = ToolSpec(
        tool_name=name,
        description=_sentence(say_generally(shape.plan)),
        input_schema=_input_schema(parameters, {p.name: shape.least_columns(p) for p in shape.parameters}),
        output_schema=OUTPUT_SCHEMA,
        parameters=parameters,
        when_to_use=f"To get the {say_generally(shape.plan)}, for these or for other columns and values.",
        what_it_does="\n".join(f"{number}. {step}" for number, step in enumerate(_work(shape.plan), 1)),
        returns=(
            f"A Markdown table with the result, how many rows came in{used}, and a JSON footer with the same.\n"
            f"Columns for the default parameters: {_listed(shape.plan.result_schema.names)}."
        ),
        prerequisites=_prerequisites(shape),
    )
    return PlannedContract(
        spec=spec,
        shape=shape,
        capabilities=tuple(_capabilities(shape.plan)),
        dependencies=tuple(_dependencies(shape.plan)),
        limitations=tuple(dict.fromkeys(_limitations(shape.plan))),
    )


def _dependencies(plan: Plan) -> list[str]:
    return sorted({*DEPENDENCIES, *_packages(plan).intersection({"numpy", "scipy"})})


def _capabilities(plan: Plan) -> list[str]:
    return [*CAPABILITIES, *(["cap:python.scipy"] if "scipy" in _packages(plan) else [])]


def _packages(plan: Plan) -> set[str]:
    return {line.split()[1] for line in emit_imports(plan)}


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
    if parameter.type == "int":
        schema["minimum"] = 1
    schema["description"] = parameter.description
    stated = not parameter.required and _is_plain(parameter.default)
    return {**schema, "default": parameter.default} if stated else schema


def _work(plan: Plan) -> Iterator[str]:
    if plan.second is None:
        yield "Reads the table and checks that the columns exist."
    else:
        yield "Reads both tables and checks that the columns exist."
        yield do_second(plan.second)
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
            each = ", per group; rows without a group value are left out" if step.by.names else ""
            return (
                f"Computes count, missing values, mean, standard deviation and quartiles of each number column{each}."
            )
        case Distinct():
            return "Keeps each combination of the columns once."
        case TopPerGroup():
            return "Keeps the first rows of each group in the order asked for; rows without a group value are left out."
        case Window():
            return f"Computes the {step.function.value.replace('_', ' ')} of each row among the others."
        case Resample():
            functions = ", ".join(dict.fromkeys(measure.function.value for measure in step.measures))
            period = step.unit.value.removeprefix("start_of_")
            return f"Computes {functions} per {period}, from the first {period} to the last, also of empty ones."
        case Pivot():
            return f"Computes {step.measure.function.value} per group, in one column per value of a column."
        case Rename():
            return f"Calls a column {_quoted(step.name)}."
        case Unpivot() | Members():
            return do_reshaping(step)
        case _ if isinstance(step, Statistic):
            return do_statistic(step)
        case _:
            assert_never(step)


def _prerequisites(shape: Shape) -> str:
    columns = [p for p in shape.parameters if p.is_column]
    if shape.plan.second is not None:
        return _prerequisites_of_both(shape, columns)
    if not columns:
        return "The file exists and can be read as a table."
    named = ", ".join(f"`{parameter.name}`" for parameter in columns)
    return f"The file exists, can be read as a table, and has the columns given in {named}."


def _prerequisites_of_both(shape: Shape, columns: list[Parameter]) -> str:
    named = ", ".join(f"`{parameter.name}`" for parameter in columns)
    together = f", and have the columns given in {named} between them" if columns else ""
    return f"Both files exist, can be read as tables{together}."


def _limitations(plan: Plan) -> Iterator[str]:
    if plan.second is not None:
        yield from limits_of_second(plan.second)
    for step in plan.steps:
        if isinstance(step, Unpivot | Members):
            yield limit_of_reshaping(step)
        if isinstance(step, Statistic):
            yield from limits_of_statistic(step)


def _quoted(name: str) -> str:
    return f"`{name_in_words(name)}`"


def _listed(names: Sequence[str]) -> str:
    """Return names as words, of very many only the first."""
    shown = ", ".join(map(_quoted, names[:_MOST_NAMED]))
    return shown if len(names) <= _MOST_NAMED else f"{shown} and {len(names) - _MOST_NAMED} more"


def _is_plain(default: Any) -> bool:
    """Tell whether a default can stand in a schema, which models read and hardly a person: it hides nothing there."""
    texts = default if isinstance(default, list) else [default]
    return all(len(text) <= _LONGEST_DEFAULT and visible(text) == text for text in texts if isinstance(text, str))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
