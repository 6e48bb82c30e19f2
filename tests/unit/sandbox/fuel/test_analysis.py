"""Fuel analysis: what the outside suite expects, row by row, and what holds for every figure."""

from __future__ import annotations

import re
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.model.fuel import FuelAnalysis, FuelStatus, FuelUnit
from jupyter_mcpgen.sandbox.fuel.analysis import ImportHistory, amount, analyze_fuel, status_of, suggested_budget
from jupyter_mcpgen.sandbox.fuel.import_costs import NATIVE, REFERENCE, WASI_PYTHON, ImportCost
from jupyter_mcpgen.sandbox.fuel.imports import CODE_READ, read_code

BILLION = 1_000_000_000
KEPT = ImportHistory(kept=True)


@pytest.mark.parametrize(
    ("row", "consumed", "percent", "status", "words"),
    [
        ("B1", 2 * BILLION, 40.0, "efficient", ["appropriate"]),
        ("B2", 3 * BILLION, 60.0, "moderate", ["moderate"]),
        ("B3", 4 * BILLION, 80.0, "warning", ["6B"]),
        ("B4", 4_700_000_000, 94.0, "critical", ["10B"]),
        ("B5", 5 * BILLION, 100.0, "exhausted", ["exhausted", "10B"]),
    ],
)
def test_b1_to_b5_use_of_five_billion(row: str, consumed: int, percent: float, status: str, words: list[str]) -> None:
    analysis = analyze_fuel(consumed, 5 * BILLION)

    assert (row, analysis.utilization_percent, analysis.status) == (row, percent, status)
    assert [word for word in words if word not in analysis.recommendation] == []


def test_b6_where_nothing_was_measured_nothing_is_said() -> None:
    analysis = analyze_fuel(None, 5 * BILLION, code="import openpyxl\nwhile True: pass")

    assert analysis == FuelAnalysis(
        consumed=None,
        budget=5 * BILLION,
        utilization_percent=0.0,
        status=FuelStatus.UNKNOWN,
        unit=FuelUnit.INSTRUCTIONS,
        recommendation="Nothing can be said about fuel: fuel was not measured in this run.",
    )


def test_a_budget_of_nothing_is_no_budget() -> None:
    assert analyze_fuel(5, 0).status is FuelStatus.UNKNOWN


@pytest.mark.parametrize(
    ("consumed", "status"),
    [
        (4_999, "efficient"), (5_000, "moderate"), (7_499, "moderate"), (7_500, "warning"), (8_999, "warning"),
        (9_000, "critical"), (9_999, "critical"), (10_000, "exhausted"), (12_000, "exhausted"),
    ],
)  # fmt: skip
def test_b7_bounds_belong_to_the_status_above_them(consumed: int, status: str) -> None:
    assert analyze_fuel(consumed, 10_000).status == status


def test_b7_a_percentage_is_never_rounded_up_to_a_bound() -> None:
    analysis = analyze_fuel(8_999_999_999, 10 * BILLION)

    assert (analysis.utilization_percent, analysis.status) == (89.99, "warning")


def test_b8_a_heavy_import_is_named_with_its_cost() -> None:
    analysis = analyze_fuel(4_500_000_000, 5 * BILLION, code="import openpyxl\n")

    assert "openpyxl" in analysis.recommendation
    assert "5-7B" in analysis.recommendation
    assert "openpyxl" in analysis.likely_causes[0]


def test_b9_a_first_import_is_worth_a_session_where_sessions_keep_it() -> None:
    analysis = analyze_fuel(8 * BILLION, 10 * BILLION, code="from jinja2 import Template\n", history=KEPT)

    assert "persistent session" in analysis.recommendation


def test_b9_an_import_of_before_is_said_to_be_cached_and_not_blamed() -> None:
    history = KEPT.after("import openpyxl")

    analysis = analyze_fuel(1 * BILLION, 10 * BILLION, code="import openpyxl\n", history=history)

    assert analysis.likely_causes == (
        "`openpyxl` was cached: this session imported it before, so its first import is not part of this figure.",
    )


def test_r47_no_session_is_promised_where_none_keeps_imports() -> None:
    analysis = analyze_fuel(8 * BILLION, 10 * BILLION, code="import jinja2\n")

    assert "session" not in analysis.recommendation
    assert ImportHistory().after("import jinja2") == ImportHistory()


def test_b10_much_work_without_a_heavy_package_is_a_large_dataset_or_a_complex_computation() -> None:
    code = "import json, csv, pathlib\n"

    assert analyze_fuel(3_100_000_000, 10 * BILLION, code=code).likely_causes == (
        "A large dataset or a complex computation: no heavy package was imported in this run.",
    )
    assert analyze_fuel(3_000_000_000, 10 * BILLION, code=code).likely_causes == ()


