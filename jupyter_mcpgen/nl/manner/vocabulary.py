"""The words of clauses about charts, orders and bins, read from the language's data file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.plan.ops import ChartKind
from jupyter_mcpgen.precomputed import words_of


@dataclass(frozen=True)
class Vocabulary:
    """Phrases with what they stand for, and closed lists of words around them."""

    charts: Mapping[str, ChartKind]
    purposes: Mapping[str, ChartKind]
    directions: Mapping[str, bool]
    """True where the largest come first."""
    axes: Mapping[str, m.Axis]
    bins: Mapping[str, frozenset[str]]
    trends: frozenset[str]
    """What asks how a figure goes with time."""
    over_time: tuple[str, ...]
    """Words that say so where no time is named."""
    lists: Mapping[str, frozenset[str]]


@lru_cache(maxsize=4)
def load_vocabulary(language: str) -> Vocabulary | None:
    """Return a language's words of such clauses, or None where it has none; read once per process."""
    tree = words_of(f"{language}_charts")
    if not tree:
        return None
    kinds = {key: {p: ChartKind(kind) for kind, ps in tree[key].items() for p in ps} for key in ("charts", "purposes")}
    sides = {
        "x_axis": m.Axis("x"),
        "y_axis": m.Axis("y"),
        "labels": m.Axis("x", said=False),
        "figures": m.Axis("y", said=False),
    }
    return Vocabulary(
        charts=kinds["charts"],
        purposes=kinds["purposes"],
        directions={phrase: key == "descending" for key in ("ascending", "descending") for phrase in tree[key]},
        axes={phrase: axis for key, axis in sides.items() for phrase in tree[key]},
        trends=frozenset(tree["trends"]["phrases"]),
        over_time=tuple(tree["trends"]["over"]),
        bins={key: frozenset(words) for key, words in tree["bins"].items()},
        lists={key: frozenset(phrases) for key, phrases in tree.items() if isinstance(phrases, list)},
    )
