"""Splits what was typed after `mcpgen` into options and words; quotes are left to the question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from jupyter_mcpgen.errors import McpgenError

_QUOTES = ("'", '"')


class UsageError(McpgenError):
    """Something was typed that no verb takes; the message says what it takes."""


@dataclass(frozen=True)
class Typed:
    """The words of a command without its options."""

    words: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The words as one text."""
        return " ".join(self.words)


def split_options(
    words: Sequence[str], allowed: Sequence[str], flags: Sequence[str] = (), *, leading: bool = False
) -> Typed:
    """Take `--name value` and `--flag` out of the words; raises `UsageError` for an option that is not allowed.

    A value in quotes may have blanks: `--data "my sales.csv"`. With `leading` options stand before all other words.
    """
    rest: list[str] = []
    options: dict[str, str] = {}
    waiting = iter(words)
    for word in waiting:
        name, _, value = word.removeprefix("--").partition("=")
        if not (word.startswith("--") and word[2:3].isalpha()) or (leading and rest):
            rest.append(word)
        elif name in flags:
            options[name] = "yes"
        elif name in allowed:
            options[name] = _unquoted(name, value or next(waiting, ""), waiting)
            if not options[name]:
                raise UsageError(f"`--{name}` needs a value after it.")
        else:
            known = ", ".join(f"`--{each}`" for each in (*allowed, *flags)) or "none"
            raise UsageError(f"There is no option `--{name}` here. Options: {known}.")
    return Typed(tuple(rest), options)


def _unquoted(name: str, value: str, following: Iterator[str]) -> str:
    """Return a value without its quotes; the words up to the closing one belong to it."""
    quote = value[:1]
    if quote not in _QUOTES:
        return value
    while len(value) < 2 or not value.endswith(quote):
        word = next(following, None)
        if word is None:
            raise UsageError(f"The value of `--{name}` begins with {quote} and is not closed. Add the closing quote.")
        value = f"{value} {word}"
    return value[1:-1]
