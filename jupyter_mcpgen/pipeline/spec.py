"""Hop 3: the contract, before any code."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from jupyter_mcpgen.authors.author import Contract
from jupyter_mcpgen.authors.reading_files import read_by
from jupyter_mcpgen.model.file_reading import FileReading
from jupyter_mcpgen.model.written import Understood
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.registry.reserved import check_name


def write_contract(
    intent: Understood,
    name: str | None,
    services: Services,
    readings: Mapping[str, FileReading] = MappingProxyType({}),
) -> Contract:
    """Write the contract of a tool; `name` is the person's own choice, and that of a tool asks for its next version.

    A generated name is more specific where another tool has the general one. What a person said of how the files
    are read becomes the default of the tool.
    """
    if name is not None:
        check_name(name)
    contract = services.author.specify(intent, services.registry.names(), name)
    return read_by(contract, readings)
