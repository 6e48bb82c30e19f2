"""Dresses the charts of an answer as the question wished, and says what of it has no place on them."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.manner.looks import Looks, take_looks
from jupyter_mcpgen.nl.manner.wholes import adds_up
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Reading, Refused, Understanding
from jupyter_mcpgen.plan.looks import Look
from jupyter_mcpgen.plan.ops import Chart, ChartKind
from jupyter_mcpgen.plan.plan import Plan

_BARS = (ChartKind.BAR, ChartKind.BOX)
_SCALED = (ChartKind.LINE, ChartKind.SCATTER)


def read_looks(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question means without its wishes for the look of the chart, drawn as it wished.

    Where nothing is drawn the words were no wishes for a chart, so the question is read with all of them.
    """
    context = context_of(profile, language)
    looks = take_looks(question, context, language)
    if looks is None:
        return read(question, profile, language)
    meant = read(looks.text, profile, language)
    match meant:
        case Answered(winner, alternatives) if winner.plan.chart is not None:
            others = tuple(dressed(other, looks, context) for other in alternatives)
            return replace(meant, winner=dressed(winner, looks, context), alternatives=others)
        case Asked(text, options):
            clad = tuple(dressed(option, looks, context) for option in options)
            stacked = [one for one in clad if one.plan.chart is not None and one.plan.chart.look.stack is not None]
            if len(stacked) == 1:
                return Answered(stacked[0])
            return Asked(text, clad)
        case Refused():
            return meant
        case _:
            return read(question, profile, language)


def dressed(reading: Reading, looks: Looks, context: Context) -> Reading:
    """Return a reading whose chart looks as it was wished; what has no place on it is said."""
    plan = reading.plan
    if plan.chart is None:
        return reading
    look, notes = _fitting(looks.look, plan, plan.chart, context)
    chart = plan.chart.model_copy(update={"look": look})
    made = plan.model_copy(update={"chart": chart})
    return replace(reading, plan=made, assumptions=(*reading.assumptions, *looks.notes, *notes))


def _fitting(look: Look, plan: Plan, chart: Chart, context: Context) -> tuple[Look, tuple[str, ...]]:
    """Return what of a look the chart can have, and why it cannot have the rest."""
    notes: list[str] = []
    if look.title:
        notes.append(f"The tool's chart is titled “{look.title}”; above the card's own drawing stands the reading.")
    if look.stack is not None and (reason := _why_not_stacked(plan, chart, context)):
        look = look.model_copy(update={"stack": None})
        notes.append(reason)
    if look.lying and chart.kind not in _BARS:
        look = look.model_copy(update={"lying": False})
        notes.append(f"A {chart.kind.value} chart has no bars that could lie.")
    if (look.log_x or look.log_y) and chart.kind not in _SCALED:
        look = look.model_copy(update={"log_x": False, "log_y": False})
        notes.append(
            f"The scale is linear: a {chart.kind.value} chart begins at zero, which a logarithmic scale does not have. "
            "Ask for a line or a scatter chart to see it on one."
        )
    return look, tuple(notes)


def _why_not_stacked(plan: Plan, chart: Chart, context: Context) -> str:
    """Return why bars cannot stand on each other; nothing where they can."""
    if chart.kind is not ChartKind.BAR:
        return f"Nothing is stacked: a {chart.kind.value} chart has no bars."
    if chart.color is None:
        return "Nothing is stacked: the question names one group. Name a second one, which colors parts of each bar."
    if not adds_up(plan, context):
        return f"The bars stand side by side: `{chart.y}` is no amount that adds up, so a stack would have no meaning."
    return ""
