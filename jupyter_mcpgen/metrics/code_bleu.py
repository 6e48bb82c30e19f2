"""CodeBLEU: how alike two texts are in tokens, structure and flow of values.

It is information and never gates or ranks: a program that is wrong in one token is more like the right one than another
right program is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jupyter_mcpgen.metrics.ast_matcher import ast_similarity
from jupyter_mcpgen.metrics.dataflow_analyzer import dataflow_similarity
from jupyter_mcpgen.metrics.ngram_matcher import KEYWORD_WEIGHTS, Ngrams, tokens_alike
from jupyter_mcpgen.metrics.tree import tree_of
from jupyter_mcpgen.model.validation import SemanticClosenessMetrics
from jupyter_mcpgen.scales import CodeBleuWeights


def calculate_code_bleu(
    candidate_code: str,
    reference_code: str,
    weights: CodeBleuWeights | None = None,
    keyword_weights: Mapping[str, float] | None = None,
) -> SemanticClosenessMetrics:
    """Return CodeBLEU and its parts; identical code is 1.0, and a candidate that cannot be parsed is 0.

    The reference must have been written by somebody else than the candidate, or the figure says nothing.
    """
    weights = weights or CodeBleuWeights()
    words = {**KEYWORD_WEIGHTS, **(keyword_weights or {})}
    candidate, reference = tokens_alike(candidate_code, reference_code)
    tree, other_tree = tree_of(candidate_code), tree_of(reference_code)
    ngrams = Ngrams(candidate.texts, reference.texts)
    bleu, weighted = ngrams.bleu(), ngrams.bleu(words).bleu_score
    structure, flow = ast_similarity(tree, other_tree), dataflow_similarity(tree, other_tree)
    parts = (
        (weights.ngram, bleu.bleu_score),
        (weights.weighted_ngram, weighted),
        (weights.ast, structure.ast_match_score),
        (weights.dataflow, flow.dataflow_match_score),
    )
    is_code = tree is not None and bool(candidate.texts)
    return SemanticClosenessMetrics(
        ngram_match_score=bleu.bleu_score,
        ngram_precision=bleu.ngram_precision,
        weighted_ngram_score=weighted,
        keyword_weights=words,
        ast_match_score=structure.ast_match_score,
        ast_node_overlap=structure.ast_node_overlap,
        ast_depth_similarity=structure.ast_depth_similarity,
        dataflow_match_score=flow.dataflow_match_score,
        variable_flow_similarity=flow.variable_flow_similarity,
        dependency_graph_similarity=flow.dependency_graph_similarity,
        code_bleu_score=weighted_mean(parts) if is_code or not reference.texts else 0.0,
        weights=weights,
        tokenised=candidate.is_python,
    )


def weighted_mean(parts: Iterable[tuple[float, float | None]]) -> float | None:
    """Return the mean of the parts that exist, each with its weight; None where none with a weight does."""
    known = [(weight, value) for weight, value in parts if value is not None]
    total = sum(weight for weight, _ in known)
    return min(1.0, sum(weight * value for weight, value in known) / total) if total else None
