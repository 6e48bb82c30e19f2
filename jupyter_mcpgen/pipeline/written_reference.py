"""The references of written drafts: SQL that somebody wrote apart from the code, or nothing, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.data.invented import rounded
from jupyter_mcpgen.data.synthetic import Case, synthesize
from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.model.spec import ToolParameter
from jupyter_mcpgen.model.validation import TWO_WAYS, Evidence, Place, Verdict
from jupyter_mcpgen.pipeline.agreement import same_rows
from jupyter_mcpgen.pipeline.charts import chart_of
from jupyter_mcpgen.pipeline.columns_used import columns_told, varied_columns
from jupyter_mcpgen.pipeline.generated import (
    LARGE_ROWS,
    ROWS,
    SEED,
    SMALL,
    SMALL_ROWS,
    Tables,
    as_complete,
    as_invented,
)
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.reference import Expected
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.variations import relations_of, variations_of
from jupyter_mcpgen.pipeline.workbench import PlacedTool, call_all, table_in, unpacked, what_went_wrong
from jupyter_mcpgen.plan.ops import ChartKind
from jupyter_mcpgen.plan.reading import SETTINGS as MEANT_SETTINGS
from jupyter_mcpgen.sandbox.capabilities import DATA_READ
from jupyter_mcpgen.sandbox.job import Answer
from jupyter_mcpgen.toolkit.vendor import helpers_source

if TYPE_CHECKING:
    import pandas as pd

_QUERY = '''"""Computes one query over the tables of a call; nothing else can be reached from it."""

import duckdb
import pyarrow
from helpers import load_csv_data_with_types

SQL = {sql!r}
NAMES = {names!r}
CONNECTION = duckdb.connect(config={settings!r})


def query(**paths):
    """Return the rows of the query."""
    for name, path in zip(NAMES, paths.values()):
        CONNECTION.register(name, pyarrow.Table.from_pandas(load_csv_data_with_types(path), preserve_index=False))
    return CONNECTION.execute(SQL).df()
'''
_MAY = (DATA_READ, "cap:python.duckdb")
_SETTINGS = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "threads": "1",
    **MEANT_SETTINGS,
}


@dataclass(frozen=True)
class Rows:
    """What a query gave: its rows, or why there are none."""

    table: pd.DataFrame | None
    wrong: str = ""


@dataclass(frozen=True)
class SqlReference:
    """One query over the tables by their names; it runs in the sandbox, because somebody else wrote it.

    `is_ordered` tells whether the query puts its rows in an order.
    """

    sql: str
    is_ordered: bool
    services: Services
    drawn_as: ChartKind | None = None
    parameters: tuple[ToolParameter, ...] = ()
    origin: str = (
        "The expected rows were computed by DuckDB from SQL that was written apart from the code in `tool.py`."
    )
    computes: bool = True

    def first_result(self, material: Material) -> pd.DataFrame | None:
        """Return nothing: the query runs beside the code."""
        return None

    def evidence(self, answer: Answer, result: pd.DataFrame, material: Material) -> tuple[Evidence, ...]:
        """Say whether the code and the query agree on the person's data."""
        rows = self.rows_on(material)
        if rows.table is None:
            sentence = f"Calculation not checked: {rows.wrong}."
            return (Evidence(check=TWO_WAYS, verdict=Verdict.NOT_RUN, sentence=sentence),)
        difference = self._difference(result, rows)
        if difference is not None:
            sentence = f"Calculation check failed: the code and the SQL disagree, {difference}."
            return (Evidence(check=TWO_WAYS, verdict=Verdict.FAILED, sentence=sentence),)
        sentence = "Calculation checked: code and SQL, written apart, agree."
        return (Evidence(check=TWO_WAYS, verdict=Verdict.PASSED, sentence=sentence, place=Place.LINE),)

    def effects(self, files: Sequence[str], material: Material) -> tuple[Evidence, ...]:
        """Say which files the code could read, and which it left."""
        return (files_touched(files, material),)

    def difference_on(self, result: pd.DataFrame, material: Material) -> str | None:
        """Return how a result on the person's data differs from the query's, None where it does not."""
        return self._difference(result, self.rows_on(material))

    def rows_on(self, material: Material) -> Rows:
        """Return what the query gives on the person's data."""
        try:
            return self._computed([material.paths], material)[0]
        except SandboxError as error:
            return Rows(None, f"the SQL could not be run: {error}")

    def rows_of(self, given: Sequence[Tables], material: Material) -> list[Rows]:
        """Return what the query gives on each of the generated tables."""
        with TemporaryDirectory(prefix="cases-", dir=self.services.workspace) as place:
            paths = [tables.written(Path(place), str(number)) for number, tables in enumerate(given)]
            return self._computed(paths, material)

    def rows_everywhere(self, given: Sequence[Tables], material: Material) -> list[Rows]:
        """Return what the query gives on the person's data, then on each of the generated tables, in one run."""
        with TemporaryDirectory(prefix="cases-", dir=self.services.workspace) as place:
            paths = [tables.written(Path(place), str(number)) for number, tables in enumerate(given)]
            return self._computed([material.paths, *paths], material)

    def cases(self, material: Material) -> dict[Case, Tables]:
        """Return a table of each kind, of all columns: which of them the code reads is not known."""
        return cases_of(material)

    def refused(self, tables: Tables) -> dict[str, Tables]:
        """Return no tables: what the code needs is not known."""
        return {}

    def small(self, material: Material) -> dict[str, Tables]:
        """Return a small table of each kind, of all columns."""
        return small_of(material)

    def expected(self, given: Sequence[Tables], material: Material) -> list[Expected | None]:
        """Compute the query over each of the tables."""
        rows = self.rows_of(given, material)
        return [None if each.table is None else Expected(each.table, self.is_ordered) for each in rows]

    def differences(
        self, given: Sequence[Tables], results: Sequence[pd.DataFrame | None], material: Material
    ) -> list[str | None]:
        """Compute the query over each of the tables and compare."""
        found = self.rows_of(given, material)
        return [
            None if result is None else self._difference(result, rows)
            for result, rows in zip(results, found, strict=True)
        ]

    def _difference(self, result: pd.DataFrame, rows: Rows) -> str | None:
        if rows.table is None:
            return rows.wrong
        return same_rows(result, rows.table, is_ordered=self.is_ordered)

    def variations(self, tables: Tables) -> dict[str, Tables]:
        """Return the typical tables, changed where nothing may change."""
        return {**variations_of(tables), **varied_columns(tables, self.parameters)}

    def elsewhere(self, material: Material) -> dict[str, Tables]:
        """Return no tables: `variations` rename the columns that the code takes by name."""
        return {}

    def relations(
        self, base: pd.DataFrame | None, varied: Mapping[str, pd.DataFrame | None], tables: Tables
    ) -> tuple[Evidence, ...]:
        """Say what the result depends on."""
        told = () if base is None else columns_told(base, varied, tables, self.parameters)
        return (*relations_of(base, varied), *told)

    def planted_faults(
        self, cases: Mapping[Case, Tables], material: Material, clock: Callable[[], float], seconds: float
    ) -> tuple[Evidence, ...]:
        """Say nothing: faults are planted in plans."""
        return ()

    def labelled(self, table: Table) -> Table:
        """Return a result as it is: its columns have the names that the code gave them."""
        return table

    def chart(self, result: pd.DataFrame) -> dict[str, Any] | None:
        """Draw the result as what was asked for, where its columns fit."""
        return chart_of(result, self.drawn_as)

    def _computed(self, calls: Sequence[dict[str, str]], material: Material) -> list[Rows]:
        names = [material.profile.name, *([material.other.profile.name] if material.other is not None else [])]
        source = _QUERY.format(sql=self.sql, names=names, settings=_SETTINGS)
        package = Package(files={"tool.py": source, "helpers.py": helpers_source()})
        with unpacked(package, self.services.workspace) as folder:
            tool = PlacedTool(folder, "query", _MAY)
            run = call_all(self.services.sandbox, tool, tuple(calls), self.services.limits)
        answers: list[Answer | None] = [*run.answers, *[None] * (len(calls) - len(run.answers))]
        found: list[Rows] = []
        for answer in answers:
            wrong = what_went_wrong(run, answer)
            if answer is None or wrong is not None:
                found.append(Rows(None, f"the SQL gave no result, {wrong}"))
            else:
                found.append(Rows(table_in(answer, self.services.limits)))
        return found


