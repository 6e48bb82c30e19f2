"""Hop 4: the files."""

from __future__ import annotations

from jupyter_mcpgen.authors.author import Contract
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.pipeline.draft import Draft
from jupyter_mcpgen.pipeline.services import Services

INTENT_FILE = "intent.json"


def write_code(intent: Intent, contract: Contract, services: Services) -> Draft:
    """Write the package of a contract; the intent travels with it, so that another reading can be picked later."""
    package = services.author.write(contract)
    files = {**package.files, INTENT_FILE: intent.model_dump_json(indent=2) + "\n"}
    return Draft(intent=intent, contract=contract, package=Package(files=files))
