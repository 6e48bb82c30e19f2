"""Takes the sentences beside a question out of it: which rows it is about, what is done first, how it is judged.

"What is the mean price of the wines? Consider only red ones. Round to two decimals." is a question, a step before it,
and a remark. A sentence that is none of these stays where it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.context import Context, context_of
from jupyter_mcpgen.nl.followups.preparing import prepares
from jupyter_mcpgen.nl.reading import Answered, Asked, Read, Understanding
from jupyter_mcpgen.nl.sentences.vocabulary import Remark, Vocabulary, load_sentences
from jupyter_mcpgen.nl.tables.flags import as_flags
from jupyter_mcpgen.nl.tables.written import ways
from jupyter_mcpgen.plan.ops import Sort
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.statistics import (
    Anova,
    ChiSquare,
    Correlations,
    KruskalWallis,
    LinearRegression,
    Normality,
    TwoColumns,
    TwoGroups,
)

_JUDGED = (Anova, ChiSquare, Correlations, KruskalWallis, LinearRegression, Normality, TwoColumns, TwoGroups)
"""Steps whose result has a finding."""
_BREAK = "; "
"""What stands between the steps of a question."""


@dataclass(frozen=True)
class _Said:
    """What a question says beside what it asks."""

    question: str
    remarks: tuple[Remark, ...]

    def suits(self, plan: Plan) -> bool:
        """Tell whether a plan answers what the remarks want to know."""
        judged = any(isinstance(step, _JUDGED) for step in plan.steps)
        sorts = [step.keys[0].descending for step in plan.steps if isinstance(step, Sort)]
        return all(
            (judged or not remark.tests) and (sorts[-1:] == [True] or not remark.largest_first)
            for remark in self.remarks
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What the answer says of the remarks."""
        return tuple(dict.fromkeys(remark.note for remark in self.remarks if remark.note))


def read_sentences(question: str, profile: Profile, language: str, read: Read) -> Understanding:
    """Return what a question of several sentences means; one that says nothing beside it is read as it is."""
    vocabulary = load_sentences(language)
    said = _said(question, vocabulary, _contexts(profile, language), language) if vocabulary is not None else None
    if said is None:
        return read(question, profile, language)
    match read(said.question, profile, language):
        case Answered(winner) as answered if said.suits(winner.plan):
            noted = (*winner.assumptions, *said.notes)
            return replace(answered, winner=replace(winner, assumptions=noted))
        case Asked() as asked if not asked.options or all(said.suits(option.plan) for option in asked.options):
            return asked
        case _:
            return read(question, profile, language)


def _contexts(profile: Profile, language: str) -> tuple[Context, ...]:
    """Return what reading needs to know about a table as it is, and with texts and 0 and 1 read as what they say."""
    flagged = as_flags(profile, language)
    typed = [written for _, written in ways(profile)]
    profiles = (profile, *typed, *([flagged] if flagged is not None else []))
    return tuple(context_of(one, language) for one in profiles)


def _said(question: str, vocabulary: Vocabulary, contexts: tuple[Context, ...], language: str) -> _Said | None:
    """Return a question with its steps in order and without remarks; None where it is nothing else."""
    question, asked = _with_names_quoted(question, contexts[0]), question
    remarks: list[Remark] = []
    first: list[str] = []
    rest: list[str] = []
    for sentence in _sentences(question, vocabulary):
        left = _without_remarks(sentence, question, vocabulary, contexts[0], remarks)
        if not left:
            continue
        step = _step(left, vocabulary, contexts, language)
        left = vocabulary.again.sub(lambda found: found["condition"], left)
        if step is None:
            rest.append(left)
        else:
            first.append(step)
    if not rest or (" ".join(rest) == asked and not (first or remarks)):
        return None
    return _Said(_BREAK.join([*first, " ".join(rest)]), tuple(remarks))


def _with_names_quoted(question: str, context: Context) -> str:
    """Return a question with names of columns quoted that hold more than words, such as `Weight (kg)`."""
    names = [name for name in context.profile.schema_.names if re.search(r"[^\w\s`]", name)]
    if not names:
        return question
    any_name = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    by_name = {name.casefold(): name for name in names}
    alone = re.compile(rf"(?<![\w`\"'“])(?:{any_name})(?![\w`\"'”])", re.IGNORECASE)
    return alone.sub(lambda found: f"`{by_name[found.group().casefold()]}`", question)


