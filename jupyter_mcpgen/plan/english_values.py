"""Says the values and conditions of a plan in English."""

from __future__ import annotations

import re
from datetime import datetime
from typing import assert_never

from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.expressions import (
    All,
    AnyOf,
    Arithmetic,
    Bin,
    Case,
    Col,
    Compare,
    CompareOp,
    DateName,
    DatePart,
    DateUnit,
    Expression,
    IsIn,
    IsMissing,
    Lit,
    MatchMode,
    Parse,
    Predicate,
    TextCall,
    TextFunction,
    TextMatch,
    TimeBetween,
)
from jupyter_mcpgen.plan.moments import Clock, ClockWriting, CountedUnit, CountedWriting, DigitsWriting, ZonedWriting
from jupyter_mcpgen.plan.number_writing import IN_NOTES, SCALES, NumberWriting
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.writings import TruthWriting, Writing

_OPERATORS = {
    CompareOp.EQ: "is",
    CompareOp.NE: "is not",
    CompareOp.LT: "is less than",
    CompareOp.LE: "is at most",
    CompareOp.GT: "is greater than",
    CompareOp.GE: "is at least",
}


_EXAMPLE_OF_A_DATE = datetime(2024, 12, 31, 18, 30)


_CONFUSING = re.compile(r"^(missing|not|true|false)\b|\b(and|or|where)\b|^[\d.,+-]*$|[“”,()]", re.IGNORECASE)


_MATCHES = {
    MatchMode.CONTAINS: ("contains", "does not contain"),
    MatchMode.STARTS: ("starts with", "does not start with"),
    MatchMode.ENDS: ("ends with", "does not end with"),
}


def say_predicate(predicate: Predicate) -> str:
    """Return one condition in words."""
    match predicate:
        case Compare():
            return f"{say_value(predicate.left)} {_OPERATORS[predicate.op]} {say_value(predicate.right)}"
        case IsIn():
            values = " or ".join(say_value(value) for value in predicate.values)
            return f"{predicate.operand.name} is {'not ' if predicate.negated else ''}{values}"
        case TextMatch():
            verb = _MATCHES[predicate.mode][predicate.negated]
            return f"{predicate.operand.name} {verb} {say_value(predicate.text)}"
        case IsMissing():
            return f"{predicate.operand.name} is {'not ' if predicate.negated else ''}missing"
        case All() if len(predicate.terms) > _MOST_NAMED_APART and (names := _all_present(predicate)):
            return f"none of {', '.join(names[:-1])} and {names[-1]} is missing"
        case All():
            return " and ".join(in_brackets(term) for term in predicate.terms)
        case AnyOf():
            return " or ".join(in_brackets(term) for term in predicate.terms)
        case _:
            assert_never(predicate)


def _all_present(predicate: All) -> tuple[str, ...]:
    """Return the columns, where a condition asks for nothing but values in all of them."""
    terms = [term for term in predicate.terms if isinstance(term, IsMissing) and term.negated]
    return tuple(term.operand.name for term in terms) if len(terms) == len(predicate.terms) else ()


_MOST_NAMED_APART = 3
"""How many columns that must not be missing are said one by one."""


def in_brackets(predicate: Predicate) -> str:
    """Return a condition in words, in brackets where it is made of several."""
    text = say_predicate(predicate)
    return f"({text})" if isinstance(predicate, All | AnyOf) else text


def say_value(expression: Expression) -> str:
    """Return a value in words."""
    match expression:
        case Col():
            return expression.name
        case Lit():
            return say_literal(expression)
        case Arithmetic():
            return f"({say_value(expression.left)} {expression.op.value} {say_value(expression.right)})"
        case DatePart():
            return f"{say_unit(expression.unit)} of {expression.operand.name}"
        case DateName():
            return f"{say_unit(expression.unit)} of {expression.operand.name}"
        case TimeBetween():
            full = "full " if expression.unit.seconds is None else ""
            return f"{full}{expression.unit.value} from {say_value(expression.start)} to {say_value(expression.end)}"
        case TextCall():
            return f"{expression.operand.name} {_TEXT_CALLS[expression.function]}"
        case Parse():
            return f"{expression.operand.name} {say_writing(expression.writing)}"
        case Bin():
            intervals = (
                f"{expression.count} intervals" if expression.width is None else f"intervals of {expression.width:g}"
            )
            return f"{expression.operand.name} in {intervals}"
        case Case():
            branches = [f"{say_value(b.value)} where {in_brackets(b.condition)}" for b in expression.branches]
            rest = "missing" if expression.otherwise is None else say_value(expression.otherwise)
            return f"({', '.join(branches)}, else {rest})"
        case _:
            assert_never(expression)


