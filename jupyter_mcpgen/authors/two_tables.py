"""Writes how a tool with a second file loads and checks both tables before its work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from jupyter_mcpgen.model.spec import DATA_PARAMETER, OTHER_DATA_PARAMETER
from jupyter_mcpgen.plan.columns import columns_of_figures, summed_of_figures, used_columns
from jupyter_mcpgen.plan.expressions import Col
from jupyter_mcpgen.plan.ops import Measure
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.repeats import weighed_measures
from jupyter_mcpgen.plan.sources import Join, JoinKind, Relation, Second, Summary, Union

_HELPERS = (
    "allow_missing",
    "validate_columns_of_both",
    "validate_keys",
    "validate_new_columns",
    "validate_sums",
    "validate_sums_of_both",
)


def loading(
    plan: Plan, required: Sequence[str], summed: Sequence[str], read_so: Mapping[str, str] = MappingProxyType({})
) -> list[str]:
    """Return the lines that read `df` and `other`; `required` and `summed` are columns of the table made of both.

    All names are written as Python, each a parameter or a literal; so is how a file is read, by its parameter.
    """
    second = plan.second
    if second is None:
        return []
    if isinstance(second, Summary):
        return _loading_figures(second, required, summed, read_so)
    keys = _keys(second)
    if isinstance(second, Union) and not used_columns(plan) & set(second.only_in_one):
        keys = {name: name for name in required}  # what both tables had when the tool was made, both must have
    both = isinstance(second, Union) or second.how.adds_columns
    suffix = f", suffix={second.suffix!r}" if isinstance(second, Join) and both else ""
    first_needed = [*keys, *(_of_first(plan) if both else required)]
    lines = [
        _validated(DATA_PARAMETER, first_needed, read_so),
        _validated(OTHER_DATA_PARAMETER, keys.values(), read_so),
        f"df = {_loaded(DATA_PARAMETER, read_so, with_gaps=isinstance(second, Union) or second.how is JoinKind.OUTER)}",
        f"other = {_loaded(OTHER_DATA_PARAMETER, read_so, with_gaps=both)}",
    ]
    if isinstance(second, Join):
        named = ", ".join(f"{first}: {other}" for first, other in keys.items())
        lines.append(f"validate_keys(df, other, {{{named}}}{_once(second)})")
    if both and required:
        lines.append(f"validate_columns_of_both(df, other, [{', '.join(required)}]{suffix})")
    if summed:
        lines.append(f"validate_sums_of_both(df, other, [{', '.join(summed)}]{suffix})")
    return lines


def _loading_figures(
    second: Summary, required: Sequence[str], summed: Sequence[str], read_so: Mapping[str, str]
) -> list[str]:
    """Return the lines for a second table whose figures stand beside the first; `required` are columns of that one."""
    keys = _keys(second)
    of_figures = map(_written, columns_of_figures(second))
    named = ", ".join(f"{first}: {other}" for first, other in keys.items())
    lines = [
        _validated(DATA_PARAMETER, [*keys, *required], read_so),
        _validated(OTHER_DATA_PARAMETER, [*keys.values(), *of_figures], read_so),
        f"df = {_loaded(DATA_PARAMETER, read_so, with_gaps=False)}",
        f"other = {_loaded(OTHER_DATA_PARAMETER, read_so, with_gaps=True)}",
        f"validate_keys(df, other, {{{named}}}{_once(second)})",
        f"validate_new_columns(df, [{', '.join(map(_name_of_figure, second.figures))}])",
    ]
    for table, columns in (("df", summed), ("other", [*map(_written, summed_of_figures(second))])):
        if columns:
            lines.append(f"validate_sums({table}, [{', '.join(columns)}])")
    return lines


def _name_of_figure(figure: Measure) -> str:
    parameter = figure.column.parameter if figure.column is not None and figure.label is None else None
    return repr(figure.name) if parameter is None else f'f"{figure.stem}_{{{parameter}}}"'


def helpers_in(lines: Sequence[str]) -> list[str]:
    """Return which of the toolkit's functions for two tables some lines call."""
    return [name for name in _HELPERS if any(f"{name}(" in line for line in lines)]


def _of_first(plan: Plan) -> list[str]:
    """Return the figures' columns that must be of the first table: rows of the second may repeat, and count again."""
    if not isinstance(plan.second, Join) or plan.second.relation is not Relation.MANY_TO_ONE:
        return []
    columns = [measure.column for measure in weighed_measures(plan) if measure.column is not None]
    return [_written(column) for column in columns if column.name in plan.second.first_schema.names]


def key_parameters(second: Second | None) -> frozenset[str]:
    """Return the parameters that name a key, or a column of a figure: it is looked for in its own file."""
    pairs = () if second is None or isinstance(second, Union) else second.keys
    columns = [column for pair in pairs for column in (pair.first, pair.second)]
    columns += columns_of_figures(second) if isinstance(second, Summary) else ()
    return frozenset(column.parameter for column in columns if column.parameter is not None)


def _keys(second: Second) -> dict[str, str]:
    if isinstance(second, Union):
        return {}
    return {_written(pair.first): _written(pair.second) for pair in second.keys}


def _written(column: Col) -> str:
    return column.parameter or repr(column.name)


def _validated(path: str, columns: Iterable[str], read_so: Mapping[str, str]) -> str:
    written = "".join(f", {each}" for each in (read_so.get(path),) if each is not None)
    return f"validate_file_and_columns({path}, [{', '.join(dict.fromkeys(columns))}]{written})"


def _loaded(path: str, read_so: Mapping[str, str], *, with_gaps: bool) -> str:
    written = f", reading={read_so[path]}" if path in read_so else ""
    loaded = f"load_csv_data_with_types({path}{written})"
    return f"allow_missing({loaded})" if with_gaps else loaded


def _once(join: Join | Summary) -> str:
    first = ", once_in_first=True" if join.relation.first_is_unique else ""
    is_grouped = isinstance(join, Summary)
    second = ", once_in_second=True" if join.relation.second_is_unique and not is_grouped else ""
    return first + second
