"""Writes the files of a tool from its contract: `tool.py` as an expert would write it, and what goes with it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import indent

from jupyter_mcpgen.analysis.layout import formatted
from jupyter_mcpgen.authors.author import PlannedContract
from jupyter_mcpgen.authors.reading_files import assignments_of, helpers_for, notes_of, variables_of
from jupyter_mcpgen.authors.templating import default_of, environment, literal_of, note_of
from jupyter_mcpgen.authors.two_tables import helpers_in, key_parameters, loading
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.spec import OTHER_DATA_PARAMETER
from jupyter_mcpgen.plan.columns import (
    added_up,
    averaged_columns,
    parsed,
    parsed_columns,
    reads_only_named,
    reshaped_columns,
    summed_columns,
    used_columns,
)
from jupyter_mcpgen.plan.emit.pandas import emit_chart, emit_pandas
from jupyter_mcpgen.plan.emit.pandas_arguments import argument_checks
from jupyter_mcpgen.plan.emit.pandas_rows import emit_rows_used
from jupyter_mcpgen.plan.emit.pandas_statistics import emit_imports
from jupyter_mcpgen.plan.reshaping import Unpivot
from jupyter_mcpgen.plan.shape import Shape
from jupyter_mcpgen.plan.slots import Parameter
from jupyter_mcpgen.plan.sources import Union
from jupyter_mcpgen.toolkit.vendor import helpers_source


def write_package(contract: PlannedContract) -> Package:
    """Return the package of a contract."""
    return Package(
        files={
            "tool.py": formatted(_tool(contract)),
            "helpers.py": helpers_source(),
            "spec.json": contract.spec.model_dump_json(indent=2) + "\n",
            "plan.json": contract.shape.model_dump_json(indent=2) + "\n",
            "requirements.txt": "".join(f"{name}\n" for name in contract.dependencies),
            "__init__.py": f'"""The tool `{contract.spec.tool_name}`; see `tool.py`."""\n',
        }
    )


def _tool(contract: PlannedContract) -> str:
    shape, spec = contract.shape, contract.spec
    required = _required(shape)
    summed = [column.parameter or literal_of(column.name) for column in summed_columns(shape.plan)]
    read_so = variables_of(spec)
    both = loading(shape.plan, required, summed, read_so)
    used = emit_rows_used(shape.plan)
    return (
        environment()
        .get_template("tool.py.jinja")
        .render(
            spec=spec,
            parameters=shape.parameters,
            default=default_of,
            body=emit_pandas(shape.plan),
            used=used,
            used_parameters=[] if used is None else _named_in(used.body, shape),
            imports=emit_imports(shape.plan),
            chart=emit_chart(shape.plan),
            checks=[*_checks(shape), *argument_checks(shape.plan)],
            required=required,
            reads_only_required=bool(required) and reads_only_named(shape.plan),
            summed=summed,
            averaged=[] if both else [each.parameter or literal_of(each.name) for each in averaged_columns(shape.plan)],
            parsed=[] if both else [*map(literal_of, parsed_columns(shape.plan))],
            periods=list(_periods(shape)),
            both=both,
            readings=assignments_of(spec),
            read_so=read_so,
            notes=[*_notes(shape), *notes_of(spec)],
            helpers=sorted({*_helpers(shape, both), *helpers_for(spec)}),
            stacked=isinstance(shape.plan.second, Union),
            uses_sequence=any(parameter.type.startswith("Sequence") for parameter in spec.parameters),
        )
    )


def _notes(shape: Shape) -> Iterator[str]:
    if shape.plan.second is not None:
        yield f'f"{OTHER_DATA_PARAMETER}: {{{OTHER_DATA_PARAMETER}}}"'
    yield from map(note_of, shape.parameters)


def _helpers(shape: Shape, both: list[str]) -> Iterator[str]:
    """Yield what the tool imports of `helpers.py`."""
    yield from ("Report", "load_csv_data_with_types", "validate_file_and_columns", *helpers_in(both))
    if (summed_columns(shape.plan) and not both) or any(periods.is_summed for periods in _periods(shape)):
        yield "validate_sums"
    if averaged_columns(shape.plan) and not both:
        yield "validate_numbers"
    if (parsed_columns(shape.plan) and not both) or any(periods.is_parsed for periods in _periods(shape)):
        yield "validate_texts"
    if shape.plan.chart is not None:
        yield "vega_lite_chart"


@dataclass(frozen=True)
class _Periods:
    """How the names of columns are written that become rows, what to say without any, and what is done with them."""

    pattern: str
    missing: str
    is_summed: bool
    is_parsed: bool


def _periods(shape: Shape) -> Iterator[_Periods]:
    for place, step in enumerate(shape.plan.steps):
        if isinstance(step, Unpivot):
            example = step.columns(shape.plan.schema_at(place))[0]
            missing = (
                f"No column is called by a {step.names.form.unit}, as `{example}` is. Name a file with such columns."
            )
            is_parsed = step.value in parsed(shape.plan)
            is_summed = step.value in added_up(shape.plan) and not is_parsed
            yield _Periods(step.names.pattern, missing, is_summed, is_parsed)


def _named_in(body: str, shape: Shape) -> list[Parameter]:
    """Return the parameters that a body names."""
    named = {
        node.id for node in ast.walk(ast.parse(f"def body():\n{indent(body, '    ')}")) if isinstance(node, ast.Name)
    }
    return [parameter for parameter in shape.parameters if parameter.name in named]


def _required(shape: Shape) -> list[str]:
    """Return how to write the columns that the tool needs: its parameters, then the names that stay fixed."""
    keys = key_parameters(shape.plan.second)
    columns = [p for p in shape.parameters if p.is_column and p.name not in keys]
    by_default = {name for p in columns for name in (p.default if isinstance(p.default, tuple) else (p.default,))}
    fixed = sorted(used_columns(shape.plan) - by_default - {*reshaped_columns(shape.plan)})
    return [*(f"*{p.name}" if isinstance(p.default, tuple) else p.name for p in columns), *map(literal_of, fixed)]


def _checks(shape: Shape) -> Iterator[tuple[str, str]]:
    """Yield when an argument cannot be used, and what to say then."""
    for parameter in shape.parameters:
        if parameter.type == "int":
            yield f"{parameter.name} < 1", f"`{parameter.name}` must be at least 1."
        elif isinstance(parameter.default, tuple):
            least = shape.least_columns(parameter)
            what = "column" if parameter.is_column else "value"
            condition = f"isinstance({parameter.name}, str) or len({parameter.name}) < {least}"
            yield condition, f"`{parameter.name}` must be a list of at least {least} {what}{'s' if least > 1 else ''}."
