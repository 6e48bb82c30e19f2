"""Finds how the texts of a column write numbers: marks, currencies, units, factors and signs; never a guess.

Each text is taken apart by one pattern, and what stands around the numbers of a column has to agree. Numbers of several
units, and numbers of which some have a unit that changes their size, are no numbers of one column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pandas as pd

from jupyter_mcpgen.data.units import CURRENCIES, ORDINALS, UNITS
from jupyter_mcpgen.plan.emit.pandas_writing import PYTHON
from jupyter_mcpgen.plan.number_writing import IN_NOTES, SCALES, SIDES, NumberWriting

_READABLE = 0.8
_LONGEST_TEXT = 60
_LONGEST_NUMBER = 15
"""More digits than a float holds are the digits of a name."""
_MARKS = (
    ("wrapped", re.compile(r"""=\(?"(?P<inside>.*)"\)?|'(?P<rest>[-+]?[\d.,].*)""")),
    ("()", re.compile(r"(?P<before>[^\d()]{0,4})\((?P<inside>.*\d.*)\)")),
    ("5-", re.compile(r"(?P<inside>[^-].*?)\s*-")),
    ("$-5", re.compile(r"(?P<before>[^\s\d.,'+()-]{1,4}\.?\s*)-\s*(?P<inside>[\d.,].*)")),
    *((side, re.compile(rf"(?P<inside>[^-].*?)\s*{pattern}")) for side, pattern in SIDES.items()),
)
"""What a cell may have around its number or beside its minus; taken off one after the other."""
_LETTERS_OF_SIDES = frozenset({"S", "H"})
"""Alone a letter may say anything: only where every number has one of the two are they debits and credits."""
_RUPEES = frozenset({"₹", "Rs", "Rs.", "INR"})
"""Behind their amounts, Cr multiplies by ten million."""
_PARTS = re.compile(
    r"[-+]?(?P<prefix>(?:[^\s\d.,'+()<>≤≥-]{1,4}\.?)?)\s*[-+]?(?P<number>[\d.,](?:[\d.,'’\s]*\d)?)(?P<exponent>[eE][-+]?\d{1,2})?"
    r"(?P<spread>\s*(?:±|\+/-)\s*[\d.,'’]+)?(?P<gap>\s*)(?P<suffix>[^\d.,'+\[\]-]{0,12}?)\s*(?P<note>\[[^\[\]]*\])?"
)
_FRACTION = re.compile(r"(?:(?P<whole>\d+)\s+)?(?P<above>\d{1,2})/(?P<below>\d{1,2})")
_FLAG = re.compile(r"[*†‡#§]+|\([a-z]{1,2}\)")
_LETTERS = re.compile(r"[a-z]{1,2}")
_SEPARATORS: tuple[tuple[str, str], ...] = (*((".", ","), (",", "."), (".", "'"), (",", " "), (".", " "), (",", "'")),)
_ONE_GROUP = re.compile(r"[1-9]\d{0,2}([.,])\d{3}")
_DECIMALS = re.compile(r"\D*\d+([.,])\d{1,2}\D*")
_BARE = re.compile(r"[-+−\d.,'’\s()]*")
_MAY_BE_A_UNIT = frozenset({"K", "B"})
"""Kelvin and bytes: alone they multiply nothing."""


@dataclass(frozen=True)
class _Cell:
    """A text taken apart: its number, and what stands around it."""

    marks: frozenset[str]
    prefix: str
    number: str
    suffix: str
    gap: bool
    exponent: bool
    spread: bool
    note: bool
    is_fraction: bool = False
    """Whether nothing but a fraction is written."""


