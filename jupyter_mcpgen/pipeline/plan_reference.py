"""The reference of a planned draft: its plan, computed in SQL by the engine over the tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.data.parquet_tables import ParquetTable
from jupyter_mcpgen.data.synthetic import Case
from jupyter_mcpgen.errors import PlanError, ReferenceFailed, SandboxError
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.model.validation import TWO_WAYS, Evidence, Place, Verdict
from jupyter_mcpgen.pipeline.accounting import account, rows_said_in, rows_used, totals_of
from jupyter_mcpgen.pipeline.agreement import disagreement
from jupyter_mcpgen.pipeline.generated import SEED, Tables, refused_for, small_tables, tables_elsewhere, tables_for
from jupyter_mcpgen.pipeline.labels import labelled, titled, titles
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.mutation import plant_faults
from jupyter_mcpgen.pipeline.pair_accounting import account_second
from jupyter_mcpgen.pipeline.reference import Expected
from jupyter_mcpgen.pipeline.select_agreement import contradiction
from jupyter_mcpgen.pipeline.structured import rows_told
from jupyter_mcpgen.pipeline.ties import account_ties
from jupyter_mcpgen.pipeline.written_reference import Rows, SqlReference
from jupyter_mcpgen.plan.emit.pandas_rows import emit_rows_used
from jupyter_mcpgen.plan.ops import Sort, SortKey, TopPerGroup
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.reading import Reading
from jupyter_mcpgen.plan.shape import Shape
from jupyter_mcpgen.plan.slots import Parameter
from jupyter_mcpgen.plan.sources import Union
from jupyter_mcpgen.sandbox.job import Answer
from jupyter_mcpgen.toolkit.charts import vega_lite_chart

if TYPE_CHECKING:
    import pandas as pd

_MOST_DRAWN = 5
"""How often small tables are drawn: until the ordinary one has a result, but not for ever."""
_OTHER = 2
"""What a number of rows or groups is in a call with other arguments."""
_ANOTHER = "The SQL that the plan was read from gives another result"


@dataclass(frozen=True)
class PlanReference:
    """A plan, and the shape that it is bound from where there are other tables.

    `query` is what the plan was read from, if a model or a person wrote one: whether it was read right is seen where
    both give the same rows.
    """

    plan: Plan
    shape: Shape
    query: SqlReference | None = None
    ordered_by: tuple[SortKey, ...] = ()
    is_of_edit: bool = False
    """True where a person edited the code: it may read columns that the plan does not, and tells of no rows used."""
    computes: bool = True

    @property
    def origin(self) -> str:
        """Where the expected rows are from, as the tool's own tests say it."""
        file = "written.json" if self.is_of_edit else "plan.json"
        return f"The expected rows were computed by DuckDB from the plan in `{file}`, apart from the code in `tool.py`."

    @property
    def _needs_all(self) -> bool:
        return self.is_of_edit or self.query is not None

    @property
    def is_ordered(self) -> bool:
        """True for a plan that sorts."""
        return any(isinstance(step, Sort | TopPerGroup) for step in self.plan.steps)

    def first_result(self, material: Material) -> pd.DataFrame | None:
        """Return the rows that SQL gives of a table that stays in its file: the code has to load it."""
        if not isinstance(material.rows, ParquetTable):
            return None
        try:
            return material.engine.table(self.plan)
        except ReferenceFailed:
            return None  # the evidence says why

    def evidence(self, answer: Answer, result: pd.DataFrame, material: Material) -> tuple[Evidence, ...]:
        """Say whether pandas and SQL agree, whether totals add up, and where the rows went."""
        totals = self._totals(result, material)
        own = () if self.query is None else (self._read_right(material, self.query),)
        return (self._agreement(result, material), *own, *totals, *_counted(answer, totals))

    def effects(self, files: Sequence[str], material: Material) -> tuple[Evidence, ...]:
        """Say nothing: code that was made of a plan opens its tables and leaves no file."""
        return ()

    def cases(self, material: Material) -> dict[Case, Tables]:
        """Return a table of each kind, of the columns that the plan reads."""
        return tables_for(self.plan, material, every_column=self._needs_all)

    def refused(self, tables: Tables) -> dict[str, Tables]:
        """Return tables without a needed column, or with a key that repeats rows."""
        return refused_for(self.plan, tables)

    def small(self, material: Material) -> dict[str, Tables]:
        """Return a small table of each kind, drawn until the ordinary one has a result, and one for other numbers."""
        tables: dict[Case, Tables] = {}
        for seed in range(SEED, SEED + _MOST_DRAWN):
            tables = small_tables(self.plan, material, seed, every_column=self._needs_all)
            first = self.expected([tables[Case.TYPICAL]], material)[0]
            if first is not None and len(first.table) and first.table.iloc[:, -1].notna().any():
                break
        numbers = {p.name: _OTHER if p.default != _OTHER else _OTHER + 1 for p in self.shape.parameters if _counts(p)}
        others = {name: replace(tables[Case.TYPICAL], arguments={name: number}) for name, number in numbers.items()}
        return {
            **{case.value: given for case, given in tables.items()},
            **{f"another_{name}": given for name, given in others.items()},
        }

    def expected(self, given: Sequence[Tables], material: Material) -> list[Expected | None]:
        """Compute the plan over each of the tables, and account for their rows."""
        engine = Engine(given[0].frame, given[0].other)
        try:
            return [self._expected(tables, engine) for tables in given]
        finally:
            engine.close()

    def _expected(self, tables: Tables, engine: Engine) -> Expected | None:
        tables.load(engine)
        try:
            plan = tables.bound(self.shape)
            table = engine.table(plan)
            counts = not self.is_of_edit and emit_rows_used(self.shape.plan) is not None
            used, totals = rows_used(plan, table, engine) if counts else None, totals_of(plan, engine)
        except PlanError:
            return None  # a table or an argument that the plan cannot be about
        counted = tables.both if isinstance(plan.second, Union) else (tables.frame,)
        return Expected(
            table=table,
            is_ordered=self.is_ordered,
            rows_in=sum(map(len, counted)),
            rows_used=used,
            totals=totals,
        )

    def differences(
        self, given: Sequence[Tables], results: Sequence[pd.DataFrame | None], material: Material
    ) -> list[str | None]:
        """Compute the plan over each of the tables and compare."""
        engine = Engine(given[0].frame, given[0].other)
        theirs = self._rows_of_query(given, material)
        try:
            return [
                self._difference(tables, result, engine) or self._unlike_query(tables, rows, engine)
                for tables, result, rows in zip(given, results, theirs, strict=True)
            ]
        finally:
            engine.close()

    def _rows_of_query(self, given: Sequence[Tables], material: Material) -> list[Rows | None]:
        """Return what the query gives that the plan was read from; it knows no other arguments than its own."""
        asked = [] if self.query is None else [tables for tables in given if not tables.arguments]
        found = iter([] if self.query is None or not asked else self.query.rows_of(asked, material))
        return [None if self.query is None or tables.arguments else next(found) for tables in given]

    def _difference(self, tables: Tables, result: pd.DataFrame | None, engine: Engine) -> str | None:
        if result is None:
            return None
        tables.load(engine)
        try:
            return disagreement(result, tables.bound(self.shape), engine)
        except PlanError as error:
            return str(error)

    def contradiction(self, material: Material) -> str | None:
        """Return how the plan differs from the query that it was read from, on the data or on a generated table.

        A query that cannot be run says nothing of the plan.
        """
        if self.query is None:
            return None
        given = list(self.cases(material).values())
        try:
            own, *theirs = self.query.rows_everywhere(given, material)
        except SandboxError:
            return None
        if own.table is None:
            return None
        engine = Engine(given[0].frame, given[0].other)
        try:
            found = contradiction(own.table, Reading(self.plan, self.ordered_by), material.engine)
            for tables, rows in zip(given, theirs, strict=True):
                if found is None and rows.table is not None:
                    tables.load(engine)
                    found = contradiction(rows.table, Reading(tables.bound(self.shape), self.ordered_by), engine)
            return found
        except PlanError as error:
            return str(error)
        finally:
            engine.close()

    def _unlike_query(self, tables: Tables, rows: Rows | None, engine: Engine) -> str | None:
        """Return how the plan over some tables differs from the query that it was read from."""
        if rows is None:
            return None
        if rows.table is None:
            return f"{_ANOTHER}, {rows.wrong}"
        tables.load(engine)
        difference = contradiction(rows.table, Reading(tables.bound(self.shape), self.ordered_by), engine)
        return None if difference is None else f"{_ANOTHER}, {difference}"

    def variations(self, tables: Tables) -> dict[str, Tables]:
        """Return no tables: the plan says what the result depends on."""
        return {}

    def elsewhere(self, material: Material) -> dict[str, Tables]:
        """Return a table to call the tool on for other columns of the same types, where there are such."""
        return tables_elsewhere(self.shape, material)

    def relations(
        self, base: pd.DataFrame | None, varied: Mapping[str, pd.DataFrame | None], tables: Tables
    ) -> tuple[Evidence, ...]:
        """Say nothing."""
        return ()

    def planted_faults(
        self, cases: Mapping[Case, Tables], material: Material, clock: Callable[[], float], seconds: float
    ) -> tuple[Evidence, ...]:
        """Say whether the tables would show faults of the plan, and tell its statistic from every other."""
        return plant_faults(self.shape, cases, clock, seconds, small=lambda: self.small(material)).evidence()

    def labelled(self, table: Table) -> Table:
        """Return a result with titles for what the plan made."""
        return labelled(table, self.plan)

    def chart(self, result: pd.DataFrame) -> dict[str, Any] | None:
        """Draw the result on our side: what sandboxed code calls a chart could make the page fetch an address."""
        chart = self.plan.chart
        if chart is None:
            return None
        try:
            look: dict[str, Any] = chart.look.arguments
            drawn = vega_lite_chart(result, chart.kind.value, chart.x, chart.y or chart.x, color=chart.color, **look)
            return titled(drawn, titles(self.plan))
        except (KeyError, ValueError):
            return None  # a result without these columns did not agree with the reference; the table is there to see

    def _agreement(self, result: pd.DataFrame, material: Material) -> Evidence:
        try:
            difference = disagreement(result, self.plan, material.engine)
        except ReferenceFailed as error:
            sentence = f"Calculation not checked: {error}."
            return Evidence(check=TWO_WAYS, verdict=Verdict.NOT_RUN, sentence=sentence)
        if difference is not None:
            sentence = f"Calculation check failed: pandas and SQL disagree, {difference}."
            return Evidence(check=TWO_WAYS, verdict=Verdict.FAILED, sentence=sentence)
        sentence = "Calculation checked: pandas and SQL agree."
        return Evidence(check=TWO_WAYS, verdict=Verdict.PASSED, sentence=sentence, place=Place.LINE)

    def _read_right(self, material: Material, query: SqlReference) -> Evidence:
        """Say whether the plan gives what the query gives that it was read from."""
        rows = query.rows_on(material)
        reading = Reading(self.plan, self.ordered_by)
        difference = rows.wrong if rows.table is None else contradiction(rows.table, reading, material.engine)
        if difference is not None:
            sentence = f"{_ANOTHER}, {difference}."
            return Evidence(check="own_query", verdict=Verdict.FAILED, sentence=sentence)
        sentence = "The SQL that the plan was read from gives the same rows."
        return Evidence(check="own_query", verdict=Verdict.PASSED, sentence=sentence)

    def _totals(self, result: pd.DataFrame, material: Material) -> tuple[Evidence, ...]:
        try:
            return (*_accounts(self.plan, result, material.engine), *account_ties(self.plan, material.engine))
        except (PlanError, KeyError, TypeError, ValueError) as error:
            sentence = f"The control totals could not be computed: {error}."
            return (Evidence(check="totals", verdict=Verdict.NOT_RUN, sentence=sentence),)


def _accounts(plan: Plan, result: pd.DataFrame, engine: Engine) -> tuple[Evidence, ...]:
    return (*account_second(plan, engine), *account(plan, result, engine))


def _counts(parameter: Parameter) -> bool:
    return parameter.type == "int"


def _counted(answer: Answer, totals: tuple[Evidence, ...]) -> tuple[Evidence, ...]:
    """Say where a tool counts other rows than the reference does; its clients read no card, only this number."""
    if any(item.check == "totals" and item.verdict is Verdict.NOT_RUN for item in totals):
        return ()  # the reference counted nothing, which is said already
    told, counted = rows_told(answer), rows_said_in(totals)
    if told is None or told == counted:
        return ()
    sentence = f"The tool says that it used {told:,} rows, but SQL counts {counted}."
    return (Evidence(check="rows_used", verdict=Verdict.FAILED, sentence=sentence),)
