"""Tells nouns and participles of one verb: "admissions" and `admitted`, "hires" and `hire_date`."""

from __future__ import annotations

from functools import lru_cache

SHORTEST_ROOT = 4
_ENDINGS = frozenset(
    {"", "s", "e", "es", "ed", "d", "t", "ted", "tted", "ts", "ing", "ting", "tting", "ion", "ions", "tion", "tions"}
    | {
        "ation",
        "ations",
        "ssion",
        "ssions",
        "sion",
        "sions",
        "ption",
        "ptions",
        "bed",
        "be",
        "al",
        "als",
        "ure",
        "ures",
    }
    | {
        "ment",
        "ments",
        "ped",
        "pment",
        "pments",
        "y",
        "ies",
        "ied",
        "ery",
        "eries",
        "ered",
        "er",
        "ers",
        "or",
        "ors",
        "led",
        "lled",
    }
    | {"ration", "rations", "lation", "lations", "ance", "ances", "age", "ages", "ings", "rrals", "rral", "rred", "r"}
)
_IRREGULAR = {
    "birth": "born", "births": "born", "death": "died", "deaths": "died", "sale": "sold", "sales": "sold",
    "departures": "departed", "losses": "lost", "loss": "lost", "wins": "won", "win": "won", "payment": "paid",
    "payments": "paid", "purchase": "bought", "purchases": "bought", "start": "began", "repair": "repaired",
}  # fmt: skip
_NO_NOUN = frozenset({"date", "year", "time", "day", "month", "week", "hour", "rate", "price", "name", "number"})


@lru_cache(maxsize=8_192)
def akin(first: str, second: str) -> bool:
    """Tell whether two lower-case words are forms of one verb."""
    if first == second:
        return True
    if {first, second} & _NO_NOUN:
        return False
    if _IRREGULAR.get(first, first) == second or _IRREGULAR.get(second, second) == first:
        return True
    root = _shared(first, second)
    shorter = min(len(first), len(second))
    if root < SHORTEST_ROOT and root < shorter:
        return False
    longest_root = any(
        first[cut:] in _ENDINGS and second[cut:] in _ENDINGS for cut in range(root, max(2, root - 2), -1)
    )
    return root >= 3 and longest_root


def _shared(first: str, second: str) -> int:
    """Return how many letters two words begin with alike."""
    pairs = zip(first, second, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))