@dataclass(frozen=True)
class NoReference:
    """Nothing computes the answer a second time; the card says so, and approval needs to be confirmed."""

    reason: str
    drawn_as: ChartKind | None = None
    parameters: tuple[ToolParameter, ...] = ()
    origin: str = (
        "Nothing computed the result a second time. So these tests say only that the tool runs, which columns it "
        "gives, that it gives the same twice, and what was worked out by hand where examples were given."
    )
    computes: bool = False
    is_ordered: bool = False

    def first_result(self, material: Material) -> pd.DataFrame | None:
        """Return nothing."""
        return None

    def evidence(self, answer: Answer, result: pd.DataFrame, material: Material) -> tuple[Evidence, ...]:
        """Say that the calculation was not checked independently."""
        sentence = f"Not checked independently: {self.reason.rstrip('.')}."
        return (Evidence(check=TWO_WAYS, verdict=Verdict.NOT_APPLICABLE, sentence=sentence, place=Place.LINE),)

    def effects(self, files: Sequence[str], material: Material) -> tuple[Evidence, ...]:
        """Say which files the code could read, and which it left."""
        return (files_touched(files, material),)

    def cases(self, material: Material) -> dict[Case, Tables]:
        """Return a table of each kind, on which the code must not fail in another way than with an error it reports."""
        return cases_of(material)

    def refused(self, tables: Tables) -> dict[str, Tables]:
        """Return no tables."""
        return {}

    def small(self, material: Material) -> dict[str, Tables]:
        """Return a small table of each kind, of all columns."""
        return small_of(material)

    def expected(self, given: Sequence[Tables], material: Material) -> list[Expected | None]:
        """Return nothing for each of the tables."""
        return [None for _ in given]

    def differences(
        self, given: Sequence[Tables], results: Sequence[pd.DataFrame | None], material: Material
    ) -> list[str | None]:
        """Return no differences: there is nothing to differ from."""
        return [None for _ in given]

    def variations(self, tables: Tables) -> dict[str, Tables]:
        """Return the typical tables, changed where nothing may change."""
        return {**variations_of(tables), **varied_columns(tables, self.parameters)}

    def elsewhere(self, material: Material) -> dict[str, Tables]:
        """Return no tables: `variations` rename the columns that the code takes by name."""
        return {}

    def relations(
        self, base: pd.DataFrame | None, varied: Mapping[str, pd.DataFrame | None], tables: Tables
    ) -> tuple[Evidence, ...]:
        """Say what the result depends on."""
        told = () if base is None else columns_told(base, varied, tables, self.parameters)
        return (*relations_of(base, varied), *told)

    def planted_faults(
        self, cases: Mapping[Case, Tables], material: Material, clock: Callable[[], float], seconds: float
    ) -> tuple[Evidence, ...]:
        """Say nothing: faults are planted in plans."""
        return ()

    def labelled(self, table: Table) -> Table:
        """Return a result as it is."""
        return table

    def chart(self, result: pd.DataFrame) -> dict[str, Any] | None:
        """Draw the result as what was asked for, where its columns fit."""
        return chart_of(result, self.drawn_as)


