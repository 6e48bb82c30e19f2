"""What a card says of the tool that a question was compared with: how near it is, and by which parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jupyter_mcpgen.model.validation import Evidence, Place, Verdict
from jupyter_mcpgen.pipeline.draft import Near, Trial
from jupyter_mcpgen.pipeline.overlap import WORDS, Overlap

NEAR, COMPARED = "near_tool", "compared_with_tool"
_MET = 1.0


def with_near(trial: Trial, near: Near) -> Trial:
    """Return a trial that names the tool it could become the next version of; an answer is no less checked for it."""
    name = near.tool.name
    line = Evidence(
        check=NEAR,
        verdict=Verdict.NOT_APPLICABLE,
        sentence=f"Similar to your tool `{name}` ({near.overlap.score:.2f}: {_difference(near.overlap)}). "
        f"To make it the next version of that tool: `%mcpgen ask --name {name} …`",
        figure=near.overlap.score,
        place=Place.NOTE,
    )
    return with_reasons(replace(trial, evidence=(*trial.evidence, line)), name, near.overlap)


def with_reasons(trial: Trial, name: str, overlap: Overlap) -> Trial:
    """Return a trial that says, folded, how each part of a question compares with a tool."""
    parts = ", ".join(_told(part, overlap.method) for part in overlap.parts)
    trouble = f" Not compared by embeddings: {overlap.trouble}" if overlap.trouble else ""
    told = Evidence(
        check=COMPARED,
        verdict=Verdict.NOT_APPLICABLE,
        sentence=f"Compared with your tool `{name}`: {parts}. Overlap {overlap.score:.2f} of 1.{trouble}",
        figure=overlap.score,
        place=Place.FOLDED,
    )
    return replace(trial, evidence=(*trial.evidence, told))


def _difference(overlap: Overlap) -> str:
    exact = [(name, share) for name, share, _ in overlap.parts if name != WORDS]
    same = [name for name, share in exact if share == _MET]
    other = [name for name, share in exact if share != _MET]
    parts = [f"same {_listed(same)}" if same else "", f"other {_listed(other)}" if other else ""]
    return ", ".join(filter(None, parts))


def _told(part: tuple[str, float, float], method: str) -> str:
    name, share, weight = part
    if name == WORDS:
        return f"{name} {share:.0%} alike {method} (weight {weight:g})"
    return f"{'same' if share == _MET else 'other'} {name} (weight {weight:g})"


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
