"""Hop 3: the contract, before any code."""

from __future__ import annotations

from jupyter_mcpgen.authors.author import Contract
from jupyter_mcpgen.errors import NameTaken
from jupyter_mcpgen.model.written import Understood
from jupyter_mcpgen.pipeline.gap import names_in_use
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.registry.reserved import check_name


def write_contract(intent: Understood, name: str | None, services: Services) -> Contract:
    """Write the contract of a tool; `name` is the person's own choice and must be allowed and free."""
    taken = names_in_use(services)
    if name is not None:
        check_name(name)
    if name is not None and name in taken:
        raise NameTaken(
            f"The name `{name}` belongs to another tool. Choose another with `--name`, or leave it out to get "
            "a free one."
        )
    return services.author.specify(intent, taken, name)