def _sentences(question: str, vocabulary: Vocabulary) -> list[str]:
    """Return the sentences of a text, without their last mark where it is a full stop."""
    parts, start = [], 0
    for found in re.finditer(r"[.?!]+(?=\s+[^\Wa-z_]|\s*$|\s+[\"“`'])|\n+", question):
        before = question[start : found.end()].casefold()
        if before.endswith(vocabulary.abbreviations) and found.end() < len(question):
            continue
        parts.append(question[start : found.end()].strip())
        start = found.end()
    parts.append(question[start:].strip())
    return [part.removesuffix(".") for part in parts if part]


def _without_remarks(
    sentence: str, question: str, vocabulary: Vocabulary, context: Context, remarks: list[Remark]
) -> str:
    """Return a sentence without what changes nothing of what is computed, which is added to `remarks`."""
    for remark in vocabulary.remarks:
        if any(context.columns_with(noun) for noun in remark.nouns):
            continue
        found = remark.within(sentence).search(sentence)
        if found is None or (remark.whole and not _is_apart(sentence, found)):
            continue
        others = question.replace(found.group(), "").casefold()
        if any(phrase in others for phrase in remark.unless):
            continue
        if remark.beside and not any(phrase in others for phrase in remark.beside):
            continue
        remarks.append(remark)
        before, behind = sentence[: found.start()].rstrip(" ,(;:"), sentence[found.end() :].lstrip(" ,;:)")
        sentence = f"{before} {behind}".strip() if re.search(r"\w", behind) else f"{before}{behind}"
        sentence = re.sub(r"[\s,]+(?:and|but)\s*$", "", sentence, flags=re.IGNORECASE)
    return sentence if re.search(r"\w", sentence) else ""


def _is_apart(sentence: str, found: re.Match[str]) -> bool:
    """Tell whether a remark is a whole sentence, stands in brackets or behind the last comma."""
    before, behind = sentence[: found.start()].rstrip(), sentence[found.end() :].strip(" .!?)")
    return not behind and (not before or before.endswith(("(", ",", ";")))


def _step(sentence: str, vocabulary: Vocabulary, contexts: tuple[Context, ...], language: str) -> str | None:
    """Return a sentence that keeps, drops or fills as a step of its own; None for any other."""
    plain = _trimmed(sentence.strip(" .!"), vocabulary)
    if plain.endswith("?") or any(
        remark.whole and remark.within(plain).fullmatch(plain) for remark in vocabulary.remarks
    ):
        return None  # a remark that changes what is asked
    said = [plain]
    for within, verb in ((vocabulary.kept_behind, vocabulary.kept), (vocabulary.dropped_behind, vocabulary.dropped)):
        ends = [found for found in within(plain).finditer(plain) if found.end() == len(plain) and found.start()]
        said += [f"{verb} {plain[: found.start()].strip()}" for found in ends]
    for within, verb in ((vocabulary.keep, vocabulary.kept), (vocabulary.drop, vocabulary.dropped)):
        found = within(plain).match(plain)
        if found is not None and plain[found.end() :]:
            said.append(f"{verb} {plain[found.end() :]}")
    step = next((way for way in said for one in contexts if prepares(way, language, one)), None)
    parts = vocabulary.joining.split(plain) if step is None else []
    several = len(parts) > 1 and all(any(prepares(part, language, one) for one in contexts) for part in parts)
    return _BREAK.join(parts) if several else step


def _trimmed(sentence: str, vocabulary: Vocabulary) -> str:
    """Return a sentence without what may open and end it and says no more."""
    while (opening := vocabulary.opening(sentence).match(sentence)) is not None and opening.end() < len(sentence):
        sentence = sentence[opening.end() :].lstrip(" ,:")
    closings = [found for found in vocabulary.closing(sentence).finditer(sentence) if found.end() == len(sentence)]
    return sentence[: closings[0].start()].rstrip(" ,") if closings and closings[0].start() else sentence
