"""Times between two dates as columns: "days between order date and ship date", "age at hire"."""

from __future__ import annotations

from dataclasses import dataclass

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.computed.column import Computed, free_name, text_of
from jupyter_mcpgen.nl.computed.phrases import Found, find
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.expressions import Col, Moment, TimeBetween, TimeUnit
from jupyter_mcpgen.plan.ops import Derive
from jupyter_mcpgen.plan.schema import ColumnType

_WITHOUT_UNIT = "No unit was named: the time is in days."


def time_in(tokens: tuple[Token, ...], profile: Profile, vocabulary: Vocabulary, context: Context) -> Computed | None:
    """Return the time between two moments that a question asks for, or None."""
    if not context.dates:
        return None
    asked = _Asked(tokens, profile, vocabulary, context)
    return asked.compared() or asked.between() or asked.age()


@dataclass(frozen=True)
class _Asked:
    """A question over a table, and the words of its language."""

    tokens: tuple[Token, ...]
    profile: Profile
    vocabulary: Vocabulary
    context: Context

    def compared(self) -> Computed | None:
        """Return the time that a condition is about: "shipped more than 3 days after the order date"."""
        having, number = self.vocabulary.words["with"], "{number}"
        for key, words in (
            ("counted", f"{{}} {number}"),
            ("after", f"{having} {{}} {number}"),
            ("before", f"{having} {{}} {number}"),
            ("within", f"{having} {{}} {self.vocabulary.words['is_at_most']} {number}"),
        ):
            found = self._find(key)
            if found is None or found.first is None or found.second is None or found.first == found.second:
                continue
            ends = (found.second, found.first) if key == "before" else (found.first, found.second)
            return self._made(found, ends, words)
        return None

    def between(self) -> Computed | None:
        """Return the time between two dates that is asked for itself."""
        asked = _Asked(self._with_extremes(), self.profile, self.vocabulary, self.context)
        for key, before in (("how_long", self.vocabulary.words["average"]), ("between", ""), ("in_days", "")):
            found = asked._find(key)
            if found is not None and found.first is not None and found.second is not None:
                notes = () if found.unit is not None else (_WITHOUT_UNIT,)
                return asked._made(found, (found.first, found.second), f"{before} {{}}", notes)
        return None

    def age(self) -> Computed | None:
        """Return the age at a date, where one column has dates of birth."""
        birth = set(self.vocabulary.lists["birth"])
        births = [name for name in self.context.dates if set(self.context.column_words[name]) & birth]
        if len(births) != 1:
            return None
        for key, words in (
            ("how_old", f"{self.vocabulary.words['average']} {{}} {{kept}}"),
            ("aged", f"{self.vocabulary.words['with']} {{}} {{number}}"),
            ("age", "{}"),
        ):
            asked = _Asked(self._with_extremes(), self.profile, self.vocabulary, self.context)
            found = asked._find(key)
            at = (found.first or found.second) if found is not None else None
            if found is not None and at is not None and at != Col(name=births[0]):
                called, unit = self.vocabulary.words["age"], found.unit or TimeUnit.YEARS
                return asked._made(found, (Col(name=births[0]), at), words, called=called, unit=unit)
        return None

    def _find(self, key: str) -> Found | None:
        return find(key, self.tokens, self.vocabulary, self.context)

    def _with_extremes(self) -> tuple[Token, ...]:
        """Say "longest" of a time, and "oldest" of an age, as "largest"."""
        words, lists = self.vocabulary.words, self.vocabulary.lists
        said = dict.fromkeys(lists["longest"], words["largest"]) | dict.fromkeys(lists["shortest"], words["smallest"])
        return tuple(
            Token(said[token.lower], TokenKind.WORD)
            if token.lower in said and not self.context.columns_with(token.lower)
            else token
            for token in self.tokens
        )

    def _made(
        self,
        found: Found,
        ends: tuple[Moment, Moment],
        words: str,
        notes: tuple[str, ...] = (),
        called: str | None = None,
        unit: TimeUnit | None = None,
    ) -> Computed | None:
        """Return the column, and the question with some words around its name in the place of the phrase."""
        start, end = ends
        if start == end or not (isinstance(start, Col) or isinstance(end, Col)):
            return None
        unit = unit or found.unit or TimeUnit.DAYS
        name = free_name(called or f"{unit.value}_from_{_name(start)}_to_{_name(end)}", self.profile)
        kept = f"{self.vocabulary.words['of']} {text_of(found.kept)}" if found.kept else ""
        put = words.format(f"`{name}`", number=text_of(found.number), kept=kept)
        return Computed(
            name=name,
            type=ColumnType.INTEGER if unit.seconds is None else ColumnType.REAL,
            step=Derive(name=name, expression=TimeBetween(unit=unit, start=start, end=end)),
            question=f"{text_of(self.tokens[: found.start])} {put} {text_of(self.tokens[found.end :])}".strip(),
            notes=notes,
            unit=unit.value,
            required=True,
        )


def _name(moment: Moment) -> str:
    return moment.name if isinstance(moment, Col) else str(moment.value)
