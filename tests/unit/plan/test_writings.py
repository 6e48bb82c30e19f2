"""What a text writes is read alike by pandas and DuckDB, and what is not written so is missing in both."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jupyter_mcpgen.errors import WrongType
from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.date_formats import DateWriting
from jupyter_mcpgen.plan.expressions import Col, Parse
from jupyter_mcpgen.plan.moments import Clock, ClockWriting, CountedUnit, CountedWriting, DigitsWriting, ZonedWriting
from jupyter_mcpgen.plan.number_writing import NumberWriting
from jupyter_mcpgen.plan.ops import Derive
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema
from jupyter_mcpgen.plan.writings import TruthWriting, Writing
from tests.engines import run_duckdb, run_pandas
from tests.laws import law

RELAXED = law(20)
AFFIXES = ["$", "€", "US$", "%", "kg", "th", "(est)", "*", "\\", "°C", "m²", "#", "[a]", "k m"]
NEGATIVES = ["()", "−", "5-", "$-5", "CR", "DR", "S", "H"]
GAPS = ["", " ", "\u00a0", "  ", "\t", "\n", "\x1f", "\u2003", "\u3000", "\u200b"]


def reading(writing: Writing) -> Plan:
    schema = Schema(fields=(Field(name="x", type=ColumnType.TEXT),))
    return Plan(
        source="t",
        source_schema=schema,
        steps=(Derive(name="y", expression=Parse(operand=Col(name="x"), writing=writing)),),
    )


def read(words: list[str | None], writing: Writing) -> list[Any]:
    frame = pd.DataFrame({"x": pd.Series(words, dtype="str")})
    plan = reading(writing)
    result = run_pandas(plan, frame)
    assert first_difference(result, run_duckdb(plan, frame)) is None
    return [None if pd.isna(value) else value for value in result["y"]]


@st.composite
def number_writings(draw: st.DrawFn) -> NumberWriting:
    decimal = draw(st.sampled_from([".", ","]))
    thousands = draw(st.sampled_from([mark for mark in (",", ".", " ", "'", "") if mark != decimal]))
    affixes = st.lists(st.sampled_from(AFFIXES), max_size=2, unique=True).map(tuple)
    prefixes = (*draw(affixes), *draw(st.sampled_from([(), ("Rs.",)])))
    return NumberWriting(
        decimal=decimal,
        thousands=thousands,
        prefixes=prefixes,
        suffixes=draw(affixes),
        scales=draw(st.sampled_from([(), ("k", "M"), ("mn", "million", "B")])),
        flags=draw(st.sampled_from([(), ("b", "ep"), ("*",), ("[]",)])),
        negatives=draw(st.lists(st.sampled_from(NEGATIVES), unique=True, max_size=3).map(tuple)),
        exponent=draw(st.booleans()) and "e" not in "".join(prefixes),
        spread=draw(st.booleans()),
        wrapped=draw(st.booleans()),
        fractions=draw(st.booleans()),
    )


@st.composite
def near_numbers(draw: st.DrawFn, writing: NumberWriting) -> str:
    """Draw a text that is nearly, or just, written so."""
    gap, sign = st.sampled_from(GAPS), st.sampled_from(["", "-", "+", "--", "−"])
    marks = [writing.decimal, writing.thousands, ".", ",", " ", "e"]
    digits = draw(st.lists(st.sampled_from(["1", "12", "234", "000", "5", *marks]), min_size=1, max_size=6))
    before, after = st.sampled_from(["", *writing.prefixes, "$"]), st.sampled_from(["", *writing.suffixes, "%", "x"])
    scale = draw(st.sampled_from(["", *writing.scales, "k"]))
    remarks = ["[5]", "b", "±2", " +/- 0.5", "e5", "E-3", " 1/2", "/4", " 3/0", "1 1/3"]
    remark = draw(st.sampled_from(["", "", *writing.flags, *remarks]))
    number = [draw(sign), draw(before), draw(gap), draw(sign), *digits, draw(gap), scale, draw(gap), draw(after)]
    around = draw(
        st.sampled_from([("", ""), ("(", ")"), ("$(", ")"), ("", "-"), ("", " cr"), ("", "H"), ('="', '"'), ("'", "")])
    )
    return "".join([draw(gap), around[0], *number, draw(gap), remark, around[1], draw(gap)])


@RELAXED
@given(st.data(), number_writings())
def test_numbers_are_read_alike(data: st.DataObject, writing: NumberWriting) -> None:
    words = data.draw(st.lists(near_numbers(writing) | st.text(max_size=6).filter(lambda t: "\0" not in t) | st.none()))

    read([word if word is None else word.encode("utf-8", "ignore").decode() for word in words], writing)


@st.composite
def date_formats(draw: st.DrawFn) -> str:
    """Draw a format of dates, or of times of any day, as a table may write them."""
    mark, month = draw(st.sampled_from("/.- ")), draw(st.sampled_from(["%m", "%b", "%B"]))
    year = draw(st.sampled_from(["%Y", "%y"]))
    orders = [["%d", month, year], [month, "%d", year], [year, month, "%d"], [month, year], [year, month]]
    date = mark.join(draw(st.sampled_from(orders)))
    weekday, between = (
        draw(st.sampled_from(["", "%a, ", "%A "])),
        draw(st.sampled_from([" ", ", ", "T", " @ ", " at "])),
    )
    clock = draw(st.sampled_from(["%H:%M", "%H:%M:%S", "%H:%M:%S.%f", "%I:%M %p", "%I:%M:%S%p"]))
    return draw(st.sampled_from([date, weekday + date, date + between + clock, clock, f"{clock} {date}", "%d%m%Y"]))


def spelled(number: int, writing: NumberWriting, data: st.DataObject) -> str:
    """Spell a number of hundredths in one of the ways that a writing has for it."""

    def pick(*ways: str) -> str:
        return data.draw(st.sampled_from(ways))

    whole, rest = divmod(abs(number), 100)
    grouped = f"{whole:,}".replace(",", pick("", writing.thousands))
    digits = grouped + (f"{writing.decimal}{rest:02}" if rest else "")
    prefix, suffix = pick("", *writing.prefixes), pick("", *writing.suffixes)
    spread = pick("", f" ± 1{writing.decimal}5") if writing.spread else ""
    remark = pick("", *writing.flags).replace("[]", "[7]")
    text = f"{prefix}{digits}{spread}{pick('', ' ')}{suffix}{pick('', ' ')}{remark}"
    if number < 0:
        shape = pick("-", *(way for way in writing.negatives if way != "$-5" or prefix))
        ways = {"()": f"({text})", "5-": f"{text}-", "CR": f"{text} CR", "DR": f"{text} Dr", "−": f"−{text}"}
        ways |= {side: f"{text} {side}" for side in ("S", "H")}
        text = f"{prefix}-{text.removeprefix(prefix)}" if shape == "$-5" else ways.get(shape, f"-{text}")
    return f'="{text}"' if writing.wrapped and pick("", "wrapped") else text


@RELAXED
@given(st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=8), number_writings(), st.data())
def test_a_number_that_is_written_in_some_way_is_read_as_that_number(
    numbers: list[int], writing: NumberWriting, data: st.DataObject
) -> None:
    bracketed = any(affix.startswith("(") for affix in (*writing.prefixes, *writing.suffixes))
    assume(not (bracketed and "()" in writing.negatives))
    words = [spelled(number, writing, data) for number in numbers]

    assert read(words, writing) == [number / 100 for number in numbers]


@RELAXED
@given(
    date_formats(),
    st.lists(st.datetimes(dt.datetime(1800, 1, 1), dt.datetime(2200, 12, 31)), max_size=5),
    st.data(),
)
def test_dates_are_read_alike(format_: str, days: list[dt.datetime], data: st.DataObject) -> None:
    words = [day.strftime(format_) for day in days]
    spoiled = st.sampled_from(["", " ", "0", "x", "/", "-", "today", "now", "31", "\u0663"])
    words += [data.draw(spoiled) + word for word in words]
    words += [word.lower() for word in words] + [word.replace("/0", "/").replace(".0", ".") for word in words]

    found = read([*words, None], DateWriting(format=format_))

    assert all(value is not None for value in found[: len(days)])


@RELAXED
@given(st.lists(st.sampled_from(["yes", "Yes", "NO", "no", " yes", "y", "İ", "ja", ""]) | st.none()))
def test_truth_is_read_alike(words: list[str | None]) -> None:
    read(words, TruthWriting(true=("yes", "y"), false=("no",)))


@pytest.mark.parametrize(
    ("writing", "words", "numbers"),
    [
        (NumberWriting(prefixes=("$",)), ["$1,234.50", "-$5", "$ 7", "1234"], [1234.5, -5, 7, 1234]),
        (NumberWriting(prefixes=("$",)), ["$-5", "$1,23", "n/a"], [None, None, None]),
        (NumberWriting(decimal=",", thousands=".", suffixes=("€",)), ["1.234,50 €", "0,5", "1.5"], [1234.5, 0.5, None]),
        (NumberWriting(suffixes=("%",)), ["45%", "4.5 %", ".5%", "%"], [45, 4.5, 0.5, None]),
        (NumberWriting(suffixes=("st", "nd", "rd", "th")), ["1st", "22nd", "13th", "th"], [1, 22, 13, None]),
        (NumberWriting(thousands="'"), ["1'234", "1234567", "12'34"], [1234, 1234567, None]),
        (NumberWriting(negatives=("()",)), ["(5)", " (1,234.5) ", "(-5)", "(5", "5"], [-5, -1234.5, None, None, 5]),
        (NumberWriting(negatives=("−",)), ["−5", "- 5", "5−"], [-5, None, None]),
        (NumberWriting(prefixes=("$",), negatives=("()",)), ["($5.50)", "$(5)", "-$1"], [-5.5, -5, -1]),
        (NumberWriting(scales=("k", "M")), ["1.2M", "12 k", "950", "-3k", "5m"], [1.2e6, 12e3, 950, -3e3, None]),
        (
            NumberWriting(decimal=",", thousands=".", scales=("Mio",), suffixes=("€",)),
            ["1,5 Mio €", "20 €", "Mio"],
            [1.5e6, 20, None],
        ),
        (NumberWriting(prefixes=("Rs.", "Rs")), ["Rs. 1,200", "Rs.5", "-Rs. 7", "Rs 3"], [1200, 5, -7, 3]),
        (NumberWriting(thousands=" "), ["1 234 567", "1\u00a0234", "1\u202f234", "12 34"], [1234567, 1234, 1234, None]),
        (NumberWriting(), ["12,34,567", "1,23,456.5", "12,34", "12,34,56"], [1234567, 123456.5, None, None]),
        (NumberWriting(thousands="'"), ["1'234", "1’234.5"], [1234, 1234.5]),
        (NumberWriting(negatives=("5-",)), ["5.00-", "1,200 -", "7", "-7-", "-"], [-5, -1200, 7, None, None]),
        (NumberWriting(prefixes=("$",), negatives=("$-5",)), ["$-5", "$ -1,200", "-$7", "-$-7"], [-5, -1200, -7, None]),
        (
            NumberWriting(fractions=True),
            ["1 1/2", "3/4", "2", " 7/2 ", "-1 1/2", "-1/2", "-3", "1/0", "1/2/3", "1 1 1/2", "-1 1/2\n", "1,000 1/4"],
            [1.5, 0.75, 2, 3.5, None, None, -3, None, None, None, None, 1000.25],
        ),
        (NumberWriting(decimal=",", thousands=".", fractions=True), ["1/2", "1,5", "1.000 1/8"], [0.5, 1.5, 1000.125]),
        (NumberWriting(flags=("DR",), negatives=("CR",)), ["5 CR", "7 cr", "9.5 DR", "-5 CR"], [-5, -7, 9.5, None]),
        (NumberWriting(exponent=True), ["1e+05", "2.5E-3", "7", "1e400", "e5"], [1e5, 2.5e-3, 7, None, None]),
        (NumberWriting(spread=True), ["1000 ± 28", "1.5 +/- 0.2", "7", "± 5"], [1000, 1.5, 7, None]),
        (NumberWriting(flags=("b", "[]")), ["12.5 b", "12[5]", "12 [a] ", "12 c", "7"], [12.5, 12, 12, None, 7]),
        (NumberWriting(wrapped=True), ["'-5", "'7", '="12.5"', '=("8")', '"9"', "5'"], [-5, 7, 12.5, 8, None, None]),
        (NumberWriting(), ["3-5", "<5", "1/2", "5 6", ""], [None, None, None, None, None]),
    ],
)  # fmt: skip
def test_numbers_are_read_as_they_are_written(
    writing: NumberWriting, words: list[str | None], numbers: list[Any]
) -> None:
    assert read(words, writing) == numbers


def test_dates_are_read_as_they_are_written() -> None:
    day = pd.Timestamp("2024-03-04")

    assert read(["4/3/2024", "04/03/2024 ", "2024-03-04", "31/02/2024", "today"], DateWriting(format="%d/%m/%Y")) == [
        *(day, day),
        *(None, None, None),
    ]
    assert read(["March 4, 2024", "MARCH 04, 2024"], DateWriting(format="%B %d, %Y")) == [day, day]
    assert read(["4.3.24"], DateWriting(format="%d.%m.%y")) == [day]


@pytest.mark.parametrize("affix", ["", "1", "-", ".", ",", "a1", " $", "$ ", "\n", "\0", "it's"])
def test_an_affix_that_could_be_part_of_a_number_is_refused(affix: str) -> None:
    with pytest.raises(WrongType, match="cannot stand beside a number"):
        NumberWriting(prefixes=(affix,))


def test_only_text_is_read() -> None:
    schema = Schema(fields=(Field(name="x", type=ColumnType.REAL),))
    step = Derive(name="y", expression=Parse(operand=Col(name="x"), writing=NumberWriting()))

    with pytest.raises(WrongType, match="is not text"):
        Plan(source="t", source_schema=schema, steps=(step,))


def read_numbers(numbers: list[float | None], writing: CountedWriting | DigitsWriting) -> list[Any]:
    frame = pd.DataFrame({"x": numbers})
    type_ = ColumnType.INTEGER if frame["x"].dtype == "int64" else ColumnType.REAL
    step = Derive(name="y", expression=Parse(operand=Col(name="x"), writing=writing))
    plan = Plan(source="t", source_schema=Schema(fields=(Field(name="x", type=type_),)), steps=(step,))
    result = run_pandas(plan, frame)
    assert first_difference(result, run_duckdb(plan, frame)) is None
    return [None if pd.isna(value) else value for value in result["y"]]


def digits(format_: str) -> DigitsWriting:
    return DigitsWriting.model_validate({"format": format_})


MOMENTS = (61, 45_657, 2_958_465, 1_012_024, 31_122_024, 1_704_243_600_123_456, 1_704_243_600_123_456_789)
NEAR_MOMENTS = st.sampled_from(
    [0, 1, *MOMENTS, 10_000_101, 20_240_131, 99_991_231, 1_704_243_600, 253_402_300_799]
).flatmap(lambda near: st.integers(near - 2, near + 1_001))


@RELAXED
@given(
    st.sampled_from(
        [*(CountedWriting(unit=unit) for unit in CountedUnit), *map(digits, ("%Y%m%d", "%m%d%Y", "%d%m%Y"))]
    ),
    st.lists(NEAR_MOMENTS | st.integers(-(2**62), 2**62), min_size=1, max_size=6)
    | st.lists(NEAR_MOMENTS.map(float) | st.floats() | st.none(), min_size=1, max_size=6).map(
        lambda cells: [None if cell is None else float(cell) for cell in cells] + [0.5]
    ),
)
def test_numbers_that_write_moments_are_read_alike(
    writing: CountedWriting | DigitsWriting, numbers: list[float | None]
) -> None:
    read_numbers(numbers, writing)


@st.composite
def near_moments(draw: st.DrawFn) -> str:
    """Draw a text that is nearly, or just, a moment with a zone or a duration."""
    day = draw(st.sampled_from(["2024-01-31", "2024-02-30", "2999-12-31", "1000-01-01", "0999-01-01", "24-1-3", ""]))
    clock = draw(st.sampled_from(["18:30", "18:30:07", "23:59:59.123456", "24:00", "1:30", "99:59:59", "9999:00", "6"]))
    zone = draw(
        st.sampled_from(["", "Z", "+02:00", "-0530", "+14:59", "+15:00", " CET", " Europe/Berlin", " UTC", " x"])
    )
    return draw(st.sampled_from(GAPS)) + day + draw(st.sampled_from(["T", " ", ""])) + clock + zone


@RELAXED
@given(
    st.sampled_from(
        [
            *(ZonedWriting(clock=clock) for clock in Clock),
            *(ClockWriting.model_validate({"parts": parts}) for parts in ("h:mm:ss", "h:mm", "m:ss")),
        ]
    ),
    st.lists(near_moments() | st.none(), min_size=1, max_size=6),
)
def test_texts_that_write_moments_are_read_alike(writing: Writing, words: list[str | None]) -> None:
    read(words, writing)


def test_counted_moments_are_read_in_utc_and_what_is_not_above_zero_is_missing() -> None:
    moment = pd.Timestamp("2024-01-03 01:00")

    assert read_numbers([1_704_243_600, 0, -1], CountedWriting(unit=CountedUnit.SECONDS)) == [moment, None, None]
    assert read_numbers([1_704_243_600_250], CountedWriting(unit=CountedUnit.MILLISECONDS)) == [
        moment + pd.Timedelta(milliseconds=250)
    ]
    assert read_numbers([1_704_243_600.9, None], CountedWriting(unit=CountedUnit.SECONDS)) == [moment, None]
    assert read_numbers([20_240_103, 20_240_230], DigitsWriting()) == [pd.Timestamp("2024-01-03"), None]
    assert read_numbers([1_032_024, 13_012_024], digits("%m%d%Y")) == [pd.Timestamp("2024-01-03"), None]
    assert read_numbers([1_032_024, 13_012_024], digits("%d%m%Y")) == [
        *(pd.Timestamp("2024-03-01"), pd.Timestamp("2024-01-13")),
    ]
    assert read_numbers([1_704_243_600_123_456_789], CountedWriting(unit=CountedUnit.NANOSECONDS)) == [
        moment + pd.Timedelta(microseconds=123_456)
    ]
    assert read_numbers([45_657, 45_657.75, 60], CountedWriting(unit=CountedUnit.SPREADSHEET_DAYS)) == [
        *(pd.Timestamp("2024-12-31"), pd.Timestamp("2024-12-31 18:00"), None),
    ]


def test_a_zone_is_left_out_or_counted_in() -> None:
    words = ["2024-01-31T23:30:00-05:00", "2024-01-31 23:30 CET"]

    assert read(words, ZonedWriting(clock=Clock.WRITTEN)) == [pd.Timestamp("2024-01-31 23:30")] * 2
    assert read(words, ZonedWriting(clock=Clock.UTC)) == [pd.Timestamp("2024-02-01 04:30"), None]


@pytest.mark.parametrize(
    ("parts", "seconds"), [("h:mm:ss", [None, 5405.0]), ("h:mm", [5400.0, None]), ("m:ss", [90.0, None])]
)
def test_durations_are_read_as_seconds(parts: str, seconds: list[float | None]) -> None:
    assert read(["1:30", "1:30:05"], ClockWriting.model_validate({"parts": parts})) == seconds


def test_german_names_of_months_are_read() -> None:
    long = DateWriting(format="%d. %B %Y", german=True)
    short = DateWriting(format="%d. %b %Y", german=True)

    assert read(["3. März 2024", "3. August 2024", "3. Marsch 2024"], long) == [
        *(pd.Timestamp("2024-03-03"), pd.Timestamp("2024-08-03")),
        None,
    ]
    assert read(["3. Mrz. 2024", "3. Sept. 2024", "3. Dez 2024"], short) == [
        pd.Timestamp(2024, month, 3) for month in (3, 9, 12)
    ]


def test_a_zone_behind_a_date_is_left_out_or_counted_in() -> None:
    words = ["Tue, 03 Oct 2023 23:30:00 -0500", "Tue, 03 Oct 2023 23:30:00 GMT", "Tue, 03 Oct 2023 23:30:00"]
    format_ = "%a, %d %b %Y %H:%M:%S %z"

    assert read(words, DateWriting(format=format_)) == [*[pd.Timestamp("2023-10-03 23:30")] * 2, None]
    assert read(words, DateWriting(format=format_, clock=Clock.UTC)) == [pd.Timestamp("2023-10-04 04:30"), None, None]


@pytest.mark.parametrize("format_", ["", "x", "%d", "%d/%m", "%Y", "%d/%d/%Y", "%q %m/%Y", "%m/%Y %", "%H", "%H:%M 5"])
def test_what_is_no_format_of_dates_is_refused(format_: str) -> None:
    with pytest.raises(WrongType, match="no format of dates"):
        DateWriting(format=format_)


def test_only_numbers_count_moments() -> None:
    with pytest.raises(WrongType, match="is no number"):
        reading(CountedWriting(unit=CountedUnit.SECONDS))
