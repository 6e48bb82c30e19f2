"""Words from data, made so that they hide nothing: from a terminal that would obey them, and from a person who reads.

A language model reads signs that no person sees: a column's name could tell it what the person who approves a tool
never saw. So names are spelled out wherever they become words about a tool.
"""

from __future__ import annotations

import re
import unicodedata

LONGEST_NAME = 80
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_HIDDEN_KINDS = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# marks and letters that are drawn as nothing, and all selectors of a variant but the two that emoji need
_HIDDEN_SIGNS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0d\U000e0100-\U000e01ef]"
)
_JOINERS = "\u200c\u200d"
_PICTURE_OR_TAG = re.compile(r"!(?=\[)|<(?=[A-Za-z/!?])")


def unobeyed(text: str) -> str:
    """Return a text without what a terminal would obey instead of showing; line breaks and tabs stay."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def without_pictures(text: str) -> str:
    """Return Markdown that fetches nothing when it is shown: no picture and no HTML; all else as it was."""
    return _PICTURE_OR_TAG.sub(lambda found: "\\!" if found[0] == "!" else "&lt;", text)


def fenced(text: str, language: str = "") -> str:
    """Return text as a block of Markdown that nothing in it can end."""
    fence = "`" * (1 + max([2, *map(len, re.findall("`+", text))]))
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def as_code(text: str) -> str:
    """Return text as code within a line of Markdown, which nothing in it can end."""
    runs = {len(run) for run in re.findall("`+", text)}
    fence = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    inner = " ".join(text.split())
    return f"{fence} {inner} {fence}" if runs else f"{fence}{inner}{fence}"


def visible(text: str) -> str:
    """Return a text in which every sign that does not show is spelled out, as Python writes it."""
    return "".join(sign if _shows(text, at) else _spelled(sign) for at, sign in enumerate(text))


def visible_code(code: str) -> str:
    """Return code in which every sign that does not show is spelled out, also what would break a line for a reader.

    For Python a line ends where a file's line ends: after any other separator a comment goes on.
    """
    return "\n".join(map(visible, code.split("\n")))


def name_in_words(name: str) -> str:
    """Return the name of a column to be quoted in a sentence: on one line, within bounds, ending no quotation."""
    text = visible(" ".join(name.split())).replace("`", "'")
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"


def _shows(text: str, at: int) -> bool:
    sign = text[at]
    if sign in _JOINERS:  # Persian, Hindi and some emoji are written with them, one between two signs
        return 0 < at < len(text) - 1 and all(_can_be_joined(text[beside]) for beside in (at - 1, at + 1))
    return unicodedata.category(sign) not in _HIDDEN_KINDS and not _HIDDEN_SIGNS.match(sign)


def _can_be_joined(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LMS"


def _spelled(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")
