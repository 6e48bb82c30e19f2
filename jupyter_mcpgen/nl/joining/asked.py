"""What a question says around the figures of a second table: rows of the first one, its columns, or more."""

from __future__ import annotations

import re
from dataclasses import dataclass

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.joining.clause import forms_of
from jupyter_mcpgen.nl.joining.figures import STAND_IN, Figures
from jupyter_mcpgen.nl.joining.vocabulary import Vocabulary, any_of
from jupyter_mcpgen.nl.words.forms import split_name

_STANDING = STAND_IN.format(r"\d+")


@dataclass(frozen=True)
class AskedFigures:
    """A question with stand-ins for figures, and the two tables that it is about."""

    figures: Figures
    rest: str
    first: Profile
    other: Profile
    vocabulary: Vocabulary

    @property
    def names(self) -> dict[str, str]:
        """What the figures are called, by their stand-ins."""
        return {STAND_IN.format(place): measure.name for place, measure in enumerate(self.figures.measures)}


@dataclass(frozen=True)
class Said:
    """What is left to be read, the columns of the first table to stand beside the figures, and whether more is said."""

    text: str
    columns: tuple[str, ...]
    is_more: bool


def is_sure(question: str, asked: AskedFigures) -> bool:
    """Tell whether a question names both tables, asks to add figures to one, or begins with "customers with"."""
    names = set(re.findall(r"\w+", question))
    if asked.first.name in names and asked.other.name in names:
        return True
    words = asked.vocabulary.figures
    head = rf"(?:(?:{any_of(words['fillers'])})\s+)*{re.escape(asked.first.name)}\s+(?:{any_of(words['with'])})\b"
    begins = rf"\s*(?:(?:{any_of(words['add'])})\b|{head})"
    return re.match(begins, question, re.IGNORECASE) is not None


def is_of_each(asked: AskedFigures) -> bool:
    """Tell whether figures of each row of the first table are asked for, as in "orders per customer"."""
    table = any_of(forms_of(asked.first.name))
    each = rf"\b(?:{any_of(asked.vocabulary.figures['each'])})\s+(?:{table})\b"
    others = rf"\b(?:{any_of(forms_of(asked.other.name))})\b"
    says_other = re.search(others, asked.rest, re.IGNORECASE) is not None
    return re.search(each, asked.rest, re.IGNORECASE) is not None and not says_other


def said_of(asked: AskedFigures) -> Said:
    """Return what a question says besides the figures that it lists, "per customer" and "with their city" apart."""
    words, table = asked.vocabulary.figures, any_of(forms_of(asked.first.name))
    own, and_ = rf"(?:(?:{any_of(words['own'])})\s+){{0,4}}", asked.vocabulary.any("and")
    ends = rf"(?=\s*(?:$|[,.;:?!]|(?:{any_of(words['follows'])})\b))"
    columns = {" ".join(split_name(name)): name for name in asked.first.schema_.names}
    column = any_of(name for name in columns if name) if any(columns) else r"(?!)"

    def without(text: str, item: str) -> tuple[str, list[str]]:
        listed = rf"{own}{item}(?:\s*,?\s*(?:{and_})\s+{own}{item}|\s*,\s*{own}{item})*"
        pattern = re.compile(rf"[\s,]*\b(?:{any_of(words['with'])})\s+(?P<list>{listed}){ends}", re.IGNORECASE)
        found = [match["list"] for match in pattern.finditer(text)]
        return pattern.sub(" ", text), found

    rest, _ = without(asked.rest, rf"`{_STANDING}`")
    rest, lists = without(rest, rf"(?:{column})")
    beside = [columns[" ".join(found.casefold().split())] for text in lists for found in _each(column, text)]
    each = rf"\b(?:{any_of(words['each'])})\s+(?:{table})\b(?:{ends}|(?=\s+(?:{any_of(words['each'])})\b))"
    rest, of_each = re.subn(each, " ", rest, flags=re.IGNORECASE)
    if of_each:  # "orders per customer in Lund" are listed with their customers, not added up
        opened = rf"^\s*(?:(?:{any_of(words['fillers'])})\s+)*`{_STANDING}`(?=\s+\w)"
        rest = re.sub(opened, lambda _: asked.first.name, rest, flags=re.IGNORECASE)
    rest = re.sub(rf"\b(?:{table})\s+(?=(?:{column})\b)", " ", rest, flags=re.IGNORECASE)
    return Said(" ".join(rest.split()), tuple(dict.fromkeys(beside)), is_more=_is_more(rest, table, words["fillers"]))


def _each(column: str, text: str) -> list[str]:
    return re.findall(rf"\b(?:{column})\b", text, re.IGNORECASE)


def _is_more(rest: str, table: str, fillers: tuple[str, ...]) -> bool:
    """Tell whether a question says more than that rows of the first table are wanted."""
    left = re.sub(rf"`{_STANDING}`|\b(?:{table})(?:['’]s?)?(?!\w)", " ", rest, flags=re.IGNORECASE)
    left = re.sub(rf"\b(?:{any_of(fillers)})\b", " ", left, flags=re.IGNORECASE)
    return re.search(r"\w", left) is not None
