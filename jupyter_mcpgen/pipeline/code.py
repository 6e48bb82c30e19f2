"""Hop 4: the files."""

from __future__ import annotations

from pydantic import ValidationError

from jupyter_mcpgen.authors.author import Contract, PlannedContract, WrittenContract
from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.pipeline.draft import Draft, PlannedDraft, WrittenDraft
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.plan.shape import Shape
from jupyter_mcpgen.registry.index import PLAN

INTENT_FILE = "intent.json"
WRITTEN_FILE = "written.json"
"""The intent of a written draft, under another name: it is read as another record."""


def read_intent(package: Package) -> Understood:
    """Return what a package was made for; raises `KeyError` or `ValidationError` where nothing says it."""
    if WRITTEN_FILE in package.files:
        return WrittenIntent.model_validate_json(package.files[WRITTEN_FILE])
    return Intent.model_validate_json(package.files[INTENT_FILE])


def shape_in(package: Package) -> Shape | None:
    """Return the shape that a package was made of; None where it was not made from a plan that can be read."""
    try:
        text = package.files.get(PLAN)
        return Shape.model_validate_json(text) if text else None
    except (PlanError, ValidationError):
        return None


def was_written(package: Package) -> bool:
    """Tell whether the code of a package was written by a model or a person, and not made of a plan by us."""
    return WRITTEN_FILE in package.files


def write_code(intent: Understood, contract: Contract, services: Services) -> Draft:
    """Write the package of a contract; the intent travels with it, so that another reading can be picked later."""
    package = services.author.write(contract)
    name = INTENT_FILE if isinstance(intent, Intent) else WRITTEN_FILE
    whole = Package(files={**package.files, name: intent.model_dump_json(indent=2) + "\n"})
    match intent, contract:
        case Intent(), PlannedContract():
            return PlannedDraft(intent=intent, contract=contract, package=whole)
        case WrittenIntent(), WrittenContract():
            return WrittenDraft(intent=intent, contract=contract, package=whole)
        case _:
            raise TypeError("a contract of another kind than its intent")
