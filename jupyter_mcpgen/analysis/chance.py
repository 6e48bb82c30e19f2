"""Why code may give another result each time: it reads the clock or draws numbers, which its imports and calls show."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jupyter_mcpgen.analysis.policy import parse
from jupyter_mcpgen.model.validation import Finding

_DRAWS, _READS = "it draws random numbers", "it reads the clock"
_MODULES = {"random": _DRAWS, "secrets": _DRAWS, "uuid": _DRAWS, "time": _READS}
_MOMENTS = frozenset({"now", "today"})
_CLOCK = frozenset({"now", "today", "utcnow"})
_CHANCE = frozenset(
    {"default_rng", "rvs", "sample", "shuffle", "bootstrap", "permutation_test", "monte_carlo_test", "resample"}
)
_SEEDS = frozenset({"random_state", "rng", "seed"})
_READS_MOMENTS = frozenset({"Timestamp", "to_datetime", "datetime64", "DatetimeIndex"})


def reasons_for_change(source: str) -> tuple[str, ...]:
    """Return why a result may change from call to call, each reason once; none for code that cannot be parsed."""
    tree = parse(source)
    return () if isinstance(tree, Finding) else tuple(dict.fromkeys(_reasons(tree)))


def _reasons(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (_MODULES[name.name] for name in names if name.name in _MODULES)
            case ast.ImportFrom(module=str(module)) if module in _MODULES:
                yield _MODULES[module]
            case (
                ast.ImportFrom(module="numpy.random") | ast.ImportFrom(module="numpy", names=[ast.alias(name="random")])
            ):
                yield _MODULES["random"]
            case ast.Call(func=ast.Attribute(attr=attr)) if attr in _CLOCK:
                yield _MODULES["time"]
            case ast.Call(func=ast.Attribute(attr=attr), keywords=keywords) if attr in _CHANCE:
                if not any(keyword.arg in _SEEDS for keyword in keywords):
                    yield _MODULES["random"]
            case ast.Call(func=ast.Attribute(attr=attr), args=[ast.Constant(value=str(text)), *_]) if (
                attr in _READS_MOMENTS and text in _MOMENTS
            ):
                yield _READS
            case ast.Attribute(value=ast.Name(id="np" | "numpy"), attr="random"):
                yield _MODULES["random"]
