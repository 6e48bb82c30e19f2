"""The tests in a tool's package run with pytest alone, pass for the tool, and fail for one with a fault in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.analysis.lint import check_lint
from jupyter_mcpgen.authors.drafting import Drafting
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.example import Example
from jupyter_mcpgen.model.intent import intent_of
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.second import NoSecond, Second
from jupyter_mcpgen.model.validation import ValidationReport, Verdict
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.pipeline.draft import Computed, Staged
from jupyter_mcpgen.pipeline.own_tests import own_tests, with_tests
from jupyter_mcpgen.plan.ops import Step
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import keep
from tests.plans import (
    column,
    condition,
    derive,
    describe,
    distinct,
    group,
    limit,
    number,
    parse,
    part,
    pivot,
    rate,
    resample,
    select,
    sort,
    top,
    totals,
    where,
    window,
)
from tests.products import new_runtime
from tests.second_tables import Way, join, plan_over, summary, union
from tests.statistic_plans import statistic

LOADS = pd.DataFrame(
    {
        "quarry": ["Nordhang", "Nordhang", "Suedwand", "Suedwand", "Suedwand", None, "Westbruch"],
        "stone": ["slate", "chalk", "slate", "chalk", "tuff", "tuff", "slate"],
        "tons": [10.37, 7.11, 3.29, None, 8.83, 2.17, 4.71],
        "trips": [3, 2, 1, 1, 4, 1, 2],
        "paid": [True, False, True, True, False, True, False],
        "day": pd.to_datetime(
            pd.Series(["2031-01-05", "2031-01-09", "2031-02-11", "2031-04-01", "2031-04-02", None, "2031-04-07"])
        ),
        "price": ["1.200,50 €", "80,00 €", "7,25 €", "912,00 €", "3,10 €", "55,00 €", "1,00 €"],
    }
)
SITES = pd.DataFrame({"quarry": ["Nordhang", "Suedwand", "Ostgrube"], "region": ["Hochland", "Tiefland", "Tiefland"]})
FEES = pd.DataFrame({"quarry": ["Nordhang", "Nordhang", "Suedwand"], "fee": [12.57, 3.01, 8.23]})


@dataclass(frozen=True)
class Shape:
    """One kind of tool, and a fault for it: a piece of its code and what takes its place."""

    steps: tuple[Step, ...]
    piece: str
    fault: str
    way: Way | None = None
    other: pd.DataFrame | None = None


PAID = condition("paid", "==", True)
SHAPES = {
    "sum": Shape((group("quarry", "sum tons"), sort("sum_tons desc")), ".sum(min_count=1)", ".mean()"),
    "order": Shape((group("quarry", "sum trips"), sort("sum_trips desc")), "ascending=False", "ascending=True"),
    "count": Shape((group("stone", "count"),), ".size()", '["trips"].nunique()'.replace("trips", "stone")),
    "condition": Shape((where("trips", ">", 2), group("quarry", "mean tons")), "> filter_value", ">= filter_value"),
    "limit": Shape((group("stone", "sum trips"), sort("sum_trips desc"), limit(3)), ".head(top)", ".head(top - 1)"),
    "rows": Shape(
        (where("stone", "in", ["slate", "chalk"]), sort("tons desc"), select("quarry", "stone", "tons")),
        "isin(filter_values)",
        "isin(filter_values[:1])",
    ),
    "months": Shape((derive("month", part("start_of_month", "day")), group("month", "sum trips")), '"M"', '"Q"'),
    "empty months": Shape((resample("start_of_month", "day", "sum trips"),), "fill_value=0", "fill_value=1"),
    "pivot": Shape((pivot("quarry", "stone", ["slate", "chalk"], "sum trips"),), ".sum(min_count=1)", ".max()"),
    "running total": Shape((sort("day"), window("running_total", "trips", order="day")), ".cumsum()", ".cummax()"),
    "first of groups": Shape((top(2, "quarry", "tons desc"),), "head(top)", "tail(top)"),
    "figures": Shape((describe("tons", "trips"),), "numbers.std()", "numbers.std(ddof=0)"),
    "share": Shape((group("quarry", rate("rate", PAID, "paid share")),), ".fillna(False)", ".fillna(False).eq(False)"),
    "different rows": Shape((distinct("quarry", "stone"),), ".drop_duplicates(", ".dropna().drop_duplicates("),
    "written numbers": Shape(
        (
            derive("paid_price", parse("price", "number", decimal=",", thousands=".", suffixes=("€",))),
            group("stone", "sum paid_price"),
        ),
        '.str.replace(",", ".")',
        '.str.replace(",", "")',
    ),
    "product": Shape((derive("load", number(column("tons"), "*", column("trips"))), totals("sum load")), " * ", " + "),
    "correlation": Shape(
        (statistic("correlations", columns=["tons", "trips"], method="pearson"),), "stats.pearsonr", "stats.spearmanr"
    ),
    "join": Shape(
        (group("region", "sum tons"),),
        ".sum(min_count=1)",
        ".count()",
        join("sites", "quarry", relation="many_to_one"),
        SITES,
    ),
    "summary": Shape((), ".sum(min_count=1)", ".max()", summary("fees", "quarry", of=("sum fee",)), FEES),
    "union": Shape((group("quarry", "sum trips"),), "[df, other]", "[df, df]", union("more"), LOADS.head(4)),
}
GAP_SQL = "SELECT quarry, max(tons) - median(tons) AS gap FROM loads WHERE quarry IS NOT NULL GROUP BY quarry"
GAP = '''
import pandas as pd


def gap_to_largest(df: pd.DataFrame) -> pd.DataFrame:
    """Return how much the median load of each quarry lies below its largest."""
    tons = df.groupby("quarry")["tons"]
    return (tons.max() - tons.median()).reset_index(name="gap")
'''
SPREAD = '''
import pandas as pd


def spread(df: pd.DataFrame, *, low: float = 0.25) -> float:
    """Return the range of the trips above a quantile."""
    return float(df["trips"].max() - df["trips"].quantile(low)) if len(df) else 0.0
'''
EXAMPLES = (Example(table="quarry,tons\nA,1\nA,3\nA,8\n", expected="quarry,gap\nA,5\n"),)


@dataclass(frozen=True)
class Reader(Drafting):
    """An author who reads one thing into every question."""

    shape: Shape
    name: str = "reader"

    def understand(self, request: Request, profile: Profile, other: Profile | None = None) -> Understood:
        """Return the plan, over the tables that were asked about."""
        second = None if self.shape.way is None or other is None else self.shape.way(profile.schema_, other.schema_)
        if second is not None and other is not None:
            plan = plan_over(profile.name, second.model_copy(update={"other": other.name}), *self.shape.steps)
            return intent_of(plan, request.data.path, (), (), request.other.path if request.other else None)
        plan = Plan(source=profile.name, source_schema=profile.schema_, steps=self.shape.steps)
        return intent_of(plan, request.data.path, (), ())


@dataclass(frozen=True)
class Scribe(Drafting):
    """An author who writes the same code for every question."""

    code: str
    second: Second | NoSecond
    examples: tuple[Example, ...] = ()
    name: str = "scribe"

    def understand(self, request: Request, profile: Profile, other: Profile | None = None) -> Understood:
        """Read nothing."""
        return WrittenIntent(
            reading="what a scribe computes",
            code=self.code,
            second=self.second,
            input=request.data.path,
            examples=self.examples,
        )


def staged(runtime: Runtime, author: Reader | Scribe, other: pd.DataFrame | None = None) -> Card:
    vars(runtime)["services"] = replace(runtime.services, author=author)
    second = None if other is None else runtime.reference("second", other)
    answer = runtime.ask("what the author reads", runtime.reference("loads", LOADS), other=second)
    assert isinstance(answer, Staged)
    assert answer.card.sound, [item.sentence for item in answer.card.evidence if not item.is_good]
    return answer.card


def with_its_tests(runtime: Runtime, shape: Shape) -> Package:
    """Return a tool as it is staged, without the gates that run beside its tests."""
    vars(runtime)["services"] = services = replace(runtime.services, author=Reader(shape))
    second = None if shape.other is None else runtime.reference("second", shape.other)
    computed = runtime.compute("what the author reads", runtime.reference("loads", LOADS), other=second)
    assert isinstance(computed, Computed)
    passed = ValidationReport(schema_ok=True, tests_ok=True, sandbox_ok=True)
    tested, report = with_tests(computed, own_tests(computed, services), passed)
    assert report.passed, [item.sentence for item in report.evidence]
    return tested.draft.package


def laid_out(runtime: Runtime, card: Card, folder: Path) -> Path:
    return laid(runtime.registry.package(card.card_id), folder)


def laid(package: Package, folder: Path) -> Path:
    folder.mkdir(parents=True)
    for name, text in package.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


EVERY_RUN = ("sum", "limit", "join")
"""One shape without a parameter, one with, and one of two tables; the others run apart."""
NAMES = [pytest.param(name, marks=() if name in EVERY_RUN else pytest.mark.soak) for name in SHAPES]


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Path:
    """Return a folder with a tool of each shape that is tested, and a copy with its fault."""
    place = tmp_path_factory.mktemp("tools")
    runtime = new_runtime(place)
    tested = {item.callspec.params.get("name") for item in request.session.items if hasattr(item, "callspec")}
    for name, shape in SHAPES.items():
        if name not in {*EVERY_RUN, *tested}:
            continue
        package = with_its_tests(runtime, shape)
        laid(package, place / "right" / slug(name))
        faulty = laid(package, place / "faulty" / f"{slug(name)}_faulty") / "tool.py"
        code = faulty.read_text(encoding="utf-8")
        assert shape.piece in code, code
        faulty.write_text(code.replace(shape.piece, shape.fault), encoding="utf-8")
    return place


def slug(name: str) -> str:
    return name.replace(" ", "_")


def run_pytest(paths: Iterable[Path], place: Path) -> dict[str, tuple[int, int]]:
    """Run tests where our package cannot be imported; return how many passed and how many failed, by folder."""
    (place / "without").mkdir(exist_ok=True)
    (place / "without" / "sitecustomize.py").write_text("import sys\n\nsys.modules['jupyter_mcpgen'] = None\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml", str(place / "ran.xml")]
    done = subprocess.run(
        [*command, *map(str, paths)],
        cwd=place,
        env={"PATH": os.environ["PATH"], "HOME": str(place), "PYTHONPATH": str(place / "without")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    counts: dict[str, tuple[int, int]] = {}
    for case in ElementTree.parse(place / "ran.xml").iter("testcase"):  # noqa: S314  pytest wrote it just now
        folder = case.attrib["classname"].split(".")[-2]
        passed, failed = counts.get(folder, (0, 0))
        is_failed = case.find("failure") is not None or case.find("error") is not None
        counts[folder] = (passed, failed + 1) if is_failed else (passed + 1, failed)
    return counts


@pytest.fixture(scope="module")
def ran(tools: Path) -> dict[str, tuple[int, int]]:
    """Run the tests of all tools at once, the right ones and those with a fault."""
    return run_pytest(sorted(tools.glob("*/*/tests.py")), tools)


@pytest.mark.parametrize("name", NAMES)
def test_a_tool_passes_the_tests_that_travel_with_it(name: str, ran: dict[str, tuple[int, int]]) -> None:
    passed, failed = ran[slug(name)]

    assert failed == 0
    assert passed >= 5


@pytest.mark.parametrize("name", NAMES)
def test_a_tool_with_a_fault_fails_the_tests_that_travel_with_it(name: str, ran: dict[str, tuple[int, int]]) -> None:
    assert ran[f"{slug(name)}_faulty"][1] >= 1


@pytest.mark.parametrize("name", NAMES)
def test_the_tests_are_clean_code(name: str, tools: Path) -> None:
    text = (tools / "right" / slug(name) / "tests.py").read_text(encoding="utf-8")

    assert [finding.message for finding in check_lint({"tests.py": text}) if finding.rule != "E402"] == []


def test_no_value_of_the_data_is_in_the_tests_of_a_tool(tools: Path) -> None:
    """But for those that the question itself names."""
    asked_for = {"slate", "chalk"}
    own = {str(value) for name in ("quarry", "stone", "price") for value in LOADS[name].dropna()} - asked_for
    own |= {"2031", "10.37", "3.29", "4.71", "12.57", "8.23", "Hochland", "Tiefland", "Ostgrube"}

    for path in (tools / "right").glob("*/tests.py"):
        literals = set(re.findall(r"""(?<![\w.])[\w.,€ ]+(?![\w.])""", path.read_text(encoding="utf-8")))
        assert {word.strip(" ,") for word in literals} & own == set(), path


@pytest.mark.soak
def test_the_tests_run_in_the_folder_of_the_tool_by_their_name_alone(tools: Path) -> None:
    folder = tools / "right" / "sum"

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "tests.py", "-q", "-p", "no:cacheprovider"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


def test_the_tests_name_what_an_expert_looks_for(tools: Path) -> None:
    text = (tools / "right" / "limit" / "tests.py").read_text(encoding="utf-8")

    assert re.findall(r"^def test_(\w+)", text, re.MULTILINE) == [
        "ordinary_rows",
        "a_table_without_rows",
        "one_row",
        "missing_values",
        "every_row_twice",
        "ties",
        "numbers_below_zero",
        "another_top",
        "a_table_without_a_needed_column_is_refused",
        "the_defaults_are_those_of_the_approved_answer",
        "the_same_call_gives_the_same_report",
    ]


def test_a_key_that_repeats_rows_is_refused_in_the_tests_of_a_join(tools: Path) -> None:
    text = (tools / "right" / "join" / "tests.py").read_text(encoding="utf-8")

    assert "def test_repeated_key_is_refused" in text


@pytest.mark.soak
def test_written_code_with_a_query_is_tested_against_the_query(tmp_path: Path) -> None:
    runtime = new_runtime(tmp_path)
    card = staged(runtime, Scribe(GAP, Second(sql=GAP_SQL), EXAMPLES))

    folder = laid_out(runtime, card, tmp_path / "gap")
    right = run_pytest([folder / "tests.py"], tmp_path)
    code = (folder / "tool.py").read_text(encoding="utf-8")
    (folder / "tool.py").write_text(code.replace("tons.median()", "tons.mean()"), encoding="utf-8")
    wrong = run_pytest([folder / "tests.py"], tmp_path)

    text = (folder / "tests.py").read_text(encoding="utf-8")
    assert "computed by DuckDB from SQL that was written apart" in text
    assert "def test_example_1" in text
    assert right["gap"][1] == 0
    assert wrong["gap"][1] >= 1


@pytest.mark.soak
@pytest.mark.parametrize(("name", "code"), [("gap", GAP), ("spread", SPREAD)])
def test_written_code_without_a_second_computation_is_tested_for_what_is_known(
    tmp_path: Path, name: str, code: str
) -> None:
    runtime = new_runtime(tmp_path)
    card = staged(runtime, Scribe(code, NoSecond(reason="nobody wrote a query")))

    folder = laid_out(runtime, card, tmp_path / name)

    text = (folder / "tests.py").read_text(encoding="utf-8")
    assert "Nothing computed the result a second time." in text
    assert "assert_rows" not in text
    passed, failed = run_pytest([folder / "tests.py"], tmp_path)[name]
    assert failed == 0
    assert passed >= 4


def test_a_tool_that_would_fail_its_own_tests_is_not_sound(tmp_path: Path) -> None:
    """The fault shows on tables of eight rows alone, so that nothing else sees it."""
    runtime = new_runtime(tmp_path)
    code = GAP.replace("    tons = df", "    df = df.head(7) if len(df) == 8 else df\n    tons = df")
    vars(runtime)["services"] = replace(runtime.services, author=Scribe(code, Second(sql=GAP_SQL)))

    answer = runtime.ask("what the author reads", runtime.reference("loads", LOADS))

    assert isinstance(answer, Staged)
    found = next(item for item in answer.card.evidence if item.check == "own_tests")
    assert found.verdict is Verdict.FAILED
    assert "fails a test of its own" in found.sentence
    assert not answer.card.sound


def test_an_approved_tool_keeps_its_tests(tmp_path: Path) -> None:
    runtime = new_runtime(tmp_path)
    card = staged(runtime, Reader(SHAPES["sum"]))

    keep(runtime, card)

    tool = runtime.registry.tool(card.tool_name)
    assert "tests.py" in runtime.registry.load_package(tool).files
