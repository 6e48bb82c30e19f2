"""`sql`: a SELECT that a person writes or pastes, in place of a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jupyter_mcpgen.answer import answer_to
from jupyter_mcpgen.data.named_files import is_table_there
from jupyter_mcpgen.errors import UnknownData
from jupyter_mcpgen.pipeline.course import Course
from jupyter_mcpgen.readers import Reader
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.finding import tables_in
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import UsageError, split_options

_MOST_TABLES = 2


def sql(words: Sequence[str], runtime: Runtime, namespace: Mapping[str, object], course: Course | None = None) -> Said:
    """Answer a SELECT: `[--data NAME|PATH] [--with NAME|PATH] [--name TOOL] SELECT …`.

    Its tables are variables, or files: `FROM 'data/sales.csv'`, or `FROM sales` with `--data data/sales.csv`.
    """
    typed = split_options(words, ("data", "with", "name"), leading=True)
    if not typed.words:
        raise UsageError("Add a SELECT after `sql`, for example `sql SELECT count(*) FROM df`.")
    variables = tables_in(namespace)
    given = [typed.options[name] for name in ("data", "with") if name in typed.options]
    names = given or _tables(typed.text, variables)
    data, *others = (runtime.reference(name, variables.get(name), course) for name in names)
    answer = answer_to(
        runtime,
        typed.text,
        data,
        others[0] if others else None,
        name=typed.options.get("name"),
        variables={name: variables[name] for name in names if name in variables},
        reader=Reader.SQL,
        course=course,
    )
    return Said(answer=answer, ok=answer.is_sound)


def _tables(statement: str, variables: Mapping[str, object]) -> list[str]:
    """Return the variables and files that a SELECT reads; raises `UnknownData` for another name."""
    from jupyter_mcpgen.plan.from_sql import Flaw, tables_named  # deferred: 180 ms, and no question needs it

    named = tables_named(statement)
    if isinstance(named, Flaw):
        raise UsageError(named.reason)
    if not named:
        raise UsageError("This SELECT reads no table. Name a variable or a file after `FROM`.")
    if len(named) > _MOST_TABLES:
        raise UsageError(f"A SELECT can read two tables here, and this one reads {len(named)}. Join two of them first.")
    for name in named:
        if name not in variables and not is_table_there(name):
            raise UnknownData(name, variables)
    return list(named)
