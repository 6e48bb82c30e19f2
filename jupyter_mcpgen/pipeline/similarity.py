"""How much alike the words of a question and of a tool are: by spelling, or by the embeddings of a model."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from operator import mul
from typing import NamedTuple, Protocol

from jupyter_mcpgen.errors import ModelError

Vector = tuple[float, ...]
BY_SPELLING = "by spelling"


class Likeness(NamedTuple):
    """How much each of several texts is like one, from 0 to 1, and how that was measured; None is not measured."""

    shares: Sequence[float | None]
    method: str = BY_SPELLING
    trouble: str = ""
    """Why it was not measured as the settings ask for, in a sentence."""


class Similarity(Protocol):
    """Compares one text with several."""

    def between(self, asked: str, told: Sequence[str]) -> Likeness:
        """Return for each text how much it is like the first."""
        ...


class Embedding(Protocol):
    """A model that turns texts into vectors; `identity` tells its vectors from those of others."""

    @property
    def name(self) -> str:
        """What it is called in a sentence."""
        ...

    @property
    def identity(self) -> str:
        """What its vectors are kept by; raises `ModelError`."""
        ...

    def vectors(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return a vector for each text, all of one length and none of them zero; raises `ModelError`."""
        ...


class VectorStore(Protocol):
    """Keeps the vectors of what tools are described in."""

    def vectors(self, model: str, texts: Collection[str]) -> Mapping[str, Vector]:
        """Return the kept vectors of a model by text."""
        ...

    def keep_vectors(self, model: str, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors of a model by text."""
        ...


class WordSimilarity:
    """Compares the words themselves, whatever their order; misspelled and inflected words count in part."""

    def between(self, asked: str, told: Sequence[str]) -> Likeness:
        """Return the share of the words that both have, by rapidfuzz's ratio of sets of tokens."""
        from rapidfuzz import fuzz  # deferred: without a tool that may be near nothing is compared

        return Likeness([fuzz.token_set_ratio(asked, text) / 100 if asked and text else None for text in told])


@dataclass(frozen=True)
class MeaningSimilarity:
    """Compares texts by the cosine of their embeddings, and by spelling where the model gives none.

    The question is sent each time; what a tool is described in is sent once for each model.
    """

    embedding: Embedding
    store: VectorStore
    otherwise: Similarity = field(default_factory=WordSimilarity)

    def between(self, asked: str, told: Sequence[str]) -> Likeness:
        """Return the cosines, with negative ones as 0; nothing is sent where there is nothing to compare."""
        texts = {text for text in told if text}
        if not asked or not texts:
            return self.otherwise.between(asked, told)
        try:
            question, vectors = self._vectors(asked, texts)
        except ModelError as error:
            return self.otherwise.between(asked, told)._replace(trouble=str(error))
        shares = [_cosine(question, vectors[text]) if text else None for text in told]
        return Likeness(shares, f"by the embeddings of `{self.embedding.name}`")

    def _vectors(self, asked: str, texts: Collection[str]) -> tuple[Vector, Mapping[str, Vector]]:
        """Return the vectors of the question and of the texts, in one request unless the model was replaced."""
        identity = self.embedding.identity
        kept = self.store.vectors(identity, texts)
        question, fresh = self._asked(asked, sorted(set(texts) - set(kept)))
        if any(len(vector) != len(question) for vector in kept.values()):
            kept = {}  # the server has another model under the same name now
            question, fresh = self._asked(asked, sorted(texts))
        if fresh:
            self.store.keep_vectors(identity, fresh)
        return question, {**kept, **fresh}

    def _asked(self, asked: str, texts: Sequence[str]) -> tuple[Vector, Mapping[str, Vector]]:
        question, *others = self.embedding.vectors([asked, *texts])
        return question, dict(zip(texts, others, strict=True))


def _cosine(one: Vector, other: Vector) -> float:
    product = math.fsum(map(mul, one, other))
    return min(1.0, max(0.0, product / (math.hypot(*one) * math.hypot(*other))))
