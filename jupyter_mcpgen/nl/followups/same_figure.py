"""A question back that the answer before settles: "top 3 channels" after "revenue by region" is by revenue, too."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.nl.reading import Answered, Asked, Understanding
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.ops import Aggregate, Filter, Measure
from jupyter_mcpgen.plan.plan import Plan


def settled(understood: Understanding, question: str, earlier: tuple[str, Plan] | None) -> Understanding:
    """Return the one reading with the figure of the answer before, where a question leaves open which figure it is of.

    An answer that was of some rows only settles nothing: whether the question is of these is not known.
    """
    if earlier is None or not isinstance(understood, Asked):
        return understood
    asked_before, plan = earlier
    if any(isinstance(step, Filter) for step in plan.steps):
        return understood
    before = _figures(plan)
    figures = [_figures(option.plan) for option in understood.options]
    fitting = [o for o, own in zip(understood.options, figures, strict=True) if own == before]
    if not before or len(fitting) != 1 or len(set(figures)) != len(figures):
        return understood
    note = f"“{question.strip(' ?.!')}” is taken to be about the figure of “{asked_before.strip(' ?.!')}”."
    winner = replace(fitting[0], assumptions=(note, *fitting[0].assumptions))
    others = tuple(replace(o, label=say_plan(o.plan)) for o in understood.options if o is not fitting[0])
    return Answered(winner, others)


def _figures(plan: Plan) -> tuple[Measure, ...]:
    """Return the figures of the only aggregation of a plan; none where it has none, or several."""
    found = [step.measures for step in plan.steps if isinstance(step, Aggregate) and step.by.names]
    return found[0] if len(found) == 1 else ()