def find_numbers(words: Sequence[str], decimal: str | None = None) -> tuple[NumberWriting, ...]:
    """Return how words write numbers, nothing when they do not, and two ways where one of them may be either number."""
    cells = [cell for word in words if (cell := _taken_apart(word)) is not None and _is_known(cell)]
    if not _are_sided_alike(cells) or 2 * sum(cell.is_fraction for cell in cells) > len(cells):
        return ()
    if len(cells) < max(1.0, _READABLE * len(words)) or any(_is_a_code(cell.number) for cell in cells):
        return ()
    flags = _flags(cells)
    scales, suffixes = _scales(cells, flags)
    prefixes = Counter(cell.prefix for cell in cells)
    sides = {side for side in SIDES for cell in cells if side in cell.marks}
    if not _are_one_unit(cells, prefixes, suffixes) or (sides == {"CR"} and set(prefixes) & _RUPEES):
        return ()
    numbers = [cell.number for cell in cells]
    marked = any(not number.isdecimal() for number in numbers)
    ways = [
        NumberWriting.model_validate(
            {
                "decimal": point,
                "thousands": gap if marked else "",
                "prefixes": tuple(sorted(set(prefixes) - {""})),
                "suffixes": ORDINALS if set(suffixes) & {*ORDINALS} else tuple(sorted(set(suffixes) - {""})),
                "scales": scales,
                "flags": (*sorted(flags), *((IN_NOTES,) if any(cell.note for cell in cells) else ())),
                "negatives": _negatives(words, cells),
                "exponent": any(cell.exponent for cell in cells) and not any("e" in each.lower() for each in prefixes),
                "spread": any(cell.spread for cell in cells),
                "fractions": any("/" in cell.marks for cell in cells),
                "wrapped": any("wrapped" in cell.marks for cell in cells),
            }
        )
        for point, gap in _ways(numbers, decimal)
    ]
    fitting = _fitting(words, [sided for way in ways for sided in _by_side(way, sides, cells)])
    doubtful = (_mark_of_one_group(numbers) == "." and decimal is None) or len(sides) > 1
    return fitting if doubtful else fitting[:1]


def read_numbers(words: pd.Series, writing: NumberWriting) -> pd.Series:
    """Return the numbers that texts write, as the code and the query of a plan read them."""
    for rewrite in writing.rewrites(PYTHON):
        words = words.str.replace(rewrite.found, rewrite.by, regex=not rewrite.plain)
    found = words.str.extract(writing.pattern(PYTHON), expand=False)
    digits = found.str.replace(f"[^{writing.kept}]", "", regex=True).str.replace(",", ".")
    numbers = digits.astype("float64")
    if writing.fractions:
        above, below = (words.str.extract(part, expand=False).astype("float64") for part in writing.fraction_patterns)
        numbers = numbers + (above / below).fillna(0)
    if not writing.scales:
        return numbers
    factors = words.str.extract(writing.scale_pattern(PYTHON), expand=False).map(SCALES)
    return numbers * factors.astype("float64").fillna(1)


def units_of(words: Sequence[str]) -> Counter[str]:
    """Return the currencies and units of the words that are numbers with a known one or none, and how often each is."""
    found: Counter[str] = Counter()
    for word in words:
        cell = _taken_apart(word)
        before, after = (cell.prefix, cell.suffix) if cell is not None else ("?", "")
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


def _taken_apart(word: str) -> _Cell | None:
    """Return a text as the number that it is and what stands around it; None for one that is no number."""
    if len(word) > _LONGEST_TEXT:
        return None
    if (fraction := _FRACTION.fullmatch(word)) is not None and 0 < int(fraction["above"]) < int(fraction["below"]):
        return _Cell(
            marks=frozenset("/"),
            prefix="",
            number=fraction["whole"] or "0",
            suffix="",
            gap=False,
            exponent=False,
            spread=False,
            note=False,
            is_fraction=fraction["whole"] is None,
        )
    marks = {"−"} if "−" in word else set()
    word = word.replace("−", "-")
    for mark, pattern in _MARKS:
        if (found := pattern.fullmatch(word)) is not None:
            marks.add(mark)
            word = "".join(text for text in found.groups() if text is not None).strip()
    parts = _PARTS.fullmatch(word)
    if parts is None:
        return None
    return _Cell(
        marks=frozenset(marks),
        prefix=parts["prefix"].strip(),
        number=parts["number"],
        suffix=parts["suffix"].strip(),
        gap=bool(parts["gap"]),
        exponent=parts["exponent"] is not None,
        spread=parts["spread"] is not None,
        note=parts["note"] is not None,
    )


def _fitting(words: Sequence[str], ways: Sequence[NumberWriting]) -> tuple[NumberWriting, ...]:
    """Return the ways in which most words can be read, where these are enough of them."""
    column = pd.Series(list(words), dtype="str")
    read = [int(read_numbers(column, one).notna().sum()) for one in ways]
    best = max(read)
    enough = best >= _READABLE * len(words)
    return tuple(one for one, count in zip(ways, read, strict=True) if count == best) if enough else ()


def _negatives(words: Sequence[str], cells: Sequence[_Cell]) -> tuple[str, ...]:
    """Return the ways to write a number below zero that occur; numbers that all stand in brackets are only numbered."""
    counts = Counter(mark for cell in cells for mark in cell.marks)
    numbered = counts["()"] == len(words)
    return tuple(mark for mark in ("()", "−", "5-", "$-5") if counts[mark] and not (mark == "()" and numbered))


