"""The author that needs no model: words to plan by `nl`, plan to contract and code by derivation."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.authors.drafting import Drafting
from jupyter_mcpgen.errors import NotUnderstood
from jupyter_mcpgen.model.intent import Alternative, Intent, ReadBy, intent_of
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.nl.labels import labels
from jupyter_mcpgen.nl.reading import NEAREST, Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.nl.refusal import nearest_answer
from jupyter_mcpgen.nl.understand import understand
from jupyter_mcpgen.plan.english import say_plan


class EmbeddedAuthor(Drafting):
    """Deterministic: the same question over the same data gives the same tool, to the byte."""

    name = "embedded-planner"

    def __init__(self, language: str = "en") -> None:
        self._language = language

    def understand(self, request: Request, profile: Profile, other: Profile | None = None) -> Intent | OpenQuestion:
        """Read a request, or ask which of its readings is meant; raises `NotUnderstood` with the honest refusal.

        A refusal that comes near to something is a question back, too: whether that will do.
        """
        understood = self._understood(request, profile, other)
        match understood:
            case Answered(winner, alternatives):
                intent = _intent(winner, alternatives, request, profile)
                rests_on_model = self._rests_on_model(winner, request, profile, other)
                return intent.replace(read_by=ReadBy.MODEL) if rests_on_model else intent
            case Asked(question, options=()):
                raise NotUnderstood(question)
            case Asked(question, options):
                return OpenQuestion(request=request, text=question, intents=_intents(options, request, profile))
            case Refused(message, missing_capabilities=missing):
                nearest = nearest_answer(understood, profile.schema_)
                if nearest is None:
                    raise NotUnderstood(message, missing)
                said = say_plan(nearest.plan)
                without = ", ".join(f"“{word}”" for word in understood.words)
                text = f"{f'Without {without}, I' if without else 'I'} could answer: (1) {said}?"
                intents = _intents((nearest,), request, profile)
                why = " ".join(message.replace(NEAREST.format(said), "").split())  # the option says it
                return OpenQuestion(request=request, text=text, intents=intents, refusal=why or message)

    def _rests_on_model(self, winner: Reading, request: Request, profile: Profile, other: Profile | None) -> bool:
        """Tell whether a reading is a change of what only a model read, and not what the words say by themselves."""
        if request.earlier is None or not request.earlier.read_by_model:
            return False
        alone = self._understood(request.model_copy(update={"earlier": None}), profile, other)
        return not isinstance(alone, Answered) or alone.winner.plan != winner.plan

    def _understood(self, request: Request, profile: Profile, other: Profile | None) -> Understanding:
        earlier = (request.earlier.question, request.earlier.plan) if request.earlier is not None else None
        return understand(request.question, profile, self._language, earlier, other)


def _intents(options: tuple[Reading, ...], request: Request, profile: Profile) -> tuple[Intent, ...]:
    """Return what is meant by each reading that was asked about, with the others to switch to."""
    intents = []
    for option in options:
        others = tuple(other for other in options if other is not option)
        named = labels(option.plan, tuple(other.plan for other in others))
        chips = tuple(replace(other, label=label) for other, label in zip(others, named, strict=True))
        intents.append(_intent(option, chips, request, profile))
    return tuple(intents)


def _intent(winner: Reading, alternatives: tuple[Reading, ...], request: Request, profile: Profile) -> Intent:
    others = tuple(
        Alternative(
            label=other.label or say_plan(other.plan),
            reading=say_plan(other.plan),
            plan=other.plan,
            assumptions=other.assumptions,
        )
        for other in alternatives
    )
    refs = (request.data, request.other)
    swapped = winner.plan.second is not None and winner.plan.source != profile.name
    first, second = (ref.path if ref is not None else None for ref in (reversed(refs) if swapped else refs))
    return intent_of(winner.plan, first or request.data.path, winner.assumptions, others, second)
