"""Reads a question about a table: ranked readings with a clear winner, or a question back, or a refusal."""

from __future__ import annotations

from dataclasses import replace

from rapidfuzz import fuzz, process

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.assemble import assemble, collect
from jupyter_mcpgen.nl.lexicon import load_lexicon
from jupyter_mcpgen.nl.linking import Context, column_matches, link
from jupyter_mcpgen.nl.parse import Cover, parse
from jupyter_mcpgen.nl.reading import Answered, Asked, Reading, Refused, Understanding
from jupyter_mcpgen.nl.tokens import MAX_TOKENS, Token, tokenize
from jupyter_mcpgen.nl.words import split_name
from jupyter_mcpgen.plan.columns import used_columns
from jupyter_mcpgen.plan.english import say_plan

CLEAR_MARGIN = 0.06
"""Two readings that are nearer than this are asked about."""
OFFERED = 0.5
"""Readings up to this much costlier than the winner are offered beside it."""
MAX_CHIPS = 4
WORST_ANSWER = 0.55
"""A reading costlier than this is not believed, only offered."""


def read(question: str, profile: Profile, language: str = "en") -> Understanding:
    """Return what a question means over a table. Deterministic; takes bounded time for any text."""
    context = Context(profile, load_lexicon(language))
    tokens = tokenize(question)
    if not tokens:
        return Refused("There is no question. Ask for example: how many rows are there by month?")
    unsupported = _unsupported(tokens, context)
    if unsupported:
        return _refuse_unsupported(unsupported, tokens, context)
    covers = parse(tokens, context)
    readings = _readings(covers, context)
    complete = [reading for reading, uncovered in readings if not uncovered]
    if len(tokens) == MAX_TOKENS or not complete or complete[0].cost > WORST_ANSWER:
        return _refuse(readings, covers, context)
    return _decide(complete, covers, context)


def _readings(covers: tuple[Cover, ...], context: Context) -> list[tuple[Reading, tuple[str, ...]]]:
    best: dict[str, tuple[Reading, tuple[str, ...]]] = {}
    for cover in covers:
        for reading in assemble(cover, context):
            key = reading.plan.model_dump_json(exclude={"source_schema"})
            if key not in best or reading.cost < best[key][0].cost:
                best[key] = (reading, cover.uncovered)
    return sorted(best.values(), key=lambda pair: (pair[0].cost, say_plan(pair[0].plan)))


def _decide(readings: list[Reading], covers: tuple[Cover, ...], context: Context) -> Understanding:
    winner, *others = readings
    near = [reading for reading in others if reading.cost - winner.cost <= OFFERED]
    rivals = [reading for reading in near if reading.cost - winner.cost < CLEAR_MARGIN]
    if rivals:
        options = (winner, *rivals)
        lines = "; ".join(f"({number}) {say_plan(option.plan)}" for number, option in enumerate(options, 1))
        return Asked(f"This can be read in {len(options)} ways: {lines}. Which one?", options)
    no_chart = any((parts := collect(cover, context)) is not None and parts.no_chart for cover in covers[:1])
    near.sort(key=lambda reading: (_columns(reading) != _columns(winner), reading.cost))
    return Answered(winner, tuple(_labelled(reading, winner) for reading in near[:MAX_CHIPS]), no_chart)


def _labelled(reading: Reading, winner: Reading) -> Reading:
    """Name what sets a reading apart: its function if the columns are the winner's, else all of it."""
    same = reading.label and _columns(reading) == _columns(winner)
    return replace(reading, label=reading.label if same else say_plan(reading.plan))


def _columns(reading: Reading) -> frozenset[str]:
    return used_columns(reading.plan)


def _unsupported(tokens: tuple[Token, ...], context: Context) -> tuple[str, ...]:
    found = [item.meaning.capability for item in link(tokens, context) if isinstance(item.meaning, m.Unsupported)]
    return tuple(dict.fromkeys(found))


def _refuse_unsupported(capabilities: tuple[str, ...], tokens: tuple[Token, ...], context: Context) -> Refused:
    named = [item.meaning.name for item in link(tokens, context) if isinstance(item.meaning, m.Column)]
    what = " and ".join(capabilities)
    columns = "" if named else " The question also names no column of the data: which ones should be used?"
    return Refused(
        f"The built-in planner cannot compute {what} yet. This is recorded as a missing capability, and nothing else "
        f"was computed in its place.{columns}",
        missing_capabilities=capabilities,
    )


def _refuse(readings: list[tuple[Reading, tuple[str, ...]]], covers: tuple[Cover, ...], context: Context) -> Refused:
    nearest, words = readings[0] if readings else (None, covers[0].uncovered if covers else ())
    if covers:
        words = tuple(dict.fromkeys([*words, *_assumed_nouns(covers[0])]))
    parts = ["This question was not understood well enough to answer it."]
    for word in words:
        column = _nearest_column(word, context)
        parts.append(f"`{word}` is no column or value of `{context.profile.name}`" + (
            f"; the nearest column is `{column}`." if column else "."
        ))  # fmt: skip
    if nearest is not None:
        parts.append(f"The nearest that can be computed: {say_plan(nearest.plan)}.")
    parts.append(f"Columns: {', '.join(f'`{name}`' for name in context.profile.schema_.names[:24])}.")
    return Refused(" ".join(parts), words=words, nearest=nearest)


def _assumed_nouns(cover: Cover) -> list[str]:
    return [i.meaning.noun for i in cover.items if isinstance(i.meaning, m.RowNoun) and i.meaning.assumed]


def _nearest_column(word: str, context: Context) -> str | None:
    matches = sorted(column_matches(list(split_name(word)), context), key=lambda match: -match[1])
    if matches:
        return matches[0][0]
    close = process.extractOne(word.casefold(), context.profile.schema_.names, scorer=fuzz.ratio, score_cutoff=70)
    return close[0] if close else None
