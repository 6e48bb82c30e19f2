"""Groups that are set against each other by no figure: "compare email and phone" is by that of the answer before."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.around.counted.unsaid_figures import compares_by_no_figure, counts_rows_of_groups
from jupyter_mcpgen.nl.assembling.answers import Grouping, to_plan
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.followups.uncompared import former_of
from jupyter_mcpgen.nl.parsing.linking import link
from jupyter_mcpgen.nl.predicates import replaced
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding
from jupyter_mcpgen.nl.text.tokens import tokenize
from jupyter_mcpgen.plan.expressions import Col, IsIn, Lit
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType

SURELY_A_NAME = 0.1
_FIGURES = (m.Measured, m.Function, m.CountWord, m.HowMuch, m.GroupWord)


def by_the_same_figure(
    meant: Understanding, question: str, earlier: tuple[str, Plan] | None, profile: Profile, language: str
) -> Understanding:
    """Return a comparison of groups by the figure of the answer before, in its groups and of its rows.

    Where the question names a figure, or the answer before has none that is plain, it stays what it means by itself.
    """
    if earlier is None or (earlier[1].source, earlier[1].source_schema) != (profile.name, profile.schema_):
        return meant
    if isinstance(meant, Answered) and not counts_rows_of_groups(meant.winner.plan):
        return meant
    context = context_of(profile, language)
    sides = _sides(question, profile, language, context)
    former = former_of(earlier[1], context) if sides is not None and earlier[1].second is None else None
    if sides is None or former is None or not isinstance(former.answer, Grouping):
        return meant
    if former.answer.limit is not None or former.answer.then is not None:
        return meant
    kept, gone = replaced(former.answer.conditions, (sides,), adds=False)
    key = m.GroupKey(sides.operand.name)
    keys = former.answer.keys if key in former.answer.keys else (*former.answer.keys, key)
    answer = replace(former.answer, conditions=kept, keys=keys, chart=None)
    try:
        plan = former.complete(to_plan(answer, context))
    except PlanError:
        return meant  # the figures have no meaning for these groups
    note = f"Compared by the figure of “{earlier[0].strip(' ?.!')}”."
    return Answered(Reading(plan=plan, label="", cost=0.0, assumptions=(note, *gone)))


def _sides(question: str, profile: Profile, language: str, context: Context) -> IsIn | None:
    """Return the rows of the values of one column that are set against each other; None where more is said."""
    if not compares_by_no_figure(question, profile, language):
        return None
    tokens = tokenize(question, decimal_comma=context.lexicon.decimal_comma)
    items = [item for item in link(tokens, context) if item.cost <= SURELY_A_NAME]
    values = [item.meaning for item in items if isinstance(item.meaning, m.Value)]
    others = [item.meaning for item in items if isinstance(item.meaning, m.Column | m.Span | m.Unit)]
    columns = {value.column for value in values}
    if len(columns) != 1 or others or any(isinstance(item.meaning, _FIGURES) for item in items):
        return None
    named = tuple(dict.fromkeys(str(value.value) for value in values))
    held = tuple(Lit(value=value, type=ColumnType.TEXT) for value in named)
    return IsIn(operand=Col(name=columns.pop()), values=held) if len(held) > 1 else None
