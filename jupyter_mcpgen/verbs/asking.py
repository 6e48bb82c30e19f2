"""`ask`: a question in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_mcpgen.answer import answer_to
from jupyter_mcpgen.data.lazy_frames import is_lazy
from jupyter_mcpgen.data.named_files import table_stem
from jupyter_mcpgen.model.request import DataKind, DataRef, ReadOptions
from jupyter_mcpgen.nl.joining.hints import columns_named
from jupyter_mcpgen.nl.why import Why
from jupyter_mcpgen.pipeline.course import Course
from jupyter_mcpgen.readers import Reader
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.server.data_folders import remember_table
from jupyter_mcpgen.settings import state_folder
from jupyter_mcpgen.verbs.commands import OPTIONS_OF_A_QUESTION, OPTIONS_OF_A_TABLE
from jupyter_mcpgen.verbs.finding import Found, column_names, find_tables, in_sheet, tables_in
from jupyter_mcpgen.verbs.reading_options import reading_options
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import Typed, UsageError, split_options

if TYPE_CHECKING:
    import pandas as pd

FIRST_ROWS = 100
"""How many rows are shown of a table of which only the name was typed."""


def why(words: Sequence[str], runtime: Runtime, namespace: Mapping[str, object]) -> Said:
    """Say how a question is understood, or with no words the latest one.

    It is `why [--data NAME|PATH] [--sheet SHEET] [--with NAME|PATH] [QUESTION]`.
    """
    told = _understood(split_options(words, OPTIONS_OF_A_TABLE), runtime, namespace)
    readings = "\n".join(f"| {each.cost:.2f} | {each.reading} |" for each in told.readings)
    taken = "\n".join(f"| {each.words} | {each.meaning} | {each.cost:.2f} |" for each in told.taken)
    parts = [
        f"**{told.outcome}**{': ' + told.message if told.message else ''}",
        f"Interpretations (a lower score is more certain):\n\n| score | interpretation |\n|---|---|\n{readings}",
        f"What the words may mean:\n\n| words | meaning | score |\n|---|---|---|\n{taken}",
    ]
    return Said(text="\n\n".join(parts))


def _understood(typed: Typed, runtime: Runtime, namespace: Mapping[str, object]) -> Why:
    """Return how the question is understood that was typed, or that was asked last."""
    last = runtime.unanswered
    if last is not None and not typed.words and not typed.options:
        return runtime.why(last.data, last.question, last.other)
    if not typed.words and runtime.latest_table is None:
        raise UsageError("There is no question yet. Ask one, or add it after `why`.")
    found = _tables(typed, runtime, namespace)
    reference = runtime.reference(found.name, found.variable)
    return runtime.why(reference, found.question if typed.words else None, _other(found, runtime))


def ask(words: Sequence[str], runtime: Runtime, namespace: Mapping[str, object], course: Course | None = None) -> Said:
    """Answer a question: `[--data NAME|PATH] [--sheet SHEET] [--with NAME|PATH] [--name TOOL] … question`."""
    typed = split_options(words, OPTIONS_OF_A_QUESTION)
    reader = reader_named(typed.options.get("author"))
    if not typed.words:
        raise UsageError("Ask a question after `ask`, for example `how many rows are there by month in df`.")
    found = _tables(typed, runtime, namespace)
    reference, other = runtime.reference(found.name, found.variable, course), _other(found, runtime, course)
    for named in (reference, other):
        if named is not None and named.kind is DataKind.FILE:
            remember_table(state_folder() / "server", Path(named.origin))
    if other is None and found.question.strip("`'\" ?.!") in (
        found.name,
        table_stem(found.name),
    ):
        return _first_rows(found, runtime.rows_of(reference))
    variables = {each.name: each.variable for each in (found, found.other) if each is not None}
    answer = answer_to(
        runtime,
        found.question,
        reference,
        other,
        name=typed.options.get("name"),
        variables={name: value for name, value in variables.items() if value is not None},
        follow=True,
        reader=reader,
        course=course,
    )
    helps = _other_table_that_helps(found, reference, namespace, runtime) if answer.refusal is not None else None
    return Said(answer=answer, text=helps or "", ok=answer.is_sound)


def question_and_tables(
    words: Sequence[str], runtime: Runtime, namespace: Mapping[str, object]
) -> tuple[str, DataRef, DataRef | None]:
    """Return the question that was typed and the tables that it is about."""
    typed = split_options(words, OPTIONS_OF_A_TABLE)
    if not typed.words:
        raise UsageError("Add the question, for example `how many rows are there by month in df`.")
    found = _tables(typed, runtime, namespace)
    return found.question, runtime.reference(found.name, found.variable), _other(found, runtime)


def reader_named(name: str | None) -> Reader:
    """Return who is to read a question; raises `UsageError` that lists them."""
    if name is None:
        return Reader.LADDER
    if name not in list(Reader):
        raise UsageError(f"`--author {name}` is not known. Choose {', '.join(f'`{each}`' for each in Reader)}.")
    return Reader(name)


def _first_rows(found: Found, rows: pd.DataFrame) -> Said:
    """Show the first rows of a table of which only the name was typed, and what can be asked of it."""
    numbers = [str(name) for name in rows.select_dtypes("number").columns]
    labels = [str(name) for name in rows.columns if str(name) not in numbers]
    first = f"; here are the first {FIRST_ROWS}" if len(rows) > FIRST_ROWS else ""
    example = f"{f'average {numbers[-1]}' if numbers else 'number of rows'}{f' by {labels[0]}' if labels else ''}"
    text = (
        f"`{found.question}` has {len(rows):,} rows{first}. Ask about it, for example: `{example} in {found.name}`. "
        f"`explore {found.name}` shows what its columns hold."
    )
    return Said(text=text, frame=rows.head(FIRST_ROWS))


def _tables(typed: Typed, runtime: Runtime, namespace: Mapping[str, object]) -> Found:
    """Find the tables that were named in options or in the question, or that the latest question was about."""
    data, second = (typed.options.get(name) for name in ("data", "with"))
    latest, language = (runtime.latest_table, runtime.latest_other_table), runtime.settings.planner.language
    found = find_tables(typed.text, data, namespace, *latest, second, language)
    return read_so(in_sheet(found, typed.options.get("sheet")), reading_options(typed.options), runtime)


def read_so(found: Found, options: ReadOptions | None, runtime: Runtime) -> Found:
    """Return what was found, after it was remembered how a person says that its file is written."""
    if options is not None:
        if found.variable is not None:
            raise UsageError(f"`{found.name}` is a variable; how a text file is written says nothing of it.")
        runtime.read_so(found.name, options)
    return found


def _other(found: Found, runtime: Runtime, course: Course | None = None) -> DataRef | None:
    """Refer to the second table that a question names, if it names one."""
    return None if found.other is None else runtime.reference(found.other.name, found.other.variable, course)


def _other_table_that_helps(
    found: Found, reference: DataRef, namespace: Mapping[str, object], runtime: Runtime
) -> str | None:
    """Return which other variable has a column that the question names, and the join that would help.

    A lazy table is left out: nobody asked for its rows.
    """
    if found.other is not None:
        return None
    for name, table in tables_in(namespace).items():
        if name != found.name and not is_lazy(table) and columns_named(found.question, column_names(table)):
            helps = runtime.join_that_helps(found.question, reference, runtime.reference(name, table))
            if helps is not None:
                return helps
    return None