def files_touched(files: Sequence[str], material: Material) -> Evidence:
    """Say which files a run could read, which the sandbox settles, and which it left."""
    named = " and ".join(f"`{each.name}`" for each in (material, material.other) if each is not None)
    left = ", ".join(f"`{Path(path).name}`" for path in files)
    sentence = f"Of your files the code could read {named} alone, and left {left or 'none'}."
    return Evidence(check="files_touched", verdict=Verdict.PASSED, sentence=sentence)


def cases_of(material: Material) -> dict[Case, Tables]:
    """Return a generated table of each kind with all columns, and one for the second table if there is one.

    A column that has a value in every row of the person's table has one in every row of these.
    """
    return as_complete(
        {case: _synthesized(material, LARGE_ROWS if case is Case.LARGE else ROWS, case) for case in Case}, material
    )


def small_of(material: Material) -> dict[str, Tables]:
    """Return small tables of invented values with all columns; texts are written as those of the person's columns."""
    made_up = as_invented(material, {}, {})
    tables = {case: _synthesized(made_up, SMALL_ROWS, case).map(lambda frame: rounded(frame, {})) for case in SMALL}
    return {case.value: given for case, given in as_complete(tables, made_up).items()}


def _synthesized(material: Material, rows: int, case: Case) -> Tables:
    other = material.other
    return Tables(
        synthesize(material.profile.schema_, material.profile, rows, SEED, case),
        None if other is None else synthesize(other.profile.schema_, other.profile, rows, SEED, case),
    )