def _by_side(way: NumberWriting, sides: set[str], cells: Sequence[_Cell]) -> tuple[NumberWriting, ...]:
    """Return the ways to read debits and credits: where both are marked, either may be the negative ones."""
    if not sides:
        return (way,)
    if len(sides) == 1 and all(sides <= cell.marks for cell in cells):
        return (way.model_copy(update={"flags": _spelled(*sides)}),)
    return tuple(
        way.model_copy(update={"negatives": (*way.negatives, side), "flags": (*way.flags, *_spelled(*sides - {side}))})
        for side in SIDES
        if side in sides
    )


def _spelled(*sides: str) -> tuple[str, ...]:
    return tuple(
        spelling
        for side in sides
        for spelling in ((side,) if side in _LETTERS_OF_SIDES else (side, side.capitalize(), side.lower()))
    )


def _are_sided_alike(cells: Sequence[_Cell]) -> bool:
    """Tell whether no number has a letter for its side, or each number has one and both letters occur."""
    letters = [cell.marks & _LETTERS_OF_SIDES for cell in cells]
    return not any(letters) or (all(len(each) == 1 for each in letters) and len({*letters}) > 1)


def _flags(cells: Sequence[_Cell]) -> frozenset[str]:
    """Return the remarks behind numbers of which most have none: letters apart from the number, or signs of a note."""
    found = {cell.suffix for cell in cells if _is_flag(cell)}
    plain = sum(not cell.suffix for cell in cells)
    if 2 * plain < len(cells) or (len(found) == 1 and found <= UNITS | CURRENCIES | set(SCALES)):
        return frozenset()
    return frozenset(found)


def _is_known(cell: _Cell) -> bool:
    """Tell whether what stands around a number may stand there: a unit that nobody knows makes it no number."""
    unit = _split(cell.suffix)[1]
    behind = unit in CURRENCIES | UNITS | {"", "%", *ORDINALS} or _is_flag(cell)
    return behind and (not cell.prefix or _fit(Counter([cell.prefix]), CURRENCIES))


def _is_flag(cell: _Cell) -> bool:
    return bool(_FLAG.fullmatch(cell.suffix) or (cell.gap and _LETTERS.fullmatch(cell.suffix)))


def _scales(cells: Sequence[_Cell], flags: frozenset[str]) -> tuple[tuple[str, ...], Counter[str]]:
    """Return the words that multiply numbers, and how often what is left after them stands behind a number."""
    behind = ["" if cell.suffix in flags else cell.suffix for cell in cells]
    pairs = [_split(suffix) for suffix in behind]
    found_scales = {scale for scale, _ in pairs if scale}
    rest = Counter(unit for _, unit in pairs)
    is_money = any(cell.prefix in CURRENCIES for cell in cells) or bool(set(rest) & CURRENCIES)
    factors = {SCALES[scale] for scale in found_scales}
    if found_scales and (is_money or len(factors) > 1 or not found_scales & _MAY_BE_A_UNIT):
        return tuple(sorted(found_scales)), rest
    return (), Counter(behind)


def _split(suffix: str) -> tuple[str, str]:
    """Return the word of a suffix that multiplies, and the currency behind it."""
    for scale in SCALES:
        if suffix.startswith(scale):
            rest = suffix.removeprefix(scale)
            if not rest or rest.strip() in CURRENCIES:
                return scale, rest.strip()
    return "", suffix


def _are_one_unit(cells: Sequence[_Cell], prefixes: Counter[str], suffixes: Counter[str]) -> bool:
    """Tell whether all numbers count the same: one currency or unit that is known, written before or after."""
    if not _fit(prefixes, CURRENCIES):
        return False
    if set(suffixes) <= {*ORDINALS, ""}:
        return True
    if set(prefixes) - {""} and set(suffixes) - {""} - {"%"}:
        return False
    if "%" in suffixes and "" in suffixes and _are_shares(cells):
        return False  # 0.5 beside 50% may be half or half a percent
    return _fit(suffixes, CURRENCIES | UNITS | {"%"})


def _are_shares(cells: Sequence[_Cell]) -> bool:
    """Tell whether a number without a percent sign lies between 0 and 1."""
    return any(re.fullmatch(r"0?[.,]\d+|1", cell.number) for cell in cells if not cell.suffix)


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
