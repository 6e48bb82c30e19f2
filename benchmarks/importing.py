"""What the first import of a package costs a program in the sandbox, in processor time: the figures of `import_costs`.

`python -m benchmarks.importing` prints the rows of `NATIVE` in `jupyter_mcpgen/sandbox/fuel/import_costs.py`. Each way
of importing a package runs as a program of its own, in turns with a program that imports nothing, which is taken off.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution.output import Pages

REPEATS = 7
LIGHT_MS = 60
"""What costs no more is not worth a word, and has no row."""
STEP_MS = 10
LIMITS = ExecutionLimits(memory_mb=1024, cpu_cores=1.0)
WAYS: Mapping[str, tuple[str, ...]] = {
    "numpy": ("import numpy",),
    "pandas": ("import pandas",),
    "pyarrow": ("import pyarrow", "import pyarrow.compute, pyarrow.csv, pyarrow.dataset, pyarrow.parquet"),
    "duckdb": ("import duckdb",),
    "scipy": ("import scipy", "from scipy import optimize, stats"),
    "matplotlib": ("import matplotlib", "import matplotlib.pyplot"),
    "polars": ("import polars",),
    "dask": ("import dask", "import dask.dataframe"),
    "narwhals": ("import narwhals",),
    "sqlglot": ("import sqlglot",),
    "jinja2": ("import jinja2",),
    "pydantic": ("import pydantic", "from pydantic import BaseModel"),
    "PIL": ("from PIL import Image",),
    "yaml": ("import yaml",),
    "openpyxl": ("import openpyxl",),
    "statsmodels": ("import statsmodels", "import statsmodels.api"),
    "sklearn": ("import sklearn", "import sklearn.ensemble"),
    "seaborn": ("import seaborn",),
    "sympy": ("import sympy",),
    "networkx": ("import networkx",),
}
"""The lightest and the heaviest usual way to import each."""
_LOADED = "{way}\nimport sys\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}))"


class Measured(NamedTuple):
    """The cost of a package, from the least to the most seen, and the modules that it always loads."""

    least_ms: int
    most_ms: int
    loaded: frozenset[str]


def measure(executor: Executor, package: str) -> Measured:
    """Return what importing a package costs."""
    costs = []
    for _ in range(REPEATS):
        nothing = _cpu_ms(executor, "pass")
        costs += [_cpu_ms(executor, way) - nothing for way in WAYS[package]]
    loaded = executor.execute("python", _LOADED.format(way=WAYS[package][0]), limits=LIMITS).stdout.split()
    return Measured(_rounded(min(costs)), _rounded(max(costs)), frozenset(loaded))


def rows(found: Mapping[str, Measured]) -> Iterator[str]:
    """Return the rows of the table, without those that are light."""
    heavy = {package: cost for package, cost in found.items() if cost.most_ms > LIGHT_MS}
    for package, cost in heavy.items():
        brings = "".join(f', "{other}"' for other in sorted((cost.loaded & heavy.keys()) - {package}))
        yield f'"{package}": _milliseconds({cost.least_ms}, {cost.most_ms}{brings}),'


def _cpu_ms(executor: Executor, code: str) -> float:
    run = executor.execute("python", code, limits=LIMITS)
    assert run.exit_code == 0, run.stderr
    return 1000 * run.cpu_seconds


def _rounded(milliseconds: float) -> int:
    return max(0, round(milliseconds / STEP_MS) * STEP_MS)


def main() -> None:
    """Print the table."""
    with TemporaryDirectory(prefix="mcpgen-bench-") as folder:
        executor = Executor(pages=Pages(Path(folder)))
        found = {package: measure(executor, package) for package in WAYS if find_spec(package) is not None}
    sys.stdout.writelines(f"{row}\n" for row in rows(found))


if __name__ == "__main__":
    main()
