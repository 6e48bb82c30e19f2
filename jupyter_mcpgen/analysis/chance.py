"""Why code may give another result each time: it reads the clock or draws numbers, which its imports and calls show."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

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
    unset = frozenset(_unset_parameters(tree))
    seeded = set(_seeded_sources(tree, unset))
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
            case ast.Call(func=ast.Attribute(attr=attr, value=value)) if attr in _CHANCE:
                if id(value) not in seeded and not _is_given(
                    (k.value for k in node.keywords if k.arg in _SEEDS), unset
                ):
                    yield _MODULES["random"]
            case ast.Call(func=ast.Attribute(attr=attr), args=[ast.Constant(value=str(text)), *_]) if (
                attr in _READS_MOMENTS and text in _MOMENTS
            ):
                yield _READS
            case ast.Attribute(value=ast.Name(id="np" | "numpy"), attr="random") if id(node) not in seeded:
                yield _MODULES["random"]


def _seeded_sources(tree: ast.Module, unset: Collection[str]) -> Iterator[int]:
    """Yield what a generator is made of that draws the same numbers each time: `np.random` in its `default_rng(7)`."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="default_rng", value=value), args=args, keywords=keywords):
                if _is_given([*args[:1], *(k.value for k in keywords if k.arg in _SEEDS)], unset):
                    yield id(value)


def _is_given(seeds: Iterable[ast.expr], unset: Collection[str]) -> bool:
    """Tell whether one of the seeds is there: `None`, or a parameter that is `None` if nobody gives it, is not."""
    return any(
        not (isinstance(seed, ast.Constant) and seed.value is None)
        and not (isinstance(seed, ast.Name) and seed.id in unset)
        for seed in seeds
    )


def _unset_parameters(tree: ast.Module) -> Iterator[str]:
    """Yield the parameters of functions that are `None` where nobody gives them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            places = [*node.args.posonlyargs, *node.args.args]
            defaults = [*zip(reversed(places), reversed(node.args.defaults), strict=False)]
            defaults += [
                (k, d) for k, d in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if d is not None
            ]
            yield from (p.arg for p, d in defaults if isinstance(d, ast.Constant) and d.value is None)
