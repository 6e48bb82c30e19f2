"""Hop 1: what was asked."""

from __future__ import annotations

from jupyter_mcpgen.errors import NotUnderstood
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.services import Services


def extract_intent(request: Request, material: Material, services: Services) -> Intent:
    """Read a request over its data; raises `NotUnderstood` with the question back or the refusal.

    What nobody here can compute is written down before the refusal is given, as the refusal says.
    """
    try:
        return services.author.understand(request, material.profile)
    except NotUnderstood as refusal:
        if refusal.missing:
            services.registry.record_missing(request.question, refusal.missing)
        raise
