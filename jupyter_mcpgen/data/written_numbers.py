"""Finds how the texts of a column write numbers: marks, currencies, units, factors and signs; never a guess.

Numbers of several units, and numbers of which some have a unit that changes their size, are no numbers of one column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import pandas as pd

from jupyter_mcpgen.plan.emit.pandas_writing import IN_BRACKETS, dotted, number_pattern, scale_pattern
from jupyter_mcpgen.plan.writings import SCALES, NumberWriting

CURRENCIES = frozenset(
    {
        *("$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₪", "฿", "₫", "US$", "A$", "C$", "CA$", "AU$", "HK$", "NZ$", "R$"),
        *(
            "Rs",
            "Rs.",
            "INR",
            "Fr.",
            "USD",
            "EUR",
            "GBP",
            "CHF",
            "JPY",
            "CNY",
            "AUD",
            "CAD",
            "SEK",
            "NOK",
            "DKK",
            "PLN",
            "BRL",
            "kr",
            "zł",
        ),
    }
)
ORDINALS = ("st", "nd", "rd", "th")
UNITS = frozenset(
    {
        *("kg", "g", "mg", "lb", "lbs", "oz", "t", "km", "m", "cm", "mm", "mi", "miles", "ft", "in", "yd", "km²", "m²"),
        *(
            "sqm",
            "sqft",
            "sq ft",
            "sq mi",
            "ha",
            "acres",
            "l",
            "ml",
            "L",
            "gal",
            "mph",
            "km/h",
            "kmh",
            "kW",
            "MW",
            "GW",
        ),
        *("kWh", "MWh", "GWh", "Hz", "kHz", "MHz", "GHz", "B", "KB", "MB", "GB", "TB", "kB", "s", "sec", "ms", "min"),
        *("h", "hr", "hrs", "hours", "minutes", "seconds", "days", "weeks", "months", "years", "yrs", "°", "°C", "°F"),
        *("°", "pts", "points", "pp", "bps", "ppm", "V", "A", "W", "J", "kJ", "cal", "kcal", "psi", "bar", "hPa"),
    }
)
_READABLE = 0.8
_LONGEST_NUMBER = 15
"""More digits than a float holds are the digits of a name."""
_PARTS = re.compile(
    r"[-+]?(?P<prefix>(?:[^\s\d.,'+()-]{1,4}\.?)?)[\s\u00a0]*[-+]?(?P<number>[\d.,'](?:[\d.,'\s\u00a0]*\d)?)"
    r"[\s\u00a0]*(?P<suffix>[^\d.,'+-]{0,12})"
)
_SEPARATORS: tuple[tuple[str, str], ...] = ((".", ","), (",", "."), (".", "'"), (",", " "), (".", " "))
_ONE_GROUP = re.compile(r"[1-9]\d{0,2}([.,])\d{3}")
_DECIMALS = re.compile(r"\D*\d+([.,])\d{1,2}\D*")
_BARE = re.compile(r"[-+−\d.,'\s()]*")
_MAY_BE_A_UNIT = frozenset({"K", "B"})
"""Kelvin and bytes: alone they multiply nothing."""


def find_numbers(words: Sequence[str], decimal: str | None = None) -> tuple[NumberWriting, ...]:
    """Return how words write numbers, nothing when they do not, and two ways where `1.234` may be either number."""
    signed = [_signed(word) for word in words]
    parts = [found for word in signed if (found := _PARTS.fullmatch(word)) is not None]
    if len(parts) < _READABLE * len(words) or any(_is_a_code(found["number"]) for found in parts):
        return ()
    scales, suffixes = _scales(parts)
    prefixes = Counter(found["prefix"].strip() for found in parts)
    if not _are_one_unit(parts, prefixes, suffixes):
        return ()
    numbers = [found["number"] for found in parts]
    after = ORDINALS if set(suffixes) & {*ORDINALS} else tuple(sorted(set(suffixes) - {""}))
    marked = any(not number.isdecimal() for number in numbers)
    candidates = [
        NumberWriting.model_validate(
            {
                "decimal": d,
                "thousands": t if marked else "",
                "prefixes": tuple(sorted(set(prefixes) - {""})),
                "suffixes": after,
                "scales": scales,
                "negatives": _negatives(words),
            }
        )
        for d, t in _ways(numbers, decimal)
    ]
    column = pd.Series(list(words), dtype="str")
    read = [int(read_numbers(column, one).notna().sum()) for one in candidates]
    best = max(read)
    if best < _READABLE * len(words):
        return ()
    fitting = [one for one, count in zip(candidates, read, strict=True) if count == best]
    return tuple(fitting) if _mark_of_one_group(numbers) == "." and decimal is None else tuple(fitting[:1])


def read_numbers(words: pd.Series, writing: NumberWriting) -> pd.Series:
    """Return the numbers that texts write, as the code and the query of a plan read them."""
    for abbreviation in dotted(writing):
        words = words.str.replace(abbreviation, "", regex=False)
    if "−" in writing.negatives:
        words = words.str.replace("−", "-", regex=False)
    if "()" in writing.negatives:
        words = words.str.replace(IN_BRACKETS, r"-\1", regex=True)
    found = words.str.extract(number_pattern(writing), expand=False)
    digits = found.str.replace(f"[^-0-9{writing.decimal}]", "", regex=True).str.replace(",", ".")
    numbers = digits.astype("float64")
    if not writing.scales:
        return numbers
    return numbers * words.str.extract(scale_pattern(writing), expand=False).map(SCALES).astype("float64").fillna(1)


def units_of(words: Sequence[str]) -> Counter[str]:
    """Return the currencies and units of the words that are numbers with a known one or none, and how often each is."""
    found: Counter[str] = Counter()
    for word in words:
        parts = _PARTS.fullmatch(_signed(word))
        before, after = (parts["prefix"].strip(), parts["suffix"].strip()) if parts is not None else ("?", "")
        if not (before and after) and before in CURRENCIES | {""} and after in CURRENCIES | UNITS | {"%", ""}:
            found[before or after] += 1
    return found


def bare(words: pd.Series) -> pd.Series:
    """Tell which words are numbers without any sign of what they count."""
    return words.str.fullmatch(_BARE.pattern) & words.str.contains("[0-9]", regex=True)


def decimal_mark(columns: Iterable[Sequence[str]]) -> str | None:
    """Return the mark before decimals that the numbers of a table agree on; texts of a column come together."""
    marks = {found[1] for words in columns for word in words if (found := _DECIMALS.fullmatch(word)) is not None}
    return marks.pop() if len(marks) == 1 else None


def _signed(word: str) -> str:
    """Return a number below zero with its sign before it."""
    return re.sub(IN_BRACKETS, r"-\1", word.replace("−", "-"))


def _negatives(words: Sequence[str]) -> tuple[str, ...]:
    """Return the ways to write a number below zero that occur; numbers that all stand in brackets are only numbered."""
    bracketed = sum(re.match(IN_BRACKETS, word) is not None for word in words)
    minus = any("−" in word for word in words)
    return (*(("()",) if 0 < bracketed < len(words) else ()), *(("−",) if minus else ()))


def _scales(parts: Sequence[re.Match[str]]) -> tuple[tuple[str, ...], Counter[str]]:
    """Return the words that multiply numbers, and how often what is left after them stands behind a number."""
    pairs = [_split(found["suffix"].strip()) for found in parts]
    found_scales = {scale for scale, _ in pairs if scale}
    rest = Counter(unit for _, unit in pairs)
    is_money = any(found["prefix"].strip() in CURRENCIES for found in parts) or bool(set(rest) & CURRENCIES)
    factors = {SCALES[scale] for scale in found_scales}
    if found_scales and (is_money or len(factors) > 1 or not found_scales & _MAY_BE_A_UNIT):
        return tuple(sorted(found_scales)), rest
    return (), Counter(found["suffix"].strip() for found in parts)


def _split(suffix: str) -> tuple[str, str]:
    """Return the word of a suffix that multiplies, and the currency behind it."""
    for scale in SCALES:
        if suffix.startswith(scale):
            rest = suffix.removeprefix(scale)
            if not rest or rest.strip() in CURRENCIES:
                return scale, rest.strip()
    return "", suffix


def _are_one_unit(parts: Sequence[re.Match[str]], prefixes: Counter[str], suffixes: Counter[str]) -> bool:
    """Tell whether all numbers count the same: one currency or unit that is known, written before or after."""
    if not _fit(prefixes, CURRENCIES):
        return False
    if set(suffixes) <= {*ORDINALS, ""}:
        return True
    if set(prefixes) - {""} and set(suffixes) - {""} - {"%"}:
        return False
    if "%" in suffixes and "" in suffixes and _are_shares(parts):
        return False  # 0.5 beside 50% may be half or half a percent
    return _fit(suffixes, CURRENCIES | UNITS | {"%"})


def _are_shares(parts: Sequence[re.Match[str]]) -> bool:
    """Tell whether a number without a percent sign lies between 0 and 1."""
    plain = (found["number"] for found in parts if not found["suffix"].strip())
    return any(re.fullmatch(r"0?[.,]\d+|1", number) for number in plain)


def _fit(affixes: Counter[str], known: frozenset[str]) -> bool:
    """Tell whether at most one affix stands at the numbers, one that is known to: others make a code or mix units."""
    named = {affix.rstrip(".") for affix in affixes} - {""}
    return len(named) <= 1 and named <= {affix.rstrip(".") for affix in known}


def _ways(numbers: Sequence[str], decimal: str | None) -> tuple[tuple[str, str], ...]:
    """Return the decimal and thousands marks to try, the usual ones first."""
    mark = _mark_of_one_group(numbers)
    if mark is None or decimal is None:
        return _SEPARATORS[:2] if mark == "." else _SEPARATORS
    return ((decimal, "." if decimal == "," else ","),)


def _mark_of_one_group(numbers: Sequence[str]) -> str | None:
    """Return the mark of numbers such as `1,234` when all that have a mark have one before three digits."""
    found = [_ONE_GROUP.fullmatch(number) for number in numbers if not number.isdecimal()]
    marks = {match[1] if match is not None else "" for match in found}
    return marks.pop() if len(marks) == 1 and marks <= {".", ","} else None


def _is_a_code(number: str) -> bool:
    """Tell whether digits are a name: a leading zero, or more of them than a number holds."""
    digits = re.sub(r"\D", "", number)
    return (len(number) > 1 and number[0] == "0" and number[1].isdigit()) or len(digits) > _LONGEST_NUMBER
