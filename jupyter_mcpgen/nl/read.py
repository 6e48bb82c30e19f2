"""Reads a question about a table: ranked readings with a clear winner, or a question back, or a refusal."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assemble import assemble
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.labels import labels
from jupyter_mcpgen.nl.linking import link
from jupyter_mcpgen.nl.parse import Cover, parse
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.nl.refusal import refuse, refuse_unsupported
from jupyter_mcpgen.nl.spelling import corrected
from jupyter_mcpgen.nl.tokens import MAX_TOKENS, Token, tokenize
from jupyter_mcpgen.plan.english import say_plan

CLEAR_MARGIN = 0.06
"""Two readings that are nearer than this are asked about."""
OFFERED = 0.5
"""Readings up to this much costlier than the winner are offered beside it."""
MAX_CHIPS = 4
MAX_OPTIONS = 5
"""How many readings a question back lists."""
WORST_ANSWER = 0.55
"""A reading costlier than this is not believed, only offered."""
SURELY_A_NAME = 0.1
"""A column or value named at most this uncertainly is no word of the language."""


def read(question: str, profile: Profile, language: str = "en") -> Understanding:
    """Return what a question means over a table. Deterministic; takes bounded time for any text."""
    context = context_of(profile, language)
    tokens, notes = corrected(tokenize(question), context)
    if not tokens:
        return Refused("There is no question. Ask for example: how many rows are there by month?")
    unsupported = _unsupported(tokens, context)
    if unsupported:
        return refuse_unsupported(tuple(unsupported), tuple(unsupported.values()), tokens, context)
    parsed = parse(tokens, context)
    cut = len(tokens) == MAX_TOKENS or not parsed.complete
    readings = _readings(parsed.covers, notes, context)
    whole = [reading for reading, uncovered in readings if not uncovered]
    if cut or not whole or whole[0].cost > WORST_ANSWER:
        nearest = readings[0][0] if readings else None
        return refuse(tokens, parsed, nearest, context, cut=cut)
    return _decide(whole, context)


def _unsupported(tokens: tuple[Token, ...], context: Context) -> dict[str, str]:
    """Return what no plan can say, with the words that ask for it, unless they are part of a column or value."""
    items = link(tokens, context)
    names = [i for i in items if isinstance(i.meaning, m.Column | m.Value) and i.cost <= SURELY_A_NAME]
    return {
        item.meaning.capability: " ".join(token.text for token in tokens[item.start : item.end])
        for item in items
        if isinstance(item.meaning, m.Unsupported)
        and not any(name.start <= item.start and item.end <= name.end for name in names)
    }


def _readings(
    covers: tuple[Cover, ...], notes: tuple[str, ...], context: Context
) -> list[tuple[Reading, tuple[int, ...]]]:
    best: dict[str, tuple[Reading, tuple[int, ...]]] = {}
    for cover in covers:
        for reading in assemble(cover, context):
            key = f"{say_plan(reading.plan)} {reading.plan.chart}"  # what sounds alike is one choice to a person
            if key not in best or reading.cost < best[key][0].cost:
                best[key] = (replace(reading, assumptions=(*notes, *reading.assumptions)), cover.uncovered)
    return sorted(best.values(), key=lambda pair: (pair[0].cost, say_plan(pair[0].plan)))


def _decide(readings: list[Reading], context: Context) -> Understanding:
    winner, *others = readings
    rivals = [reading for reading in others if reading.cost - winner.cost < CLEAR_MARGIN]
    if rivals:
        options = (winner, *rivals)[:MAX_OPTIONS]
        lines = "; ".join(f"({number}) {say_plan(option.plan)}" for number, option in enumerate(options, 1))
        notes = "".join(f" {note}" for note in winner.assumptions if all(note in o.assumptions for o in options))
        return Asked(
            f"This can be read in {len(options)} ways: {lines}. Which one do you mean? Ask again in its words.{notes}",
            options,
        )
    if winner.doubts:
        return _ask_what_a_row_is(winner, context)
    near = [reading for reading in others if reading.cost - winner.cost <= OFFERED and not reading.doubts][:MAX_CHIPS]
    named = labels(winner.plan, tuple(reading.plan for reading in near))
    chips = tuple(replace(reading, label=label) for reading, label in zip(near, named, strict=True))
    return Answered(winner, chips, winner.no_chart)


def _ask_what_a_row_is(winner: Reading, context: Context) -> Asked:
    noun = winner.doubts[0]
    return Asked(
        f"Is each row of `{context.profile.name}` one of the “{noun}”? No column or value is called that. If so, ask "
        f"with “rows” in its place; the reading then is: {say_plan(winner.plan)}.",
        (winner,),
    )
