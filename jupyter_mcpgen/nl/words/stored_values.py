"""The values that a table's text columns hold, by the words by which a question names them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.words.countries import names_of_countries
from jupyter_mcpgen.plan.schema import ColumnType

_BETWEEN_WORDS = re.compile(r"""[/_()\[\]"“”!?&-]|[.,:;](?!\d)|(?<=\w)[–—](?=\w)|^[–—]$""")
_ENDING_SIGN = re.compile(r"\+(?=\s|$)")


def value_words(text: str) -> list[str]:
    """Return the words by which a value is looked up: no mark is one, unless it stands in a number or as in "65+"."""
    return _ENDING_SIGN.sub(" +", _BETWEEN_WORDS.sub(" ", text.casefold())).split()


def values_by_words(profile: Profile) -> Mapping[str, tuple[m.Value, ...]]:
    """Return the values of text columns by their lower-case words, and countries that have a code there by name."""
    index: dict[str, list[m.Value]] = {}
    for field, column in zip(profile.schema_.fields, profile.columns, strict=True):
        if field.type is ColumnType.TEXT:
            for value in column.values:
                words = " ".join(value_words(str(value)))
                if words:
                    index.setdefault(words, []).append(m.Value(field.name, str(value)))
    countries = {name: (m.Value(*cell),) for name, *cell in names_of_countries(profile)}
    return countries | {words: tuple(found) for words, found in index.items()}
