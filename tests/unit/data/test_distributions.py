"""Our own tails of distributions agree with scipy's to ten digits, from tiny to huge degrees of freedom."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

from jupyter_mcpgen.data.distributions import (
    chi_square_tail,
    correlation_p,
    f_tail,
    normal_tail,
    normality_p,
    student_p,
    student_reach,
    tukey_tail,
)

DEGREES = (1.0, 2.0, 3.7, 12.0, 99.5, 1_000.0, 40_000.0, 2_000_000.0)
CLOSE = {"rel": 1e-9, "abs": 1e-12}


@pytest.fixture(scope="module")
def stats() -> ModuleType:
    """Return scipy's distributions, which cost half a second in each process that imports them."""
    from scipy import stats

    return stats


@pytest.mark.parametrize("df", DEGREES)
@pytest.mark.parametrize("t", [0.0, 0.01, 0.7, 1.96, 4.0, 30.0])
def test_the_tails_of_students_distribution(t: float, df: float, stats: ModuleType) -> None:
    assert student_p(t, df) == student_p(-t, df) == pytest.approx(2 * stats.t.sf(t, df), **CLOSE)


@pytest.mark.parametrize("df", DEGREES)
@pytest.mark.parametrize("level", [0.01, 0.5, 0.95, 0.99, 0.999999])
def test_how_far_a_number_of_students_distribution_reaches(level: float, df: float, stats: ModuleType) -> None:
    assert student_reach(level, df) == pytest.approx(stats.t.ppf((1 + level) / 2, df), **CLOSE)


@pytest.mark.parametrize("within", DEGREES)
@pytest.mark.parametrize("between", [1.0, 2.0, 9.0, 150.0])
@pytest.mark.parametrize("f", [0.001, 0.5, 1.0, 3.0, 40.0])
def test_the_tail_of_the_f_distribution(f: float, between: float, within: float, stats: ModuleType) -> None:
    assert f_tail(f, between, within) == pytest.approx(stats.f.sf(f, between, within), **CLOSE)


@pytest.mark.parametrize("df", [1.0, 2.0, 5.0, 99.0, 39_601.0])
@pytest.mark.parametrize("share", [0.01, 0.5, 1.0, 1.01, 1.5, 4.0])
def test_the_tail_of_the_chi_square_distribution(share: float, df: float, stats: ModuleType) -> None:
    assert chi_square_tail(share * df, df) == pytest.approx(stats.chi2.sf(share * df, df), **CLOSE)


@pytest.mark.parametrize("z", [-3.0, 0.0, 1.5, 8.0, 37.0])
def test_the_tail_of_the_normal_distribution(z: float, stats: ModuleType) -> None:
    assert normal_tail(z) == pytest.approx(stats.norm.sf(z), **CLOSE)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("df", [1.0, 4.0, 30.0, 5_000.0, 200_000.0])
@pytest.mark.parametrize("groups", [2, 3, 8, 20])
def test_the_tail_of_the_studentized_range_to_the_digits_that_are_shown(
    groups: int, df: float, stats: ModuleType
) -> None:
    for q in (0.2, 1.0, 3.3, 7.0):
        assert tukey_tail(q, groups, df) == pytest.approx(stats.studentized_range.sf(q, groups, df), abs=1e-8)


def test_p_values_of_whole_samples(stats: ModuleType) -> None:
    random = np.random.default_rng(7)
    x = random.gamma(3.0, size=80)
    y = 0.3 * x + random.normal(size=80)

    assert correlation_p(stats.pearsonr(x, y).statistic, 80) == pytest.approx(stats.pearsonr(x, y).pvalue, **CLOSE)
    moments = stats.skew(x), stats.kurtosis(x) + 3
    assert normality_p(*moments, 80) == pytest.approx(stats.normaltest(x).pvalue, **CLOSE)
