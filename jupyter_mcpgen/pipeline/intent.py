"""Hop 1: what was asked."""

from __future__ import annotations

from jupyter_mcpgen.authors.author import Answered, Candidates, NearForms, TwoReadings
from jupyter_mcpgen.data.parquet_tables import memory_of
from jupyter_mcpgen.errors import AskedBack, NearlyUnderstood, NotUnderstood
from jupyter_mcpgen.model.intent import Intent, OutputFormat, intent_of
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.pipeline.election import elect
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.options import with_rows
from jupyter_mcpgen.pipeline.output_format import split_format
from jupyter_mcpgen.pipeline.repeated_names import which_column
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.two_readers import settle, settle_forms
from jupyter_mcpgen.plan.ops import CUTS, FIGURES, Aggregate, AggregateFunction, Limit, Measure
from jupyter_mcpgen.sandbox.policy import Limits

FIRST_ROWS = 1_000
"""How many rows of a list are shown where all of them are more than a result may hold."""
LARGER_AS_RESULT = 2
"""How much larger a result may be than the table in memory: it is also written for people."""


def extract_intent(request: Request, material: Material, services: Services) -> Understood:
    """Read a request over its data; raises `AskedBack` with the readings to pick from, or `NotUnderstood`.

    `NearlyUnderstood` is a refusal that leaves a question open: whether the nearest that can be computed will do.

    What nobody here can compute is written down before the refusal is given, as the refusal says.
    """
    other = material.other.profile if material.other is not None else None
    question, form = split_format(request.question, *filter(None, (material.profile, other)))
    try:
        understood = services.author.understand(request.replace(question=question), material.profile, other)
    except NotUnderstood as refusal:
        services.go_on()  # a model that was stopped in the middle leaves a refusal behind
        if refusal.missing:
            services.registry.record_missing(request.question, refusal.missing)
        raise
    understood = _in_form(_settled(understood, request, material, services), form)
    for ref in (request.data, request.other):
        if ref is not None:
            understood = which_column(understood, ref, request)
    if isinstance(understood, OpenQuestion):
        services.go_on()
        services.ask_back(with_rows(understood, material, services))
        if understood.refusal:
            told = " ".join(filter(None, [understood.refusal, understood.way_on]))
            raise NearlyUnderstood(told, understood.question_id)
        told = " ".join(filter(None, [understood.text, understood.way_on]))
        raise AskedBack(told, understood.question_id)
    return understood


def _in_form(understood: Understood | OpenQuestion, form: OutputFormat) -> Understood | OpenQuestion:
    if isinstance(understood, OpenQuestion):
        return understood.replace(intents=tuple(each.replace(output_format=form) for each in understood.intents))
    return understood.replace(output_format=form)


def _settled(answered: Answered, request: Request, material: Material, services: Services) -> Understood | OpenQuestion:
    """Return what several readings come to, by the rows that they give."""
    match answered:
        case Candidates(beside=first):
            try:
                elected = elect(answered, request, material, services)
            except NotUnderstood:
                if first is None:
                    raise
                return first
            if first is None or isinstance(elected, OpenQuestion):
                return elected
            return settle(TwoReadings(first, elected), request, material, services)
        case TwoReadings():
            return settle(answered, request, material, services)
        case NearForms():
            return settle_forms(answered, request, material, services)
        case _:
            return answered


def keep_first_rows(intent: Understood, material: Material, limits: Limits) -> Understood:
    """Return an intent whose list of rows is cut where all of them are more than a result may hold."""
    if isinstance(intent, WrittenIntent):
        return intent
    plan = intent.plan
    size = memory_of(material.rows)
    if size * LARGER_AS_RESULT <= limits.result_bytes or any(
        isinstance(step, (*FIGURES, *CUTS)) for step in plan.steps
    ):
        return intent
    counted = Aggregate(measures=(Measure(function=AggregateFunction.COUNT),))
    rows = int(str(material.engine.table(plan.with_steps((*plan.steps, counted))).iloc[0, 0]))
    shown = len(plan.result_schema.names) / len(material.profile.columns)
    if size * LARGER_AS_RESULT * shown * rows / material.profile.rows <= limits.result_bytes:
        return intent
    first = plan.with_steps((*plan.steps, Limit(count=FIRST_ROWS)))
    note = (
        f"The first {FIRST_ROWS:,} of {rows:,} rows are listed, because all of them would be too big for one result. "
        f"Ask for a number of them, such as “first {5 * FIRST_ROWS:,} rows”, or add a condition."
    )
    cut = intent_of(first, intent.input, (*intent.assumptions, note), intent.alternatives, intent.other_input)
    return cut.replace(read_by=intent.read_by, output_format=intent.output_format)


def is_cut(intent: Intent) -> bool:
    """Tell whether a list may have been cut to its first rows because all of them were too many."""
    return Limit(count=FIRST_ROWS) in intent.plan.steps
