"""Hop 1, continued: a plan that its own query contradicts is dropped, and the query stays."""

from __future__ import annotations

from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.references import plan_reference
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.plan.shape import generalise


def hold_to_query(intent: Understood, request: Request, material: Material, services: Services) -> Understood:
    """Return an intent whose plan gives the rows of the query that it was read from, wherever both are computed.

    Where it does not, the author writes code that is held against the query; raises a `ModelError` if it cannot.
    """
    if not isinstance(intent, Intent) or intent.own is None:
        return intent
    reference = plan_reference(intent.plan, generalise(intent.plan), intent, services)
    difference = reference.contradiction(material.arranged(intent))
    if difference is None:
        return intent
    other = material.other.profile if material.other is not None else None
    instead = services.author.code_instead(intent, request, material.profile, other)
    if not isinstance(instead, WrittenIntent):
        return instead
    note = f"The plan that was read from the SQL gave other rows ({difference}), so the code was written without it."
    return instead.replace(assumptions=(*instead.assumptions, note))
