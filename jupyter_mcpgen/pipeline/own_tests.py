"""The tests that travel with a tool: what the reference gives on small invented tables, written as a pytest file.

The rows expected are never those of the code under test. The code is run on the tables before the file is written, so
that a tool whose own tests would fail is not approved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from jupyter_mcpgen.authors.testing import BY_HAND, EXACT, Call, OwnTests, Result, rows_of, write_tests
from jupyter_mcpgen.data.synthetic import Case
from jupyter_mcpgen.data.with_columns import with_columns
from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.model.package import TESTS, Package
from jupyter_mcpgen.model.spec import ToolSpec
from jupyter_mcpgen.model.tool import CHANGES, FIGURES
from jupyter_mcpgen.model.validation import Evidence, GateResult, ValidationReport, Verdict
from jupyter_mcpgen.pipeline.agreement import first_difference, same_rows
from jupyter_mcpgen.pipeline.draft import Computed, Draft
from jupyter_mcpgen.pipeline.examples import expected_of, is_same_by_hand, tables_of
from jupyter_mcpgen.pipeline.generated import MISSING_COLUMN, Tables
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.reference import Expected, Reference
from jupyter_mcpgen.pipeline.references import reference_of
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.workbench import PlacedTool, call_all, result_in, unpacked, what_went_wrong
from jupyter_mcpgen.sandbox.capabilities import FILES_WRITE
from jupyter_mcpgen.sandbox.job import Answer

if TYPE_CHECKING:
    import pandas as pd

CHECK = "own_tests"
_NAMES = {
    Case.TYPICAL.value: "ordinary_rows",
    Case.EMPTY.value: "a_table_without_rows",
    Case.SINGLE_ROW.value: "one_row",
    Case.NULLS.value: "missing_values",
    Case.DUPLICATES.value: "every_row_twice",
    Case.TIES.value: "ties",
    Case.NEGATIVE.value: "numbers_below_zero",
}
_INVENTED = "The tables are invented: no row is from the data that the tool was made for."


@dataclass(frozen=True)
class Tested:
    """The text of the tests, and whether the code passes them; no text where they could not be made."""

    text: str | None
    evidence: Evidence
    milliseconds: float = 0.0


@dataclass(frozen=True)
class _Given:
    """One small table, what the reference gives on it, and what the code gave."""

    name: str
    tables: Tables
    expected: Expected | None
    result: pd.DataFrame | None
    wrong: str | None
    is_value: bool
    is_example: bool
    rows_in: object
    rows_used: object
    """What the code says of the rows that it read and used."""

    @property
    def test(self) -> str:
        """What the test is called."""
        return _NAMES.get(self.name, self.name)

    @property
    def title(self) -> str:
        """What a sentence calls it."""
        return f"`test_{self.test}`"

    def expected_result(self) -> Result | None:
        """Return the result to test for: none where the code gives another one, or one that no test compares."""
        if self.result is None or self.expected is None:
            return None
        table = _called_alike(self.expected.table, self.result)
        if table is None or (self.is_value and table.shape != (1, 1)) or not self._gives(table):
            return None
        return Result(
            columns=tuple(map(str, table.columns)),
            rows=rows_of(table),
            is_ordered=self.expected.is_ordered,
            rows_in=self.expected.rows_in,
            rows_used=self.expected.rows_used,
            totals=self.expected.totals,
            tolerance=BY_HAND if self.is_example else EXACT,
        )

    def miscounted(self) -> str | None:
        """Say where the code counts other rows than the reference."""
        if self.expected is None or self.wrong is not None:
            return None
        for what, told, counted in (
            ("read", self.rows_in, self.expected.rows_in),
            ("used", self.rows_used, self.expected.rows_used),
        ):
            if counted is not None and told != counted:
                return f"the tool says that it {what} {told} rows, but SQL counts {counted}"
        return None

    def _gives(self, table: pd.DataFrame) -> bool:
        """Tell whether the code gives these rows, as the tests compare them."""
        if self.result is None:
            return False
        if self.is_example:
            return is_same_by_hand(table, self.result)
        if self.expected is not None and self.expected.is_ordered:
            return first_difference(self.result, table) is None
        return same_rows(self.result, table, is_ordered=False) is None


def with_tests(
    computed: Computed, tested: Tested | None, report: ValidationReport
) -> tuple[Computed, ValidationReport]:
    """Add its tests to the package of a tool that passed the gates, and to the report that it passes them."""
    if tested is None or not report.passed:
        return computed, report
    told = tested.evidence
    gate = GateResult(gate=CHECK, verdict=told.verdict, blocking=True, milliseconds=tested.milliseconds)
    report = report.replace(evidence=(*report.evidence, told), gates=(*report.gates, gate))
    if tested.text is None:
        return computed, report
    package = Package(files={**computed.draft.package.files, TESTS: tested.text})
    return replace(computed, draft=replace(computed.draft, package=package)), report


def own_tests(computed: Computed, services: Services) -> Tested | None:
    """Return the tests of a tool; None for one that gave no result, whose code may be such that nobody may run it."""
    if computed.trial.result is None:
        return None
    begin = services.seconds()
    tested = _tested(computed, computed.trial.result, services)
    return replace(tested, milliseconds=round((services.seconds() - begin) * 1000, 1))


def _tested(computed: Computed, result: pd.DataFrame, services: Services) -> Tested:
    draft, material = computed.draft, computed.material
    columns = tuple(map(str, result.columns))
    reference = reference_of(draft, services)
    small = reference.small(material)
    refused = reference.refused(small[Case.TYPICAL.value])
    try:
        given, refuses = _tried(draft, reference, _told_apart(small), refused, material, services)
    except SandboxError as error:
        told = f"The tool's own tests could not be run: {error}"
        return Tested(None, Evidence(check=CHECK, verdict=Verdict.NOT_RUN, sentence=told))
    wrong = next(_wrong(given, reference, material), None)
    if wrong is not None:
        told = f"The tool fails a test of its own: {wrong.rstrip('.')}."
        return Tested(None, Evidence(check=CHECK, verdict=Verdict.FAILED, sentence=told))
    contract, calls = draft.contract, tuple(_calls(given, columns))
    if not calls:
        told = "It has no tests of its own, because nothing could be computed on small invented tables."
        return Tested(None, Evidence(check=CHECK, verdict=Verdict.NOT_APPLICABLE, sentence=told))
    text = write_tests(
        OwnTests(
            spec=contract.spec,
            origin=f"{_INVENTED}\n{reference.origin}",
            calls=calls,
            refused=tuple(Call(name, refused[name].both) for name in refuses if name != MISSING_COLUMN),
            missing=_lacking(small[Case.TYPICAL.value], refused[MISSING_COLUMN]) if MISSING_COLUMN in refuses else None,
            is_report=_gives_report(contract.spec),
            is_repeatable=CHANGES not in contract.capabilities,
            leaves_files=bool({FIGURES, FILES_WRITE}.intersection(contract.capabilities)),
        )
    )
    number = len(calls) + len(refuses)
    told = f"Does what its `{TESTS}` expects, on each of the {number} small tables there."
    return Tested(text, Evidence(check=CHECK, verdict=Verdict.PASSED, sentence=told, figure=number))


def _told_apart(small: Mapping[str, Tables]) -> dict[str, Tables]:
    """Return the tables without those that are like an earlier one, such as gaps where no column may have any."""
    kept: dict[str, Tables] = {}
    for name, tables in small.items():
        if not any(tables.is_like(other) for other in kept.values()):
            kept[name] = tables
    return kept


def _tried(
    draft: Draft,
    reference: Reference,
    small: Mapping[str, Tables],
    refused: Mapping[str, Tables],
    material: Material,
    services: Services,
) -> tuple[list[_Given], tuple[str, ...]]:
    """Return what reference and code give on each table, where the reference gives anything, and what is refused."""
    contract, limits = draft.contract, services.limits
    examples = _examples(draft, material)
    called = {**small, **{name: given for name, (given, _) in examples.items()}}
    with (
        unpacked(draft.package, services.workspace) as folder,
        TemporaryDirectory(prefix="cases-", dir=services.workspace) as place,
    ):
        calls = tuple(given.written(Path(place), name) for name, given in {**called, **refused}.items())
        tool = PlacedTool(folder, contract.spec.tool_name, contract.capabilities)
        run = call_all(services.sandbox, tool, calls, limits)
    answers = [*run.answers, *[None] * (len(calls) - len(run.answers))]
    wrongs = [what_went_wrong(run, answer) for answer in answers]
    results = [
        result_in(answer, limits) if answer is not None and wrong is None else None
        for answer, wrong in zip(answers, wrongs, strict=True)
    ]
    tables = list(small.values())
    expected = [*reference.expected(tables, material), *(each for _, each in examples.values())]
    given = [
        _Given(
            name,
            each,
            expected[n],
            results[n],
            wrongs[n],
            _is_value(answers[n]),
            name in examples,
            *_counted(answers[n]),
        )
        for n, (name, each) in enumerate(called.items())
        if expected[n] is not None or not reference.computes
    ]
    refuses = zip(refused, answers[len(called) :], strict=True)
    return given, tuple(name for name, answer in refuses if answer is not None and answer.details.get("error"))


def _wrong(given: list[_Given], reference: Reference, material: Material) -> Iterator[str]:
    """Yield where the code fails or gives something else; of rows that nearly tie the reference itself judges."""
    yield from (f"{each.title}, {each.wrong}" for each in given if each.wrong is not None)
    yield from (f"{each.title}, {said}" for each in given if (said := each.miscounted()) is not None)
    unlike = [e for e in given if e.expected is not None and not e.is_example and e.expected_result() is None]
    if unlike:
        differences = reference.differences([e.tables for e in unlike], [e.result for e in unlike], material)
        yield from (f"{e.title}, {said}" for e, said in zip(unlike, differences, strict=True) if said is not None)


def _counted(answer: Answer | None) -> tuple[object, object]:
    details = {} if answer is None else answer.details
    return details.get("rows_in"), details.get("rows_used")


def _is_value(answer: Answer | None) -> bool:
    return answer is not None and answer.has_value


def _calls(given: list[_Given], columns: tuple[str, ...]) -> Iterator[Call]:
    """Yield the tests; a table on which computed numbers nearly tie is left out, as which row comes first is open."""
    for each in given:
        result = _only_columns(each, columns) if each.expected is None else each.expected_result()
        if result is not None or each.expected is None:
            yield Call(each.test, each.tables.both, each.tables.arguments, result)


def _only_columns(each: _Given, columns: tuple[str, ...]) -> Result | None:
    is_like_the_answer = each.result is not None and tuple(map(str, each.result.columns)) == columns
    return Result(columns, None) if is_like_the_answer and not each.is_value else None


def _called_alike(expected: pd.DataFrame, result: pd.DataFrame) -> pd.DataFrame | None:
    """Return the expected rows under the names that the code gives; who wrote them may have called them otherwise."""
    import pandas as pd  # deferred: 300 ms

    names = list(result.columns)
    if len(names) != len(expected.columns):
        return None
    if set(names) == set(expected.columns) and result.columns.is_unique:
        expected = expected[names]
    else:
        expected = expected.set_axis(names, axis="columns")
    texts = [name for name in result.select_dtypes("datetime").columns if expected[name].dtype != result[name].dtype]
    return with_columns(expected, {name: pd.to_datetime(expected[name]) for name in texts})


def _examples(draft: Draft, material: Material) -> dict[str, tuple[Tables, Expected]]:
    """Return the examples that somebody worked out, but for those that hold a row of the person's data."""
    found: dict[str, tuple[Tables, Expected]] = {}
    for number, example in enumerate(draft.examples, 1):
        tables, is_value = tables_of(example, material), not _gives_report(draft.contract.spec)
        expected = None if tables is None else expected_of(example, is_value=is_value)
        if tables is None or expected is None or _holds_row_of(material, tables.frame):
            continue
        found[f"example_{number}"] = replace(tables, arguments=example.arguments), Expected(expected, is_ordered=False)
    return found


def _holds_row_of(material: Material, table: pd.DataFrame) -> bool:
    return not set(rows_of(table)).isdisjoint(rows_of(material.columns(list(table.columns))))


def _lacking(tables: Tables, refused: Tables) -> str:
    """Return the column that the refused tables lack."""
    pairs = zip(tables.both, refused.both, strict=True)
    return next(str(name) for mine, theirs in pairs for name in mine.columns if name not in theirs.columns)


def _gives_report(spec: ToolSpec) -> bool:
    return "columns" in spec.output_schema.get("properties", {})
