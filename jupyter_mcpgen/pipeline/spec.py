"""Hop 3: the contract, before any code."""

from __future__ import annotations

from jupyter_mcpgen.authors.author import Contract
from jupyter_mcpgen.model.written import Understood
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.registry.reserved import check_name


def write_contract(intent: Understood, name: str | None, services: Services) -> Contract:
    """Write the contract of a tool; `name` is the person's own choice, and that of a tool asks for its next version.

    A generated name is more specific where another tool has the general one.
    """
    if name is not None:
        check_name(name)
    return services.author.specify(intent, services.registry.names(), name)
