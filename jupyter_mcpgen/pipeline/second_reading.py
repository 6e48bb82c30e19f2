"""A second reader for an answer that is shown already: what another author reads is held against its card."""

from __future__ import annotations

from jupyter_mcpgen.authors.author import Author, Candidates, TwoReadings
from jupyter_mcpgen.errors import DecisionError, ModelError, NotUnderstood, UnknownCandidate
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.intent import Intent, ReadBy
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.pipeline.draft import Staged
from jupyter_mcpgen.pipeline.election import elect
from jupyter_mcpgen.pipeline.intent import is_cut
from jupyter_mcpgen.pipeline.material import Material, load_all
from jupyter_mcpgen.pipeline.present import read_by
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.two_readers import Sameness, sameness, told_apart


def read_again(staged: Staged, model: Author, services: Services) -> Card | None:
    """Have the model read the question of a planner's card, say on the card what came of it, and return it.

    Returns `None` where nothing is to be said: the model does not answer, the two cannot be compared, or a person
    has decided meanwhile. The data are loaded anew, because an engine serves one thread.
    """
    first, request = staged.computed.intent, staged.computed.request
    if not isinstance(first, Intent) or is_cut(first) or staged.card.read_by != read_by(first):
        return None
    material = load_all(request, services)
    arranged = material.arranged(first)
    if arranged.digest != staged.computed.material.digest:
        return None
    second = _understood(model, request, material, services)
    if second is None:
        return None
    sentence = _said(TwoReadings(first, second), arranged, services)
    if sentence is None:
        return None
    try:
        return services.registry.record_second_reading(staged.card.card_id, sentence, model.name)
    except (DecisionError, UnknownCandidate):
        return None  # decided or gone meanwhile: what a person said stands


def _understood(model: Author, request: Request, material: Material, services: Services) -> Understood | None:
    other = material.other.profile if material.other is not None else None
    try:
        answered = model.understand(request, material.profile, other)
        found = elect(answered, request, material, services) if isinstance(answered, Candidates) else answered
    except (ModelError, NotUnderstood):
        return None  # the planner's answer stands as it was shown
    return found if isinstance(found, Intent | WrittenIntent) else None


def _said(two: TwoReadings, material: Material, services: Services) -> str | None:
    match sameness(two, material, services):
        case Sameness.SAME:
            return read_by(two.first.replace(read_by=ReadBy.BOTH))
        case Sameness.DIFFERENT:
            reading = told_apart(two).reading.rstrip(".")
            return f"{read_by(two.first)} The model read this differently: {reading}. Add --author both to compare."
        case Sameness.UNKNOWN:
            return None
