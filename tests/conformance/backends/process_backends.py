"""The backends that must keep every promise, and how a test runs a tool on one."""

from __future__ import annotations

from collections.abc import Callable

from jupyter_mcpgen.sandbox.job import Run
from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES, Layer

NO_LAYERS: frozenset[Layer] = frozenset()
BACKENDS = {
    "level 1": (ALL_LAYERS, 2),
    "level 1, always fresh": (ALL_LAYERS, 0),
    "level 2": (WITHOUT_NAMESPACES, 2),
    "unconfined": (NO_LAYERS, 2),
}
REPORT = """
class Report(str):
    def __new__(cls, text, table=None, details=None, failed=False):
        report = super().__new__(cls, text)
        report.table, report.details, report.failed = table, details or {}, failed
        return report
"""
Runner = Callable[..., Run]
