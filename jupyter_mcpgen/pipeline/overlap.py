"""How much of what was asked a tool computes: five parts, weighed (seed 000, step 1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from jupyter_mcpgen.pipeline.similarity import BY_SPELLING, Similarity
from jupyter_mcpgen.plan.traits import Traits, are_available
from jupyter_mcpgen.registry.index import Family, IndexedTool
from jupyter_mcpgen.scales import GapScale, OverlapWeights

_DIGITS = 6
WORDS = "words"
"""What the part is called that may be met in part."""


@dataclass(frozen=True)
class Asked:
    """A question as tools are compared with it: its traits, the columns of its table by kind, and its words."""

    traits: Traits
    kinds: Mapping[str, str]
    words: str


class Exact(NamedTuple):
    """The four parts of an overlap that match or do not."""

    operation: bool
    inputs: bool
    output_format: bool
    constraints: bool


@dataclass(frozen=True)
class Overlap:
    """What of a question a tool meets; `semantic` is None where nothing could compare the words."""

    exact: Exact
    semantic: float | None
    weights: OverlapWeights
    method: str = BY_SPELLING
    """How the words were compared."""
    trouble: str = ""
    """Why they were not compared as the settings ask for, in a sentence."""

    @property
    def score(self) -> float:
        """The weighed share of what is met, from 0 to 1; a part that was not measured has no weight."""
        return _share(*_sums(self))

    @property
    def parts(self) -> tuple[tuple[str, float, float], ...]:
        """Each part that was measured: what it is called, how much of it is met, and its weight."""
        exact, weights = self.exact, self.weights
        parts = (
            ("operation", float(exact.operation), weights.operation),
            ("columns", float(exact.inputs), weights.inputs),
            ("form of the result", float(exact.output_format), weights.output_format),
            ("conditions", float(exact.constraints), weights.constraints),
        )
        return parts if self.semantic is None else (*parts, (WORDS, self.semantic, weights.semantic))


@dataclass(frozen=True)
class Found:
    """A tool of the index that may answer a question, or is near to it."""

    tool: IndexedTool
    overlap: Overlap
    answers: bool


def compare(asked: Asked, families: Iterable[Family], scale: GapScale, similarity: Similarity) -> Iterator[Found]:
    """Yield the tools that answer a question and those that are near to it, the best first, by name where equal.

    Operation and conditions must match fully in a tool that answers (ruling R27). Words are compared only where they
    can make a difference.
    """
    scores = _Scores(scale.weights)
    near = [
        (tool, exact)
        for family in families
        if scores.of(_at_best(asked, family), 1.0) >= scale.extend_from
        for tool, exact in _matches(asked, family)
        if scores.of(exact, 1.0) >= scale.extend_from
    ]
    words = similarity.between(asked.words, [tool.words for tool, _ in near])
    ranked = []
    for (tool, exact), semantic in zip(near, words.shares, strict=True):
        score = scores.of(exact, semantic)
        is_same = tool.traits.shape == asked.traits.shape and exact.operation and exact.constraints
        if score >= scale.extend_from:
            answers = is_same and score >= scale.reuse_from
            ranked.append((not answers, -score, tool.name, tool, exact, semantic))
    for does_not, _, _, tool, exact, semantic in sorted(ranked):
        overlap = Overlap(exact, semantic, scale.weights, words.method, words.trouble)
        yield Found(tool, overlap, answers=not does_not)


class _Scores:
    """The scores of overlaps; of many tools the same parts match, and only the words differ."""

    def __init__(self, weights: OverlapWeights) -> None:
        self._weights = weights
        self._known: dict[Exact, tuple[float, float]] = {}

    def of(self, exact: Exact, semantic: float | None) -> float:
        """Return what `Overlap.score` says of these parts."""
        if exact not in self._known:
            self._known[exact] = _sums(Overlap(exact, None, self._weights))
        met, whole = self._known[exact]
        weight = self._weights.semantic
        return _share(met, whole) if semantic is None else _share(met + semantic * weight, whole + weight)


def _sums(overlap: Overlap) -> tuple[float, float]:
    parts = overlap.parts
    return sum(share * weight for _, share, weight in parts), sum(weight for _, _, weight in parts)


def _share(met: float, whole: float) -> float:
    return round(met / whole, _DIGITS) if whole else 0.0


def _at_best(asked: Asked, family: Family) -> Exact:
    """Return what a tool of a family meets whose columns are all there."""
    wanted = asked.traits
    return Exact(
        operation=family.operation == wanted.operation,
        inputs=True,
        output_format=family.output == wanted.output,
        constraints=family.constraints == wanted.constraints,
    )


def _matches(asked: Asked, family: Family) -> Iterator[tuple[IndexedTool, Exact]]:
    best, known = _at_best(asked, family), dict[str, Exact]()
    for tool in family.tools:
        inputs = tool.traits.inputs
        if inputs not in known:
            known[inputs] = best._replace(inputs=are_available(inputs, asked.traits, asked.kinds))
        yield tool, known[inputs]