def say_literal(literal: Lit) -> str:
    """Say a constant; a text is quoted where it could be read as a part of the sentence or as a number."""
    text = str(literal.value)
    if literal.type is not ColumnType.TEXT:
        return text
    plain = text.strip() == text != "" and text.isprintable() and _CONFUSING.search(text) is None
    return text if plain else f"“{text}”"


_TEXT_CALLS = {
    TextFunction.LOWER: "in lower case",
    TextFunction.UPPER: "in upper case",
    TextFunction.LENGTH: "counted in characters",
    TextFunction.TRIM: "without outer spaces",
}


_PARTS_OF_PERIODS = {
    DateUnit.QUARTER: "calendar quarter",
    DateUnit.MONTH: "calendar month",
    DateUnit.DAY: "day of the month",
}
"""Parts of a larger period, said so that they do not sound like the periods themselves."""


def say_unit(unit: DateUnit) -> str:
    """Return a part of a date in words."""
    return _PARTS_OF_PERIODS.get(unit, unit.value.removeprefix("start_of_"))


def say_percentile(number: float) -> str:
    """Say a percentile: `90th`, `1st`, `2.5th`."""
    ends = {"1": "st", "2": "nd", "3": "rd"}
    text = f"{number:g}"
    special = text in ("11", "12", "13") or "." in text
    return text + ("th" if special else ends.get(text[-1], "th"))


_CLOCKS = {
    Clock.WRITTEN: "by the clock that is written, whatever zone stands behind it",
    Clock.UTC: "in UTC",
}


_CLOCK_EXAMPLES = {
    "h:mm:ss": "1:30:05 (hours, minutes and seconds)",
    "h:mm": "1:30 (hours and minutes)",
    "m:ss": "1:30 (minutes and seconds)",
}


_NEGATIVES = {"()": "(5)", "5-": "5-", "CR": "5 CR", "DR": "5 DR", "S": "5 S", "H": "5 H"}
_REMARKS = {IN_NOTES: "a note in square brackets"}


def say_writing(writing: Writing) -> str:
    """Return how the texts of a column are read, such as `read as numbers like $1,234.5`."""
    match writing:
        case NumberWriting():
            digits = f"1{writing.thousands}234{writing.decimal}5"
            example = f"{''.join(writing.prefixes[:1])}{digits}{''.join(writing.suffixes[:1])}"
            scales = [f"{word} for {SCALES[word]:,.0f}" for word in writing.scales]
            negatives = [f"{shape} for -5" for mark, shape in _NEGATIVES.items() if mark in writing.negatives]
            spread = ["1000 for 1000 ± 28"] if writing.spread else []
            spread += ["1.5 for 1 1/2"] if writing.fractions else []
            remarks = " or ".join(_REMARKS.get(flag, f"“{flag}”") for flag in writing.flags)
            flags = f" (whatever remark stands behind: {remarks})" if remarks else ""
            return f"read as numbers like {', '.join([example, *scales, *negatives, *spread])}{flags}"
        case DateWriting():
            example = _EXAMPLE_OF_A_DATE.strftime(writing.shown)
            for german, english in writing.months.items():
                example = example.replace(english, german)
            clock = f", {_CLOCKS[writing.clock]}" if writing.has_zone else ""
            return f"read as {'times' if writing.is_clock else 'dates'} like {example}{clock}"
        case CountedWriting(unit=unit):
            if unit is CountedUnit.SPREADSHEET_DAYS:
                return "read as dates, from the days that spreadsheets count (45657 for 2024-12-31)"
            return f"read as dates, from {unit.value} since 1970-01-01 in UTC"
        case DigitsWriting():
            return f"read as dates like {_EXAMPLE_OF_A_DATE.strftime(writing.format)}"
        case ZonedWriting(clock=clock):
            return f"read as dates {_CLOCKS[clock]}"
        case ClockWriting(parts=parts):
            return f"read as seconds from durations like {_CLOCK_EXAMPLES[parts]}"
        case TruthWriting():
            return f"read as true ({', '.join(writing.true)}) or false ({', '.join(writing.false)})"
        case _:
            assert_never(writing)
