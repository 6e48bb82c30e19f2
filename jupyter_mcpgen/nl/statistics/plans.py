"""From what a question asks for and the columns it names to a statistical step, or to the question what is missing."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.nl.statistics.choice import Choice
from jupyter_mcpgen.nl.statistics.columns import duplicates, histogram, normality, outliers, summary
from jupyter_mcpgen.nl.statistics.covariances import covariance
from jupyter_mcpgen.nl.statistics.groups import anova, chi_square, difference, kruskal, paired, two_samples
from jupyter_mcpgen.nl.statistics.intervals import mean_interval
from jupyter_mcpgen.nl.statistics.kinds_of_values import cardinality, quality, same_values
from jupyter_mcpgen.nl.statistics.lacking import Lacking
from jupyter_mcpgen.nl.statistics.missing import complete, missing
from jupyter_mcpgen.nl.statistics.named import Named
from jupyter_mcpgen.nl.statistics.pairs import correlation, matrix, regression, related, relation
from jupyter_mcpgen.nl.statistics.request import Request


def choices(request: Request, named: Named) -> Iterator[Choice | Lacking]:
    """Yield the ways to answer; a `Lacking` when the question does not name enough."""
    asks = set(request.asks)
    order = (
        ("histogram", histogram), ("complete", complete), ("missing", missing), ("duplicates", duplicates),
        ("same", same_values), ("cardinality", cardinality), ("quality", quality),
        ("low_outliers", outliers), ("high_outliers", outliers), ("outliers", outliers),
        ("box_plot", summary), ("quartiles", summary), ("wilcoxon", paired), ("paired", paired),
        ("kruskal", kruskal), ("confidence", mean_interval),
        ("tukey", anova), ("anova", anova), ("mann_whitney", two_samples), ("t_test", two_samples),
        ("chi_square", chi_square), ("normality", normality), ("shapiro", normality),
        ("matrix", matrix), ("heatmap", matrix), ("regression", regression), ("effect", regression),
        ("strongest", correlation), ("correlation", correlation), ("covariance", covariance),
        ("difference", difference), ("related", related), ("relation", relation),
    )  # fmt: skip
    if "ranked" in request.said and not asks & _RANKED:
        return  # what has the most of a test is no question that a test answers
    for name, make in order:
        if name in asks:
            yield from make(request, named)
            return


_RANKED = frozenset({"missing", "complete", "correlation", "strongest", "matrix"})
"""What is asked for whose figures can be put in order."""
