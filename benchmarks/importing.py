"""What the first import of a package costs a program in the sandbox: the figures of `import_costs`.

`python -m benchmarks.importing` prints the rows of `NATIVE` in `jupyter_mcpgen/sandbox/fuel/import_costs.py`, in
milliseconds of processor time, and with `--wasm` those of `WASI_PYTHON`, in instructions. Each way of importing a
package runs as a program of its own, in turns with a program that imports nothing, which is taken off.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from jupyter_mcpgen.model.fuel import MOST_FUEL
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.wasm.execution import WasmExecutor

REPEATS = 7
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
    "statsmodels": ("import statsmodels.api",),
    "sklearn": ("import sklearn", "import sklearn.ensemble"),
    "seaborn": ("import seaborn",),
    "sympy": ("import sympy",),
    "networkx": ("import networkx",),
}
"""The lightest and the heaviest usual way to import each."""
_LOADED = "{way}\nimport sys\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}))"


class Ran(NamedTuple):
    """What a program used and printed."""

    cost: float
    stdout: str


Run = Callable[[str], Ran | None]
"""Runs a program; nothing comes of one that fails."""


class Scale(NamedTuple):
    """How a cost is written: the function of the row, how many decimals, and what is not worth a row."""

    row: str
    decimals: int
    light: float


MILLISECONDS = Scale("_milliseconds", -1, 60)
"""To ten milliseconds, which is what the kernel counts in."""
BILLIONS = Scale("_billions", 2, 1)


class Measured(NamedTuple):
    """The cost of a package, from the least to the most seen, and the modules that it always loads."""

    least: float
    most: float
    loaded: frozenset[str]


def measure(run: Run, ways: tuple[str, ...], repeats: int) -> Measured | None:
    """Return what importing a package costs; nothing where it cannot be imported."""
    costs = []
    for _ in range(repeats):
        nothing, *found = map(run, ("pass", *ways))
        if nothing is None or None in found:
            return None
        costs += [one.cost - nothing.cost for one in found if one is not None]
    told = run(_LOADED.format(way=ways[0]))
    return Measured(min(costs), max(costs), frozenset(told.stdout.split() if told is not None else ()))


def rows(found: Mapping[str, Measured], scale: Scale) -> Iterator[str]:
    """Return the rows of the table, without those that are light."""
    heavy = {package: cost for package, cost in found.items() if cost.most > scale.light}
    for package, cost in heavy.items():
        brings = "".join(f', "{other}"' for other in sorted((cost.loaded & heavy.keys()) - {package}))
        least, most = (f"{round(figure, scale.decimals):g}" for figure in (cost.least, cost.most))
        yield f'"{package}": {scale.row}({least}, {most}{brings}),'


def natively(executor: Executor) -> Run:
    """Return what runs a program natively and measures its processor time in milliseconds."""

    def run(code: str) -> Ran | None:
        ended = executor.execute("python", code, limits=LIMITS)
        return None if ended.exit_code else Ran(1000 * ended.cpu_seconds, ended.stdout)

    return run


def in_wasm(executor: WasmExecutor) -> Run:
    """Return what runs a program in WebAssembly and counts its instructions in billions."""

    def run(code: str) -> Ran | None:
        ended = executor.execute("python", code, timeout=300, fuel_budget=MOST_FUEL)
        if ended.execution.exit_code or ended.fuel is None or ended.fuel.consumed is None:
            return None
        return Ran(ended.fuel.consumed / 1e9, ended.execution.stdout)

    return run


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.importing", description=__doc__)
    parser.add_argument("--wasm", action="store_true", help="of Python in WebAssembly")
    wasm = parser.parse_args().wasm
    with TemporaryDirectory(prefix="mcpgen-bench-") as folder:
        pages = Pages(Path(folder))
        run = in_wasm(WasmExecutor(pages=pages)) if wasm else natively(Executor(pages=pages))
        measured = {package: measure(run, ways, 1 if wasm else REPEATS) for package, ways in WAYS.items()}
    found = {package: cost for package, cost in measured.items() if cost is not None}
    sys.stdout.writelines(f"{row}\n" for row in rows(found, BILLIONS if wasm else MILLISECONDS))


if __name__ == "__main__":
    main()
