"""CodeBLEU of two programs, beside the `codebleu` package, where that is installed: `pip install -e '.[bench]'`.

The two do not compute the same: the package has no brevity penalty in one part and clips no subtrees. Both read the
tokens, the tree and the flow of values of the same texts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec

from benchmarks.measure import Row, elapsed, in_turns
from benchmarks.place import Place
from jupyter_mcpgen.metrics.code_bleu import calculate_code_bleu

REPEATS = 5
LINES = (100, 500, 2_000)
_FUNCTION = """
def summary_{number}(df, column="c{number}", least={number}):
    groups = df.groupby(["region", column])["amount"]
    totals = groups.agg(["sum", "count"]).reset_index()
    if least > 0:
        totals = totals[totals["count"] >= least]
    shares = [round(each / totals["sum"].sum(), 3) for each in totals["sum"]]
    totals["share"] = shares
    for name in totals.columns:
        print(f"{{name}}: {{totals[name].dtype}}")
    return totals.sort_values("sum", ascending=False)
"""


def rows(place: Place) -> Iterator[Row]:
    """Measure both on programs of different lengths, of which one has other names and another order."""
    if find_spec("codebleu") is None:
        sys.stderr.write("  not measured: the package `codebleu` is not installed\n")
        return
    from codebleu import calc_codebleu  # deferred: an extra of the benchmark

    for lines in LINES:
        reference = "".join(_FUNCTION.format(number=number) for number in range(lines // 11))
        candidate = reference.replace("totals", "table").replace("ascending=False", "ascending=True")
        ours, theirs = in_turns(
            (
                lambda: elapsed(lambda: calculate_code_bleu(candidate, reference)),  # noqa: B023  called at once
                lambda: elapsed(lambda: calc_codebleu([reference], [candidate], "python")),  # noqa: B023  called at once
            ),
            REPEATS,
        )
        yield Row(f"CodeBLEU of programs of {lines:,} lines", ours, "the `codebleu` package", theirs)
