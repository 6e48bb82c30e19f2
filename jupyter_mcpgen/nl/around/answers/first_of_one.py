"""The first of a single group: of one channel alone, that channel always has the most, so nothing was compared."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, table_of
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused, Understanding
from jupyter_mcpgen.plan.expressions import All, Col, Compare, CompareOp, Lit
from jupyter_mcpgen.plan.ops import Aggregate, Filter, Limit
from jupyter_mcpgen.plan.plan import Plan


def refusing_first_of_one(meant: Understanding, question: str, profile: Profile, language: str) -> Understanding:
    """Refuse to name the first of one group where it is asked whether that is the first of all."""
    table = table_of(profile, language)
    if isinstance(meant, Refused) or Speech(question).find(table.wording("whether")) is None:
        return meant
    ways = (meant.winner,) if isinstance(meant, Answered) else meant.options
    alone = [_alone(way.plan) for way in ways]
    group = next((one for one in alone if one is not None), None)
    if group is None:
        return meant
    left = tuple(way for way, one in zip(ways, alone, strict=True) if one is None)
    if left and isinstance(meant, Asked):
        return meant
    return Refused(
        f"The condition leaves only one `{group}`, so there is nothing to rank. Ask which `{group}` it is, over all of "
        "them.",
        words=(group,),
    )


def _alone(plan: Plan) -> str | None:
    """Return the column of which a plan keeps one value and then the first group; None for any other plan."""
    kept: set[str] = set()
    group: str | None = None
    for step in plan.steps:
        match step:
            case Filter(predicate=predicate) if group is None:
                terms = predicate.terms if isinstance(predicate, All) else (predicate,)
                for term in terms:
                    match term:
                        case Compare(op=CompareOp.EQ, left=Col(name=name), right=Lit()):
                            kept.add(name)
                        case _:
                            pass
            case Aggregate() if len(step.by.names) == 1 and step.by.names[0] in kept:
                group = step.by.names[0]
            case Limit() if group is not None:
                return group
            case _:
                pass
    return None
