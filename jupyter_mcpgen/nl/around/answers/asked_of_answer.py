"""What is asked of the answer itself: "the longest stay and where was it", "which shop sold most and how much was it".

It asks for no more than the answer shows; where the answer shows something else, the question is read as it stands.
"""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, table_of
from jupyter_mcpgen.nl.reading import Answered, Read, Refused, Understanding
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Limit, Select
from jupyter_mcpgen.plan.plan import Plan


def read_asked_of_answer(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means, without the part that asks for what its answer shows anyway."""
    table = table_of(profile, language)
    found = Speech(question).find(table.wording("asked_of_the_answer"))
    if found is None or (found["column"] and columns.named(found["column"], table) is None):
        return read(question, profile, language)
    if found["noun"] and columns.named(found["noun"], table) is not None:
        return read(question, profile, language)  # a column `value` is asked for, and no figure of the answer
    meant = read(found.said(), profile, language)
    if isinstance(meant, Answered) and _shows(meant.winner.plan, figure=bool(found["figure"])):
        return meant
    if found["cell"] and isinstance(meant, Answered) and _is_extreme(meant.winner.plan):
        row = read(found.said("row"), profile, language)
        if isinstance(row, Answered) and _shows(row.winner.plan, figure=False):
            return row
        return Refused(found.said("open", end=question.removeprefix(found["asked"]).strip(" ,?.!")))
    whole = read(question, profile, language)
    if isinstance(whole, Answered) and isinstance(meant, Answered) and whole.winner.plan == meant.winner.plan:
        return Refused(found.said("open", end=question.removeprefix(found["asked"]).strip(" ,?.!")))
    return whole


def _is_extreme(plan: Plan) -> bool:
    """Tell whether a plan gives the largest or smallest figure alone, and not the row that has it."""
    last = plan.steps[-1] if plan.steps else None
    extremes = (AggregateFunction.MAX, AggregateFunction.MIN)
    return isinstance(last, Aggregate) and not last.by.names and all(m.function in extremes for m in last.measures)


def _shows(plan: Plan, *, figure: bool) -> bool:
    """Tell whether a plan shows the first of some groups with its figure, or the first of some whole rows."""
    grouped = any(isinstance(step, Aggregate) and step.by.names for step in plan.steps)
    first = any(isinstance(step, Limit) for step in plan.steps)
    selected = any(isinstance(step, Select) for step in plan.steps)
    return first and not selected and grouped is figure
