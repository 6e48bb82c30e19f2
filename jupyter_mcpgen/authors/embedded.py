"""The author that needs no model: words to plan by `nl`, plan to contract and code by derivation."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.authors.author import NearForms
from jupyter_mcpgen.authors.drafting import Drafting
from jupyter_mcpgen.authors.reshaped import (
    follow_up,
    in_table,
    is_about,
    is_of_json,
    names_wide_columns,
    of_unnamed_columns,
    readings_of_rows,
    with_lists_told,
    with_names_quoted,
    with_rows_told,
)
from jupyter_mcpgen.errors import NotUnderstood
from jupyter_mcpgen.model.intent import Alternative, Intent, ReadBy, intent_of
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import Earlier, Request
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

    def understand(
        self, request: Request, profile: Profile, other: Profile | None = None
    ) -> Intent | OpenQuestion | NearForms:
        """Read a request, or ask which of its readings is meant; raises `NotUnderstood` with the honest refusal.

        A refusal that comes near to something is a question back, too: whether that will do.
        """
        if other is None and profile.reshaped:
            understood = self._of_any_rows(request, profile)
            if isinstance(understood, tuple):
                return NearForms(_intents(understood, request, profile))
        else:
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

    def _of_any_rows(self, request: Request, profile: Profile) -> Understanding | tuple[Reading, ...]:
        """Read a request over the table, and over its other rows where it does not name the columns that they are of.

        Several readings of different rows are returned as they are: whether they say the same is for the data to show.
        """
        if request.earlier is not None and request.earlier.plan.reshaping:
            followed = self._followed(request, request.earlier, profile)
            if followed is not None:
                return followed
            request = request.replace(earlier=None)
        as_it_is = self._as_it_is(request, profile)
        own = _complete(as_it_is)
        if isinstance(as_it_is, Answered) and (
            names_wide_columns(request.question, as_it_is.winner.plan, profile)
            or self._rests_on_earlier(as_it_is.winner, request, profile, None)
        ):
            return as_it_is
        alone = request.replace(earlier=None)
        others = readings_of_rows(request.question, profile, lambda rows: self._understood(alone, rows, None))
        if not others:
            return with_rows_told(as_it_is, profile)
        own = tuple(each for each in own if not of_unnamed_columns(request.question, each, profile))
        if any(map(is_of_json, others)):
            own = ()
        return (*own, *others) if own or len(others) > 1 else Answered(others[0])

    def _as_it_is(self, request: Request, profile: Profile) -> Understanding:
        """Read a request over the table; where a year that names a column is read as a number, as that name."""
        understood = self._understood(request, profile, None)
        quoted = request.replace(question=with_names_quoted(request.question, profile))
        if not isinstance(understood, Answered) and quoted != request:
            again = self._understood(quoted, profile, None)
            understood = again if isinstance(again, Answered) else understood
        return with_lists_told(understood, profile)

    def _followed(self, request: Request, earlier: Earlier, profile: Profile) -> Understanding | None:
        """Read a follow-up to a question about other rows; None where the words stand alone, or are not about these."""
        known = follow_up(earlier.plan, profile)
        if known is None:
            return None
        form, plan = known
        over = request.replace(earlier=earlier.replace(plan=plan))
        understood = self._understood(over, form.profile, None)
        if not isinstance(understood, Answered) or not is_about(understood.winner, form):
            return None
        rests = self._rests_on_earlier(understood.winner, over, form.profile, None)
        return in_table(understood, form, profile) if rests else None

    def _rests_on_model(self, winner: Reading, request: Request, profile: Profile, other: Profile | None) -> bool:
        """Tell whether a reading is a change of what only a model read, and not what the words say by themselves."""
        if request.earlier is None or not request.earlier.read_by_model:
            return False
        return self._rests_on_earlier(winner, request, profile, other)

    def _rests_on_earlier(self, winner: Reading, request: Request, profile: Profile, other: Profile | None) -> bool:
        """Tell whether a reading is a change of the one before it, and not what the words say by themselves."""
        if request.earlier is None:
            return False
        alone = self._understood(request.replace(earlier=None), profile, other)
        return not isinstance(alone, Answered) or alone.winner.plan != winner.plan

    def _understood(self, request: Request, profile: Profile, other: Profile | None) -> Understanding:
        earlier = (request.earlier.question, request.earlier.plan) if request.earlier is not None else None
        return understand(request.question, profile, self._language, earlier, other)


def _complete(understood: Understanding) -> tuple[Reading, ...]:
    """Return the readings that leave out no word."""
    match understood:
        case Answered(winner):
            return (winner,)
        case Asked(options=options):
            return options
        case Refused():
            return ()


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
