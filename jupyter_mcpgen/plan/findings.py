"""When a statistic is not defined, when it is significant, and how that is said: the same words in both engines."""

from __future__ import annotations

SIGNIFICANCE = 0.05
"""A p-value below this is called significant."""
LEAST_PAIRS = 4
"""A line or a correlation through fewer rows than this says nothing about chance."""
LEAST_FOR_NORMALITY = 20
"""D'Agostino and Pearson's approximation holds from this many values on."""
LEAST_FOR_MEAN = 30
"""A rule of thumb: the mean of so many values is about normal, unless they are very skewed."""
MOST_COMPARED = 20
"""Tukey's test compares at most this many groups in pairs."""
LEAST_EXPECTED = 5
"""A chi-square test is rough when a combination is expected to occur less often than this."""
NO_INTERCEPT = 1e-6
"""An intercept below this part of the mean of `y` is rounding error: the line passes through the origin."""
SYMMETRIC = 1e-9
"""A skewness below this is rounding error: the values lie symmetrically."""
NO_SPREAD = 1e-9
"""Differences that lie this much closer together than their size are equal but for rounding."""
SIGNIFICANT = "significant at the 5 % level"
NOT_SIGNIFICANT = "not significant at the 5 % level"
NOT_NORMAL = "differs from a normal distribution at the 5 % level"
MAY_BE_NORMAL = "no difference from a normal distribution at the 5 % level"
ROUGH = "; some expected counts are below 5, so the p-value is rough"
NOT_COMPARED = f"; no pairs are compared among more than {MOST_COMPARED} groups"
FEW_PAIRS = f"not defined: fewer than {LEAST_PAIRS} rows have both values"
CONSTANT_COLUMN = "not defined: all values of a column are equal"
FEW_GROUPS = "not defined: there are fewer than 2 groups"
EQUAL_IN_GROUPS = "not defined: within each group all values are equal"
FEW_IN_SAMPLE = "not defined: a group has fewer than 2 values"
EQUAL_IN_SAMPLES = "not defined: within each of the two all values are equal"
LONE_VALUE = "not defined: there are fewer than 2 values"
SMALL_SAMPLE = f"fewer than {LEAST_FOR_MEAN} values: the interval holds where they are about normal"
LARGE_SAMPLE = f"{LEAST_FOR_MEAN} values or more: the interval holds unless they are very skewed"
NO_WIDTH = "all values are equal, so the interval has no width"
FEW_DIFFERENCES = "not defined: fewer than 2 rows have both values"
EQUAL_DIFFERENCES = "not defined: all differences are equal"
NO_DIFFERENCES = "not defined: no row has a difference"
EMPTY_SAMPLE = "not defined: a group has no values"
ALL_EQUAL = "not defined: all values are equal"
FEW_CATEGORIES = "not defined: a column has fewer than 2 categories"
FEW_VALUES = f"not defined: there are fewer than {LEAST_FOR_NORMALITY} values"
