"""Tails of the distributions that tests are judged by, from series of our own: the second way to every p-value.

The first way is `scipy.stats` in the tool. Nothing here uses it, so that an error in either shows as a difference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

_TINY = 1e-300
_ENOUGH = 1e-16
_MOST_TERMS = 100_000
_HALF_LOG_2_PI = 0.5 * math.log(2 * math.pi)
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
_LARGE = 10.0
"""From here on Stirling's series gives the logarithm of the gamma function to the last digit."""
_NODES = 96
"""Enough for a smooth integrand over ten standard deviations: the rule errs by less than 1e-9."""
_ENDLESS = 100_000
"""From this many degrees of freedom on, the standard deviation counts as known."""


def normal_tail(z: float) -> float:
    """Return the probability that a standard normal number is larger."""
    return 0.5 * math.erfc(z / math.sqrt(2))


def student_p(t: float, df: float) -> float:
    """Return the probability that a number of Student's distribution is farther from 0, on either side."""
    if math.isinf(t):
        return 0.0
    return _incomplete_beta(df / 2, 0.5, df / (df + t * t), t * t / (df + t * t))


@lru_cache(maxsize=4096)
def student_reach(level: float, df: float) -> float:
    """Return how far from 0 a number of Student's distribution lies at most with a probability, by bisection."""
    low, high = 0.0, 1.0
    while student_p(high, df) > 1 - level:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if student_p(middle, df) > 1 - level else (low, middle)
    return high


def correlation_p(r: float, n: float) -> float:
    """Return the probability that a correlation of unrelated normal numbers is farther from 0."""
    return _incomplete_beta((n - 2) / 2, 0.5, (1 - r) * (1 + r), r * r)


def f_tail(f: float, between: float, within: float) -> float:
    """Return the probability that a number of the F distribution is larger."""
    scaled = between * f
    return _incomplete_beta(within / 2, between / 2, within / (within + scaled), scaled / (within + scaled))


def chi_square_tail(x: float, df: float) -> float:
    """Return the probability that a number of the chi-square distribution is larger."""
    a, half = df / 2, x / 2
    if half <= 0:
        return 1.0
    head = _gamma_head(a, half)
    if half < a + 1:
        return 1 - head * _sum_of(_gamma_terms(a, half))
    return head * a * _fraction(_gamma_fraction(a, half), half + 1 - a)


def normality_p(skewness: float, kurtosis: float, n: float) -> float:
    """Return the p-value of `normality_statistic`, which has two degrees of freedom."""
    return math.exp(-normality_statistic(skewness, kurtosis, n) / 2)


def normality_statistic(skewness: float, kurtosis: float, n: float) -> float:
    """Return D'Agostino and Pearson's K² of a sample's moments; `kurtosis` is 3 for a normal one."""
    return _skewness_z(skewness, n) ** 2 + _kurtosis_z(kurtosis, n) ** 2


def _skewness_z(skewness: float, n: float) -> float:
    y = skewness * math.sqrt((n + 1) * (n + 3) / (6 * (n - 2)))
    beta = 3 * (n * n + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
    square = math.sqrt(2 * (beta - 1)) - 1
    return math.asinh(y / math.sqrt(2 / (square - 1))) / math.sqrt(math.log(square) / 2)


def _kurtosis_z(kurtosis: float, n: float) -> float:
    variance = 24 * n * (n - 2) * (n - 3) / ((n + 1) ** 2 * (n + 3) * (n + 5))
    x = (kurtosis - 3 * (n - 1) / (n + 1)) / math.sqrt(variance)
    skew = 6 * (n * n - 5 * n + 2) / ((n + 7) * (n + 9)) * math.sqrt(6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)))
    a = 6 + 8 / skew * (2 / skew + math.sqrt(1 + 4 / skew**2))
    root = (1 - 2 / a) / (1 + x * math.sqrt(2 / (a - 4)))
    return (1 - 2 / (9 * a) - math.copysign(abs(root) ** (1 / 3), root)) / math.sqrt(2 / (9 * a))


@lru_cache(maxsize=4096)
def tukey_tail(q: float, groups: float, df: float) -> float:
    """Return the probability that the studentized range of some groups is larger, by numerical integration."""
    points = [(8.5 * node, 8.5 * weight) for node, weight in _legendre(_NODES)]
    places = [
        (z, weight * math.exp(-z * z / 2) / math.sqrt(2 * math.pi), normal_tail(-z), groups - 1) for z, weight in points
    ]
    total = 0.0
    for scale, share in _scales(df):
        reach = q * scale
        inside = math.fsum(density * (below - normal_tail(reach - z)) ** most for z, density, below, most in places)
        total += share * (1 - groups * inside)
    return min(1.0, max(0.0, total))


