"""BLEU over tokens of code, with clipped counts and a brevity penalty, and the same with weights for keywords."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jupyter_mcpgen.metrics.multisets import shared
from jupyter_mcpgen.metrics.tokens import Tokens, tokens_of

MAX_N = 4
DEFAULT = "__default__"
"""The key of the weight that a token has which is not named."""
KEYWORD_WEIGHTS: Mapping[str, float] = {
    "def": 2.0,
    "class": 2.0,
    "return": 1.8,
    "if": 1.5,
    "else": 1.5,
    "elif": 1.5,
    "for": 1.7,
    "while": 1.7,
    "import": 1.6,
    "from": 1.6,
    "pd": 2.0,
    "DataFrame": 1.8,
    "groupby": 2.0,
    "agg": 1.8,
    "merge": 1.8,
    "mcp": 2.5,
    "tool": 2.5,
    "Annotated": 2.0,
    "try": 1.5,
    "except": 1.5,
    "raise": 1.4,
    DEFAULT: 1.0,
}
"""The seed's weights (§4.7.2); its `@mcp` is two tokens."""
_NO_MATCH = 0.1
"""What stands for no match of an order where a lower one has some (NLTK's method 1)."""

_Ngrams = Counter[tuple[str, ...]]


@dataclass(frozen=True)
class Bleu:
    """BLEU and the precision of each order that both texts are long enough for; None where both are empty."""

    bleu_score: float | None
    ngram_precision: dict[int, float]
    brevity_penalty: float


def calculate_bleu(candidate_code: str, reference_code: str, max_n: int = MAX_N) -> Bleu:
    """Return BLEU of some code against a reference, with its parts; identical code gives 1.0."""
    candidate, reference = tokens_alike(candidate_code, reference_code)
    return bleu_of(candidate.texts, reference.texts, max_n)


def calculate_ngram_precision(candidate_tokens: Sequence[str], reference_tokens: Sequence[str], n: int) -> float | None:
    """Return the share of the candidate's n-grams that the reference has, each as often; None where it has none."""
    return _precision(_ngrams(candidate_tokens, n), _ngrams(reference_tokens, n))


def calculate_weighted_ngram_score(
    candidate_code: str, reference_code: str, keyword_weights: Mapping[str, float] | None = None
) -> float | None:
    """Return BLEU in which an n-gram counts as much as its tokens do; None where both texts are empty."""
    candidate, reference = tokens_alike(candidate_code, reference_code)
    return Ngrams(candidate.texts, reference.texts).bleu({**KEYWORD_WEIGHTS, **(keyword_weights or {})}).bleu_score


def tokens_alike(candidate_code: str, reference_code: str) -> tuple[Tokens, Tokens]:
    """Return the tokens of both texts, or the words of both where one is no Python: tokens and words never match."""
    candidate, reference = tokens_of(candidate_code), tokens_of(reference_code)
    if candidate.is_python and reference.is_python:
        return candidate, reference
    return Tokens(tuple(candidate_code.split()), is_python=False), Tokens(
        tuple(reference_code.split()), is_python=False
    )


def bleu_of(candidate: Sequence[str], reference: Sequence[str], max_n: int = MAX_N) -> Bleu:
    """Return BLEU of tokens."""
    return Ngrams(candidate, reference, max_n).bleu()


def brevity_penalty(candidate: float, reference: float) -> float:
    """Return what a text of so many tokens, or of tokens of such a weight, loses for being less than the reference."""
    if not candidate:
        return 0.0
    return 1.0 if candidate >= reference else math.exp(1 - reference / candidate)


class Ngrams:
    """The n-grams of two texts, counted once for both scores; no order is longer than the shorter text."""

    def __init__(self, candidate: Sequence[str], reference: Sequence[str], max_n: int = MAX_N) -> None:
        self._lengths = len(candidate), len(reference)
        self._orders = [
            (_ngrams(candidate, n), _ngrams(reference, n)) for n in range(1, min(max_n, *self._lengths) + 1)
        ]

    def bleu(self, weights: Mapping[str, float] | None = None) -> Bleu:
        """Return BLEU; with weights an n-gram counts as much as its tokens do, and so does one that is missing."""
        penalty = brevity_penalty(*self._lengths)
        if not self._orders:
            return Bleu(0.0 if any(self._lengths) else None, {}, penalty)
        if weights is not None:
            penalty = brevity_penalty(*(_weight(unigrams, weights) for unigrams in self._orders[0]))
        precisions = {n: _precision(*both, weights) or 0.0 for n, both in enumerate(self._orders, start=1)}
        if not precisions[1]:
            return Bleu(0.0, precisions, penalty)
        smooth = [
            precision or _NO_MATCH / own.total()
            for precision, (own, _) in zip(precisions.values(), self._orders, strict=True)
        ]
        return Bleu(penalty * math.exp(sum(map(math.log, smooth)) / len(smooth)), precisions, penalty)


def _ngrams(tokens: Sequence[str], n: int) -> _Ngrams:
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))


def _weight(ngrams: _Ngrams, weights: Mapping[str, float]) -> float:
    usual = weights.get(DEFAULT, 1.0)
    return sum(weights.get(token, usual) * count for ngram, count in ngrams.items() for token in ngram)


def _precision(candidate: _Ngrams, reference: _Ngrams, weights: Mapping[str, float] | None = None) -> float | None:
    """Return the weight of the clipped matches in that of all n-grams of the candidate."""
    if not candidate:
        return None
    if weights is None:
        return shared(candidate, reference) / candidate.total()
    usual = weights.get(DEFAULT, 1.0)
    matched = total = 0.0
    for ngram, count in candidate.items():
        weight = sum([weights.get(token, usual) for token in ngram])
        total += weight * count
        matched += weight * min(count, reference[ngram])
    return min(1.0, matched / total) if total else None
