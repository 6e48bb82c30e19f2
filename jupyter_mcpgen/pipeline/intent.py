"""Hop 1: what was asked."""

from __future__ import annotations

from jupyter_mcpgen.data.references import repeated_columns
from jupyter_mcpgen.errors import AskedBack, DataError, NearlyUnderstood, NotUnderstood
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import DataRef, Request
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.services import Services


def extract_intent(request: Request, material: Material, services: Services) -> Intent:
    """Read a request over its data; raises `AskedBack` with the readings to pick from, or `NotUnderstood`.

    `NearlyUnderstood` is a refusal that leaves a question open: whether the nearest that can be computed will do.

    What nobody here can compute is written down before the refusal is given, as the refusal says.
    """
    try:
        other = material.other.profile if material.other is not None else None
        understood = services.author.understand(request, material.profile, other)
    except NotUnderstood as refusal:
        if refusal.missing:
            services.registry.record_missing(request.question, refusal.missing)
        raise
    for ref in (request.data, request.other):
        if ref is not None:
            _refuse_repeated_names(understood, ref)
    if isinstance(understood, OpenQuestion):
        services.ask_back(understood)
        if understood.refusal:
            raise NearlyUnderstood(understood.refusal, understood.question_id)
        raise AskedBack(understood.text, understood.question_id)
    return understood


def _refuse_repeated_names(understood: Intent | OpenQuestion, ref: DataRef) -> None:
    """Refuse a question about one of two columns of the same name: which of them was meant cannot be known."""
    intents = understood.intents if isinstance(understood, OpenQuestion) else (understood,)
    used = {name for intent in intents for name in intent.columns}
    for given, columns in repeated_columns(ref).items():
        if used.intersection(columns):
            raise DataError(
                f"`{ref.name}` has {len(columns)} columns named `{given}`, so a question about it cannot be "
                "answered. Rename them so that each has a name of its own, then ask again."
            )