@lru_cache(maxsize=2)
def _legendre(count: int) -> tuple[tuple[float, float], ...]:
    """Return the places and weights of a Gauss-Legendre rule between -1 and 1."""
    import numpy as np  # deferred: comes with pandas

    nodes, weights = np.polynomial.legendre.leggauss(count)
    return tuple((float(node), float(weight)) for node, weight in zip(nodes, weights, strict=True))


def _scales(df: float) -> list[tuple[float, float]]:
    """Return estimated standard deviations, in units of the true one, with their probabilities."""
    if df >= _ENDLESS:
        return [(1.0, 1.0)]
    width = 10 / math.sqrt(2 * df)
    low, high = max(0.0, 1 - width), 1 + width
    middle, half = (low + high) / 2, (high - low) / 2
    constant = math.log(2) + df / 2 * math.log(df / 2) - math.lgamma(df / 2)
    scales = [(middle + half * node, half * weight) for node, weight in _legendre(_NODES)]
    return [(s, weight * math.exp(constant + (df - 1) * math.log(s) - df * s * s / 2)) for s, weight in scales]


def _incomplete_beta(a: float, b: float, x: float, y: float) -> float:
    """Return the regularised incomplete beta function at `x`; `y` is `1 - x`, given apart to keep its digits."""
    if x <= 0:
        return 0.0
    if y <= 0:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, y, x)
    log_x = math.log(x) if x < y else math.log1p(-y)
    log_y = math.log(y) if y < x else math.log1p(-x)
    head = math.exp(a * log_x + b * log_y - _log_beta(a, b)) / a
    return head * _fraction(_beta_fraction(a, b, x), 1.0)


def _beta_fraction(a: float, b: float, x: float) -> Iterator[tuple[float, float]]:
    for m in range(_MOST_TERMS):
        yield -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), 1.0
        k = m + 1
        yield k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)), 1.0


def _gamma_fraction(a: float, x: float) -> Iterator[tuple[float, float]]:
    return ((-k * (k - a), x + 2 * k + 1 - a) for k in range(1, _MOST_TERMS))


def _fraction(terms: Iterator[tuple[float, float]], first: float) -> float:
    """Return one over a continued fraction that begins with `first`, by Lentz's method."""
    value = front = first or _TINY
    back = 0.0
    for numerator, denominator in terms:
        back = 1 / ((denominator + numerator * back) or _TINY)
        front = (denominator + numerator / front) or _TINY
        value *= front * back
        if abs(front * back - 1) < _ENOUGH * 4:
            break
    return 1 / value


def _gamma_terms(a: float, x: float) -> Iterator[float]:
    term = 1.0
    for k in range(1, _MOST_TERMS):
        yield term
        term *= x / (a + k)


def _sum_of(terms: Iterator[float]) -> float:
    total = 0.0
    for term in terms:
        total += term
        if term < total * _ENOUGH:
            break
    return total


def _gamma_head(a: float, x: float) -> float:
    """Return `x**a * exp(-x) / gamma(a + 1)` without losing digits to large logarithms."""
    if a < _LARGE:
        return math.exp(a * math.log(x) - x - math.lgamma(a + 1))
    excess = (x - a) / a
    return math.exp(-a * (excess - math.log1p(excess)) - _stirling(a)) / math.sqrt(2 * math.pi * a)


def _log_beta(a: float, b: float) -> float:
    small, large = min(a, b), max(a, b)
    if small >= _LARGE:
        corrections = _stirling(small) + _stirling(large) - _stirling(small + large)
        return (
            _HALF_LOG_2_PI
            - 0.5 * math.log(large)
            + corrections
            + (small - 0.5) * math.log(small / (small + large))
            + large * math.log1p(-small / (small + large))
        )
    if large >= _LARGE:
        corrections = _stirling(large) - _stirling(small + large)
        rest = small - small * math.log(small + large) + (large - 0.5) * math.log1p(-small / (small + large))
        return math.lgamma(small) + corrections + rest
    return math.lgamma(small) + math.lgamma(large) - math.lgamma(small + large)


def _stirling(x: float) -> float:
    """Return what Stirling's formula lacks of the logarithm of the gamma function."""
    return math.fsum(factor / x ** (2 * power + 1) for power, factor in enumerate(_STIRLING))


TAILS: Mapping[str, Callable[..., float]] = {
    function.__name__: function
    for function in (
        *(normal_tail, student_p, correlation_p, f_tail, chi_square_tail),
        *(normality_statistic, normality_p, tukey_tail, student_reach),
    )
}
"""The functions that the reference queries call, by name; all their arguments are numbers."""