def test_b10_a_heavy_package_explains_much_work_by_itself() -> None:
    causes = analyze_fuel(4 * BILLION, 10 * BILLION, code="import openpyxl\n").likely_causes

    assert causes == ("First import of `openpyxl` (5-7B).",)


@pytest.mark.parametrize("light", ["json", "csv", "pathlib", "os", "re"])
def test_b10_light_modules_are_in_no_table(light: str) -> None:
    assert not any(light in table for table in (REFERENCE, WASI_PYTHON, NATIVE))


def test_b11_code_of_any_length_is_read_to_a_fixed_length_only() -> None:
    line = "x = 1\n"
    far = line * (CODE_READ // len(line)) + "import openpyxl\n"

    assert read_code("import openpyxl\n" + line * 100_000).imports == ("openpyxl",)
    assert read_code(far + line * 100_000).imports == ()


@pytest.mark.parametrize("language", ["python", "javascript"])
@pytest.mark.parametrize("consumed", [None, 1, 4 * BILLION, 5 * BILLION])
def test_b12_the_fields_are_the_same_for_every_language(language: str, consumed: int | None) -> None:
    analysis = analyze_fuel(consumed, 5 * BILLION, code="const a = 1;", language=language)

    assert set(analysis.model_dump()) == {
        "consumed",
        "budget",
        "utilization_percent",
        "status",
        "unit",
        "recommendation",
        "likely_causes",
    }
    assert FuelAnalysis.model_validate_json(analysis.model_dump_json()) == analysis


def test_r45_eight_billion_used_recommends_twelve_to_sixteen() -> None:
    recommendation = analyze_fuel(8 * BILLION, 10 * BILLION).recommendation

    assert "12B" in recommendation
    assert "16B" in recommendation


def test_r47_imports_are_read_from_the_code_and_not_from_words_in_it() -> None:
    code = '''
"""import PyPDF2"""
text = "import markdown"  # import tabulate
def later():
    import openpyxl.styles as styles
    from jinja2 import Template
module = importlib.import_module("dateutil.parser")
'''
    assert read_code(code).imports == ("openpyxl", "jinja2", "dateutil")


def test_what_pandas_loads_by_itself_is_known() -> None:
    assert read_code("import pandas as pd\npd.read_excel('a.xlsx')").imports == ("pandas", "openpyxl")
    assert read_code("book.read_excel('a.xlsx')").imports == ()


def test_relative_imports_and_broken_code_load_nothing() -> None:
    assert read_code("from . import openpyxl").imports == ()
    assert read_code("import openpyxl\nprint(").imports == ()


def test_an_early_end_within_a_first_import_asks_for_more_than_the_import_costs() -> None:
    assert "11B" in analyze_fuel(2 * BILLION, 2 * BILLION, code="import openpyxl").recommendation


def test_the_runtimes_word_that_fuel_is_out_counts_more_than_a_rest() -> None:
    analysis = analyze_fuel(4_999_999_990, 5 * BILLION, ran_out=True)

    assert (analysis.status, analysis.utilization_percent) == ("exhausted", 99.99)


def test_loops_that_explain_the_use_are_named_by_line() -> None:
    code = "import pandas as pd\nfor i, row in df.iterrows():\n    for j in row:\n        pass\nwhile True:\n    pass\n"

    assert analyze_fuel(95, 100, code=code).likely_causes == (
        "The loop on line 5 has no way out.",
        "Line 2 goes through a table row by row; work on whole columns costs far less.",
        "The loop on line 2 holds another loop, so its cost grows with the product of both.",
    )
    assert analyze_fuel(5, 100, code=code).likely_causes == ()


@pytest.mark.parametrize("way_out", ["break", "return", "raise Stop", "yield 1"])
def test_a_loop_with_a_way_out_is_not_called_endless(way_out: str) -> None:
    assert read_code(f"def f():\n    while True:\n        {way_out}\n").endless_loop is None


@pytest.mark.parametrize(
    ("figure", "unit", "words"),
    [
        (4_700_000_000, FuelUnit.INSTRUCTIONS, "4.7B"),
        (850_000_000, FuelUnit.INSTRUCTIONS, "850M"),
        (950, FuelUnit.INSTRUCTIONS, "950"),
        (2_986_722, FuelUnit.EVENTS, "2.9M events"),
        (1_500, FuelUnit.LINES, "1.5k lines"),
        (45_000, FuelUnit.CPU_MS, "45 s of CPU time"),
        (1_200, FuelUnit.CPU_MS, "1.2 s of CPU time"),
    ],
)
def test_figures_are_said_with_their_unit(figure: int, unit: FuelUnit, words: str) -> None:
    assert amount(figure, unit) == words


def test_costs_in_another_unit_are_not_compared() -> None:
    analysis = analyze_fuel(4_500, 5_000, unit=FuelUnit.CPU_MS, code="import openpyxl", costs=REFERENCE)

    assert "openpyxl" not in analysis.recommendation + " ".join(analysis.likely_causes)
    assert "9 s of CPU time" in analysis.recommendation


NUMPY_AND_PANDAS = MappingProxyType(
    {
        "numpy": ImportCost(100, 100, FuelUnit.CPU_MS),
        "pandas": ImportCost(300, 700, FuelUnit.CPU_MS, frozenset({"numpy"})),
    }
)


def test_processor_time_is_advised_in_tenths_of_a_second() -> None:
    analysis = analyze_fuel(
        420, 500, unit=FuelUnit.CPU_MS, code="import numpy\nimport pandas", costs=NUMPY_AND_PANDAS, history=KEPT
    )

    assert analysis.recommendation == (
        "Fuel use is high: 0.42 s of CPU time of 0.5 s of CPU time. "
        "Raise the budget to 0.7 s of CPU time, or 0.9 s of CPU time to be sure. "
        "The first import of `pandas` takes 0.3-0.7 s of CPU time. "
        "Use a persistent session: it keeps what was imported, so only its first run pays for that."
    )


def test_what_another_package_loads_is_not_paid_for_twice() -> None:
    code = "import numpy\nimport pandas"
    again = ImportHistory(frozenset({"pandas"}), kept=True)

    first = analyze_fuel(100, 100, unit=FuelUnit.CPU_MS, code=code, costs=NUMPY_AND_PANDAS)
    later = analyze_fuel(100, 100, unit=FuelUnit.CPU_MS, code="import numpy", costs=NUMPY_AND_PANDAS, history=again)

    assert first.likely_causes == ("First import of `pandas` (0.3-0.7 s of CPU time).",)
    assert "at least 1.1 s of CPU time" in first.recommendation
    assert later.likely_causes == (
        "`numpy` was cached: this session imported it before, so its first import is not part of this figure.",
    )


figures = st.integers(0, 10**13)


@given(budget=st.integers(1, 10**13), percent=st.integers(75, 89), unit=st.sampled_from(FuelUnit))
def test_two_budgets_are_never_the_same(budget: int, percent: int, unit: FuelUnit) -> None:
    analysis = analyze_fuel(budget * percent // 100, budget, unit=unit)

    offered = re.fullmatch(r".* Raise the budget to (.*), or (.*) to be sure\.", analysis.recommendation)
    assert analysis.status is not FuelStatus.WARNING or offered[1] != offered[2]


@given(consumed=figures, budget=st.integers(1, 10**13), unit=st.sampled_from(FuelUnit))
def test_a_suggested_budget_always_leaves_the_margin(consumed: int, budget: int, unit: FuelUnit) -> None:
    status = status_of(consumed, budget)

    suggested = suggested_budget(consumed, budget, unit)

    margin = 2 if status in (FuelStatus.CRITICAL, FuelStatus.EXHAUSTED) else 1.5
    assert suggested >= consumed * margin
    assert status is not FuelStatus.EXHAUSTED or suggested > budget


@given(
    consumed=st.none() | st.integers(-5, 10**19),
    budget=st.integers(-5, 10**13),
    code=st.text(st.characters(exclude_categories=())) | st.text("import opxy()[]:\n\t '\"\\0-", max_size=300),
    language=st.sampled_from(["python", "javascript", ""]),
    unit=st.sampled_from(FuelUnit),
    kept=st.booleans(),
)
def test_no_figure_and_no_code_makes_the_analysis_raise(
    consumed: int | None, budget: int, code: str, language: str, unit: FuelUnit, kept: bool
) -> None:
    history = ImportHistory(kept=kept).after(code, language)

    analysis = analyze_fuel(
        consumed, budget, unit=unit, code=f"import openpyxl\n{code}", language=language, history=history
    )

    assert FuelAnalysis.model_validate_json(analysis.model_dump_json()) == analysis


@pytest.mark.parametrize(
    "deep", ["-" * 4_000 + "1", "(" * 4_000, "x" + ".a" * 2_000, "not " * 1_000 + "1", "\0", "'\\d'"]
)
def test_code_that_troubles_the_parser_is_read_as_nothing(deep: str) -> None:
    assert analyze_fuel(5, 5, code=f"openpyxl\n{deep}").status is FuelStatus.EXHAUSTED
