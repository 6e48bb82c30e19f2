"""The author that reads a SELECT which a person wrote: nothing is guessed, and it is computed as it stands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from sqlglot import exp

from jupyter_mcpgen.authors.drafting import Drafting
from jupyter_mcpgen.authors.selects import granted, planned
from jupyter_mcpgen.data.named_files import file_and_table, is_folder_of_tables
from jupyter_mcpgen.errors import NotUnderstood
from jupyter_mcpgen.model.diagnostics import Diagnostics
from jupyter_mcpgen.model.intent import Intent, ReadBy
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.request import DataKind, DataRef, Request
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.plan.from_sql import Flaw, check_select, files_by_name, tables_named, without_rounding
from jupyter_mcpgen.plan.from_sql.nodes import bare

_ALL_DIGITS = "ROUND only changes how a number is shown, so the result has all digits."
_NOTHING = "A division by zero gives a missing value."
_READING = "The rows of the SELECT that you wrote"


class Coder(Protocol):
    """Writes code for a SELECT that no plan holds."""

    def code_for(self, statement: exp.Query, reading: str, request: Request, tables: tuple[Profile, ...]) -> Understood:
        """Return the SELECT beside code that computes the same; raises a `ModelError`."""
        ...

    def code_instead(
        self, intent: Intent, request: Request, profile: Profile, other: Profile | None = None
    ) -> Understood:
        """Return the SELECT that a plan was read from beside code, in the plan's place; raises a `ModelError`."""
        ...

    def repair(
        self,
        intent: WrittenIntent,
        diagnostics: Diagnostics,
        request: Request,
        profile: Profile,
        other: Profile | None = None,
    ) -> WrittenIntent | None:
        """Return the intent with repaired code; raises a `ModelError`."""
        ...


class SelectAuthor(Drafting):
    """Reads a SELECT into a plan; where no plan holds it, a language model writes the code, if there is one."""

    name = "sql"

    def __init__(self, coder: Coder | None) -> None:
        self._coder = coder

    def understand(self, request: Request, profile: Profile, other: Profile | None = None) -> Understood:
        """Read the SELECT that was asked; raises `NotUnderstood` with what is wrong with it."""
        tables = (profile, *((other,) if other is not None else ()))
        sql = files_by_name(request.question, _files(request, tables))
        statement = check_select(sql, granted(tables))
        if isinstance(statement, Flaw):
            raise NotUnderstood(statement.reason)
        whole = without_rounding(statement)
        notes = tuple(_notes(statement, whole))
        intent = planned(whole, request, tables, ReadBy.SQL, notes)
        if isinstance(intent, Intent):
            return intent.replace(own=intent.own.replace(reading=_READING)) if intent.own is not None else intent
        if self._coder is None:
            raise NotUnderstood(
                f"This SELECT cannot be turned into pandas code here. {intent.reason} "
                "A language model can write the code: `%mcpgen model` shows how to add one."
            )
        written = self._coder.code_for(whole, _READING, request, tables)
        return written.replace(read_by=ReadBy.SQL, assumptions=(*notes, *written.assumptions))

    def code_instead(
        self, intent: Intent, request: Request, profile: Profile, other: Profile | None = None
    ) -> Understood:
        """Have the model write code for the SELECT, if there is one."""
        if self._coder is None:
            return intent
        return self._coder.code_instead(intent, request, profile, other).replace(read_by=ReadBy.SQL)

    def repair(
        self,
        intent: WrittenIntent,
        diagnostics: Diagnostics,
        request: Request,
        profile: Profile,
        other: Profile | None = None,
    ) -> WrittenIntent | None:
        """Have the model repair the code, if there is one."""
        return None if self._coder is None else self._coder.repair(intent, diagnostics, request, profile, other)


def _notes(statement: exp.Query, whole: exp.Query) -> Iterator[str]:
    """Yield in what the answer differs from what DuckDB would print."""
    if whole != statement:
        yield _ALL_DIGITS
    if any(not isinstance(bare(each.expression), exp.Literal | exp.Nullif) for each in whole.find_all(exp.Div)):
        yield _NOTHING


def _files(request: Request, tables: tuple[Profile, ...]) -> dict[str, str]:
    """Return the tables that the paths in a SELECT mean, by the path as it is written."""
    named = tables_named(request.question)
    refs = [ref for ref in (request.data, request.other) if ref is not None]
    known = [(ref, table.name) for ref, table in zip(refs, tables, strict=False)]
    paths = () if isinstance(named, Flaw) else named
    return {path: name for path in paths for ref, name in reversed(known) if _means(path, ref)}


def _means(written: str, ref: DataRef) -> bool:
    """Tell whether a path is that of a table: the same file, or its name alone where no other file is there."""
    named, sheet = file_and_table(written)
    path = Path(named).expanduser()
    if path.is_file() or is_folder_of_tables(named):
        is_same = ref.kind is DataKind.FILE and path.resolve() == Path(ref.origin).resolve()
        return is_same and (sheet is None or (ref.packed is not None and ref.packed.sheet == sheet))
    return written == ref.name
