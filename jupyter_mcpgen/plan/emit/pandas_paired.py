"""Writes tests of the differences within each row with pandas and scipy."""

from __future__ import annotations

from jupyter_mcpgen.plan import findings
from jupyter_mcpgen.plan.emit.pandas_figures import (
    NOTHING,
    finite_pair,
    significance,
    undefined,
    write_one_row,
)
from jupyter_mcpgen.plan.emit.pandas_writer import Writer
from jupyter_mcpgen.plan.statistics import TwoColumns, TwoSampleTest


def write_paired_columns(step: TwoColumns, writer: Writer) -> None:
    """Append a paired t-test, or Wilcoxon's test of signed ranks."""
    table = writer.name_it("table")
    first, second = table.name(step.first), table.name(step.second)
    writer.statements += [
        *finite_pair("pairs", table.frame, first, second),
        f"first, second = pairs[{first}], pairs[{second}]",
        "differences = first - second",
    ]
    if step.test is TwoSampleTest.PAIRED:
        centre, figures = "mean", _write_t_test(writer)
    else:
        centre, figures = "median", _write_signed_ranks(writer)
    samples = {
        name: value
        for side, label in (("first", first), ("second", second))
        for name, value in ((side, label), (f"n_{side}", "len(pairs)"), (f"{centre}_{side}", f"{side}.{centre}()"))
    }
    write_one_row(writer, **samples, **figures, p_value="p_value", effect_size="effect_size", finding="finding")


def _write_t_test(writer: Writer) -> dict[str, str]:
    spread = "differences.max() - differences.min()"
    writer.statements += [
        f"t_statistic = p_value = effect_size = {NOTHING}",
        *undefined(
            ("len(pairs) < 2", findings.FEW_DIFFERENCES),
            (f"{spread} <= {findings.NO_SPREAD} * differences.abs().max()", findings.EQUAL_DIFFERENCES),
        ),
        "    test = stats.ttest_rel(first, second)",
        "    t_statistic, p_value = test.statistic, test.pvalue",
        "    effect_size = differences.mean() / differences.std()",
        f"    finding = {significance('p_value')}",
    ]
    return {"difference": "differences.mean()", "t_statistic": "t_statistic", "df": "max(len(pairs) - 1, 0)"}


def _write_signed_ranks(writer: Writer) -> dict[str, str]:
    writer.statements += [
        f"w_statistic = p_value = effect_size = {NOTHING}",
        "differences = differences[differences != 0]  # Wilcoxon leaves pairs of equal values out",
        *undefined(("differences.empty", findings.NO_DIFFERENCES)),
        '    test = stats.wilcoxon(differences, method="asymptotic")',
        "    w_statistic, p_value = test.statistic, test.pvalue",
        "    ranks = differences.abs().rank()",
        "    effect_size = ranks.where(differences > 0, -ranks).sum() / ranks.sum()  # rank-biserial correlation",
        f"    finding = {significance('p_value')}",
    ]
    return {"w_statistic": "w_statistic"}
