"""Texts that write numbers, dates or truth are found, codes and names are left alone."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.data.writings import find_writings, read_words
from jupyter_mcpgen.model.profile import ColumnProfile, Kind, OddCell, Role
from jupyter_mcpgen.plan.moments import Clock
from jupyter_mcpgen.plan.number_writing import NumberWriting
from jupyter_mcpgen.plan.schema import ColumnType
from jupyter_mcpgen.plan.writings import TruthWriting
from jupyter_mcpgen.toolkit.missing_words import is_missing_word
from tests.laws import law


def only(name: str, *words: str | None) -> ColumnProfile:
    return profile("t", pd.DataFrame({name: pd.Series(list(words), dtype="str")})).columns[0]


@pytest.mark.parametrize(
    ("words", "decimal", "thousands", "prefixes", "suffixes"),
    [
        (["$1,234.50", "$12", "-$3"], ".", ",", ("$",), ()),
        (["1,234", "987", "-"], ".", ",", (), ()),
        (["12", "15", "n/a"], ".", "", (), ()),
        (["1.234,50 €", "0,99 €"], ",", ".", (), ("€",)),
        (["1,5", "2,25"], ",", ".", (), ()),
        (["45%", "3.5 %", "100%"], ".", ",", (), ("%",)),
        (["1st", "2nd", "13th"], ".", "", (), ("st", "nd", "rd", "th")),
        (["70 kg", "81.5 kg"], ".", ",", (), ("kg",)),
        (["1'234", "12'000"], ".", "'", (), ()),
        (["EUR 5", "EUR 1,200"], ".", ",", ("EUR",), ()),
    ],
)
def test_numbers_in_writing_are_found(words, decimal, thousands, prefixes, suffixes):
    assert find_writings(words) == (
        NumberWriting(decimal=decimal, thousands=thousands, prefixes=prefixes, suffixes=suffixes),
    )


@pytest.mark.parametrize(
    ("words", "prefixes", "suffixes", "scales", "negatives"),
    [
        (["(5)", "7", "(1,200)"], (), (), (), ("()",)),
        (["($5.00)", "$6.00"], ("$",), (), (), ("()",)),
        (["−5", "7"], (), (), (), ("−",)),
        (["1.2M", "12k", "950"], (), (), ("M", "k"), ()),
        (["$3B", "$4.5B"], ("$",), (), ("B",), ()),
        (["2 million", "3.5 million"], (), (), ("million",), ()),
        (["5 Mio €", "3 Mio €"], (), ("€",), ("Mio",), ()),
        (["273 K", "300 K"], (), (), None, ()),
        (["512 B", "64 B"], (), ("B",), (), ()),
        (["Rs. 300", "Rs. 1,200"], ("Rs.",), (), (), ()),
        (["5.00-", "1,200.00", "7.5-"], (), (), (), ("5-",)),
        (["$5.00", "$-1,200.00"], ("$",), (), (), ("$-5",)),
        (["$ (5.00)", "$1,200.00"], ("$",), (), (), ("()",)),
        (["5.00 CR", "1,200.00"], (), (), (), ("CR",)),
        (["₹5 Cr", "₹7 Cr", "₹900"], (), (), None, ()),
        (["5.00 CR", "7.00 CR"], (), (), (), ()),
    ],
)
def test_signs_and_factors_in_writing_are_found(words, prefixes, suffixes, scales, negatives):
    found = [(one.prefixes, one.suffixes, one.scales, one.negatives) for one in find_writings(words)]

    assert found == ([] if scales is None else [(prefixes, suffixes, scales, negatives)])


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["12.5 b", "13.1", "14.0 p", "15.2", "16"], {"flags": ("b", "p")}),
        (["1,234[5]", "987", "12[a]"], {"flags": ("[]",)}),
        (["12.5*", "13.1", "14"], {"flags": ("*",)}),
        (["980 ± 30", "1010 +/- 25"], {"spread": True}),
        (["1e+05", "250", "2.5E-3", "x"] + [str(n) for n in range(3, 9)], {"exponent": True}),
        (["'-75.63", "120.00"], {"wrapped": True}),
        (['="12.5"', '=("7")'], {"wrapped": True}),
        (["12,34,567", "1,23,456"], {"thousands": ","}),
        (["1’234.50", "12"], {"thousands": "'"}),
        (["1\u202f234,5", "12"], {"thousands": " ", "decimal": ","}),
        (["1.234.567", "1.234"], {"thousands": ".", "decimal": ","}),
        (["<5", "7", "3-5", "see 9", "12 A"] + [str(n) for n in range(11, 40)], {"thousands": "", "flags": ()}),
    ],
)
def test_what_stands_around_numbers_is_found(words, parts):
    (found,) = find_writings(words)

    assert {name: getattr(found, name) for name in parts} == parts
    assert find_writings([f"{word} xyz" for word in words]) == ()


def in_lakhs(number: float) -> str:
    """Write a number as in India: 12,34,567.5."""
    whole, point, rest = f"{number:.2f}".partition(".")
    head, last = whole[:-3], whole[-3:]
    pairs = [head[max(0, end - 2) : end] for end in range(len(head), 0, -2)]
    return ",".join([*reversed(pairs), last]) + point + rest


STYLES = {
    "plain": lambda number: f"{number:.2f} ",
    "english": lambda number: f"{number:,.2f}",
    "german": lambda number: f"{number:,.2f}".translate(str.maketrans(",.", ".,")),
    "swiss": lambda number: f"{number:,.2f}".replace(",", "’"),
    "french": lambda number: f"{number:,.2f}".translate(str.maketrans(",.", "\u202f,")),
    "nbsp": lambda number: f"{number:,.2f}".replace(",", "\u00a0"),
    "indian": in_lakhs,
    "exponent": lambda number: f"{number:.10e}",
    "spread": lambda number: f"{number:.2f} ± 0.05",
}
AROUND = {
    "none": "{}",
    "dollars": "${}",
    "euros": "{} €",
    "code": "CHF {}",
    "rupees": "Rs. {}",
    "percent": "{}%",
    "unit": "{} kg",
    "million": "{} million",
    "defused": "{}",
    "noted": "{}[3]",
}
NEGATIVES = {"minus": "-{}", "sign": "−{}", "brackets": "({})", "behind": "{}-"}


@law(60)
@given(
    st.lists(st.integers(1, 10**9).map(lambda number: number / 100), min_size=3, max_size=12, unique=True),
    st.sampled_from(sorted(STYLES)),
    st.sampled_from(sorted(AROUND)),
    st.sampled_from(sorted(NEGATIVES)),
    st.data(),
)
def test_numbers_of_a_column_are_found_as_what_they_are_in_any_style(numbers, style, around, negative, data):
    assume(not (style == "exponent" and around == "euros"))
    below = [place > 0 and data.draw(st.booleans()) for place in range(len(numbers))]
    words = [AROUND[around].format(STYLES[style](number).strip()) for number in numbers]
    words = [NEGATIVES[negative].format(word) if is_ else word for word, is_ in zip(words, below, strict=True)]
    words = [f'="{word}"' for word in words] if around == "defused" else words
    factor = 1e6 if around == "million" else 1
    expected = [number * (-factor if is_ else factor) for number, is_ in zip(numbers, below, strict=True)]

    ways = find_writings([*words, "n/a"])

    read = [read_words(pd.Series(words, dtype="str"), way).tolist() for way in ways]
    assert any(each == pytest.approx(expected, nan_ok=True) for each in read)


def test_debits_beside_credits_are_read_in_two_ways():
    found = find_writings(["5.00 CR", "7.50 DR", "1,200.00 CR"])

    assert [one.negatives for one in found] == [("DR",), ("CR",)]
    assert [read_words(pd.Series(["5 CR", "7 DR"]), one).tolist() for one in found] == [[5, -7], [-5, 7]]


def test_german_sides_are_asked_about_where_every_number_has_one():
    found = find_writings(["1.200,00 S", "7,50 H", "3,25S"])

    assert [one.negatives for one in found] == [("S",), ("H",)]
    assert [read_words(pd.Series(["5,00 S", "7,50 H", "5,00 s", "1"]), one).tolist()[:2] for one in found] == [
        [-5, 7.5],
        [5, -7.5],
    ]


@pytest.mark.parametrize(
    "words",
    [["5,00 S", "7,50 S"], ["5,00 S", "7,50 H", "8,00"], ["5,00 s", "7,50 h"], ["S 5", "H 7"], ["5 HS", "7 S"]],
)
def test_letters_that_not_every_number_has_are_no_sides(words):
    assert find_writings(words) == ()


@pytest.mark.parametrize(
    ("words", "mark", "decimals"),
    [
        (["1.234 €", "2.500 €"], None, [".", ","]),
        (["1.234 €", "2.500 €"], ",", [","]),
        (["1.234 €", "2.500 €"], ".", ["."]),
        (["1,234", "2,500"], None, ["."]),
        (["1,234", "2,500"], ",", [","]),
        (["1.234 €", "2.50 €"], None, ["."]),
    ],
)
def test_a_mark_before_three_digits_is_read_as_in_the_rest_of_the_table_or_both_ways(words, mark, decimals):
    assert [writing.decimal for writing in find_writings(words, mark)] == decimals


@pytest.mark.parametrize(
    ("words", "true", "false"),
    [
        (["Ja", "nein"], ("ja",), ("nein",)),
        (["Y", "no", "yes"], ("yes", "y"), ("no",)),
        (["on", "off"], ("on",), ("off",)),
        (["oui", "non"], ("oui",), ("non",)),
    ],
)
def test_words_for_yes_and_no_are_found_in_several_languages(words, true, false):
    assert find_writings(words) == (TruthWriting(true=true, false=false),)


@pytest.mark.parametrize(
    "words",
    [
        ["00501", "90210"],
        ["A12", "B7"],
        ["#12", "#13"],
        ["5 kg", "3 lb"],
        ["$5", "€5"],
        ["5 kg", "300 g"],
        ["50%", "0.5"],
        ["(1)", "(2)"],
        ["5 MB", "3 GB"],
        ["1.2.3", "1.2.4"],
        ["12-5", "3-1"],
        ["12 A", "13 B", "14", "15"],
        ['="007"', '="0012345"'],
        ["$5 b", "€7"],
        ["1234567890123456", "1234567890123457"],
        ["red", "blue", "12"],
        ["n/a", "-"],
        [],
        ["yes"],
        ["yes", "no", "maybe"],
        ["32/13/2024", "01/02/2024"],
    ],
)
def test_codes_names_and_mixed_units_stay_text(words):
    assert find_writings(words) == ()


@pytest.mark.parametrize(
    ("words", "formats"),
    [
        (["25/12/2024", "01/02/2024"], ["%d/%m/%Y"]),
        (["12/25/2024", "01/02/2024"], ["%m/%d/%Y"]),
        (["03/04/2024", "01/02/2024"], ["%d/%m/%Y", "%m/%d/%Y"]),
        (["04/04/2024", "05/05/2024"], ["%d/%m/%Y"]),
        (["31.12.2024", "1.2.2024"], ["%d.%m.%Y"]),
        (["March 3, 2024", "May 4, 2024"], ["%B %d, %Y"]),
        (["May 3, 2024", "May 4, 2024"], ["%B %d, %Y"]),
        (["3-Jan-2024", "14-Feb-2023"], ["%d-%b-%Y"]),
        (["12/25/2024 18:30", "01/02/2024 07:00"], ["%m/%d/%Y %H:%M"]),
        (["05/27/2022 03:41:00 AM", "01/02/2022 12:00:00 PM"], ["%m/%d/%Y %I:%M:%S %p"]),
        (["27/5/2022 3:41 pm", "1/2/2022 12:10 am"], ["%d/%m/%Y %I:%M %p"]),
        (["27-05-2022 18:30", "01-02-2022 07:00"], ["%d-%m-%Y %H:%M"]),
        (["2023-07", "2023-11", "2024-01"], ["%Y-%m"]),
        (["2023/07", "2024/01"], ["%Y/%m"]),
        (["07/2023", "01/2024"], ["%m/%Y"]),
        (["07.2023", "12.2023"], ["%m.%Y"]),
        (["Jul-2023", "Jan-2024"], ["%b-%Y"]),
        (["Jul-23", "Jan-24"], ["%b-%y"]),
        ([f"Jan-{day:02}" for day in range(1, 32)], []),
        (["9/10/2024 9:05", "21/11/2024 13:30"], ["%d/%m/%Y %H:%M"]),
        (["Oct 3, 2023 @ 10:15:02.000", "Oct 13, 2023 @ 1:15:02.120"], ["%b %d, %Y @ %H:%M:%S.%f"]),
        (["October 2, 2023 at 9:30 AM", "October 3, 2023 at 10:30 AM"], ["%B %d, %Y at %I:%M %p"]),
        (["Tue, 03 Oct 2023 14:30:00 +0100", "Wed, 04 Oct 2023 08:00:00 +0100"], ["%a, %d %b %Y %H:%M:%S %z"]),
        (["03142018", "10152018", "12302017"], ["%m%d%Y"]),
        (["03142018", "10152018", "00000017"], []),
        (["98-01-05", "99-02-03"], ["%y-%m-%d"]),
        (["05Jan2024", "16Feb2024"], ["%d%b%Y"]),
        (["2024年1月5日", "2024年10月15日"], ["%Y年%m月%d日"]),
        (["2024Q1", "2024Q2", "2024Q3"], []),
        (["2024 Q1", "2024 Q2", "2024 Q3"], []),
        (["KW 11/2023", "KW 12/2023"], []),
        (["2024-W05", "2024-W06"], []),
        (["Week 5 2024", "Week 6 2024"], []),
        (["2024-01-5a", "2024-02-6a"], []),
        (["12.25.2024", "01.02.2024"], ["%m.%d.%Y"]),
        (["3. März 2024", "3. April 2024"], ["%d. %B %Y"]),
        (["25/12/2024", "12/25/2024"], []),
        (["25/12/2024", "01/02/2024", "02/02/2024", "03/02/2024", "2024-02-03"], []),
        (["25/12/2024", "01/02/2024", "02/02/2024", "03/02/2024", "31/04/2024"], ["%d/%m/%Y"]),
        (["25/12/2024", "01/02/2024", "02/02/2024", "03/02/2024", "soon"], ["%d/%m/%Y"]),
    ],
)
def test_dates_are_found_and_two_ways_are_told(words, formats):
    assert [writing.format for writing in find_writings(words)] == formats


def test_dates_of_several_offsets_are_read_in_two_ways():
    words = ["03 Oct 2023 14:30 +0100", "04 Nov 2023 08:00 +0000"]

    assert [one.clock for one in find_writings(words)] == [Clock.WRITTEN, Clock.UTC]


@pytest.mark.parametrize(
    ("others", "formats"),
    [
        (["14/02/2024", "01/03/2024"], ["%d/%m/%Y"]),
        (["02/14/2024 9:00", "03/01/2024 10:00"], ["%m/%d/%Y"]),
        (["05/05/2024", "06/06/2024"], ["%d/%m/%Y", "%m/%d/%Y"]),
        (["soon", "later"], ["%d/%m/%Y", "%m/%d/%Y"]),
    ],
)
def test_the_other_dates_of_a_table_settle_the_order_of_day_and_month(others, formats):
    frame = pd.DataFrame({"due": pd.Series(["03/04/2024", "01/02/2024"], dtype="str"), "sent": others})

    assert [one.writing.format for one in profile("t", frame).column("due").written] == formats


def test_seasons_and_digits_of_which_one_is_no_month_stay_text():
    assert find_writings(["2009-10", "2010-11", "2011-12"]) == ()
    assert find_writings(["2023-07", "2023-08", "2023-09", "2023-10", "2023-13"]) == ()


def test_points_with_a_total_in_brackets_are_no_dates():
    assert not find_writings(["13.8 (86)", "9.11 (65)", "10.12 (72)"])


def test_a_sign_that_nobody_sees_makes_no_date_unreadable():
    assert not find_writings(["May 2006\x81", "June 2006\x81", "July 2006\x81"])


def test_words_for_true_and_false_are_found():
    assert find_writings(["Yes", "no", "n/a"]) == (TruthWriting(true=("yes",), false=("no",)),)


@pytest.mark.parametrize("name", ["churned", "Churned", "is_churned", "hasChurned", "Was churned?"])
def test_a_column_of_two_words_of_which_one_is_its_whole_name_says_yes_or_no(name):
    assert find_writings(["Churned", "Active"], name=name) == (TruthWriting(true=("churned",), false=("active",)),)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("not_returned", ["Returned", "Kept"]),
        ("non_smoker", ["Smoker", "Never"]),
        ("never_churned", ["Churned", "Active"]),
        ("without-guarantee", ["Guarantee", "Waived"]),
        ("unreturned", ["Returned", "Kept"]),
        ("nicht_bezahlt", ["bezahlt", "offen"]),
        ("is_not_paid", ["Paid", "Open"]),
        ("paid (not)", ["Paid", "Open"]),
        ("≠ paid", ["Paid", "Open"]),
        ("nicht bestätigt_paid", ["Paid", "Open"]),
        ("pre_paid", ["Paid", "Owed"]),
        ("time_of_day", ["Day", "Night"]),
        ("meal_type", ["meal", "snack"]),
        ("order_state", ["state", "federal"]),
        ("no", ["no", "late"]),
        ("is", ["is", "was"]),
    ],
)
def test_a_word_that_is_only_a_part_of_a_name_says_neither_yes_nor_no(name, words):
    assert find_writings(words, name=name) == ()


def test_a_column_of_amounts_is_profiled_as_its_numbers():
    others = [f"${price}" for price in range(801, 810)]
    found = only("price", "$1,200.00", "$800.00", "$800.00", *others, "on request", "n/a", None)

    (written,) = found.written
    assert (written.type, written.missing, written.unreadable) == (ColumnType.REAL, 1, 1)
    assert (written.spelled, written.odd) == (("n/a",), (OddCell(row=13, text="on request"),))
    assert (written.values.minimum, written.values.maximum, written.values.nulls) == (800.0, 1200.0, 3)
    assert (written.values.role, written.values.unit) == (Role.MEASURE, "$")
    assert found.kind is Kind.MONEY
    assert found.values[0] == "$800.00"


@pytest.mark.parametrize(
    "word",
    [
        *("", " . ", "--", "**", "???", ":", "n.a.", "N / A", "#DIV/0!", "#REF!", "#WERT!", "#NV", "(blank)", "[none]"),
        *("<NA>", "NULL", "nan ± nan", "k. A.", "Not stated", "entfällt"),
    ],
)
def test_words_for_nothing_count_neither_way(word):
    (found,) = only("size", "1.5", "2", "3", "4", "5", word).written

    assert (found.missing, found.unreadable, found.spelled) == (1, 0, (word,))


@pytest.mark.parametrize(
    ("words", "missing", "unreadable"),
    [
        (["7", "9", "4", "declined", "declined"], 2, 0),
        (["7", "9", "4", "1", "declined"], 0, 1),
        (["7", "9", "4", *"123568", "declined", "declined", "soon"], 0, 3),
        (["7", "9", "4", *"123568", "3-5", "3-5"], 0, 2),
        (["7", "9", "4", *"123568", "a word that is a sentence", "a word that is a sentence"], 0, 2),
        (["03/01/2024", "14/02/2024", "open", "open", "open"], 3, 0),
    ],
)
def test_the_only_word_among_numbers_or_dates_that_repeats_stands_for_nothing(words, missing, unreadable):
    (found,) = only("score", *words).written

    assert (found.missing, found.unreadable) == (missing, unreadable)


@pytest.mark.parametrize("word", ["NV", "KA", "ND", "NO", "+", "++", "#1", "#fun", "nothing much", "0"])
def test_codes_and_signs_are_no_words_for_nothing(word):
    assert not is_missing_word(word)


def test_the_first_cells_that_cannot_be_read_are_told_with_their_rows():
    (found,) = only("size", None, "<5", *map(str, range(10, 40)), "3-5", "n/a", "<5", "6-9").written

    assert found.unreadable == 4
    assert found.odd == tuple(OddCell(row=row, text=text) for row, text in ((2, "<5"), (33, "3-5"), (35, "<5")))


@pytest.mark.parametrize(
    ("name", "words", "kind"),
    [
        ("share", ["5%", "7%"], Kind.PERCENT),
        ("place", ["1st", "2nd"], Kind.ORDINAL),
        ("weight", ["5 kg", "7 kg"], Kind.QUANTITY),
        ("insured", ["yes", "no"], Kind.TRUTH),
        ("home_city", ["Rome", "Oslo"], Kind.PLACE),
        ("note", ["x" * 90, "y" * 90], Kind.LONG_TEXT),
        ("kind", ["a", "b"], None),
    ],
)
def test_what_a_column_holds_is_told_from_its_name_and_values(name, words, kind):
    assert only(name, *words).kind is kind


def test_an_ordered_category_has_its_order():
    assert only("risk", "high", "Low", "medium", "high").order == ("Low", "medium", "high")
    assert only("size", "XL", "S", "M").order == ("S", "M", "XL")
    assert only("risk", "high", "blue").order == ()


def test_identifiers_in_digits_are_no_numbers():
    assert only("customer_id", "1,001", "1,002").written == ()
    assert only("price", *(f"${number}.5" for number in range(30))).role is not Role.IDENTIFIER


@pytest.mark.parametrize(
    ("words", "are_dates"),
    [
        (["3/16", "5/32", "11/16"], False),
        (["1/16", "3/16", "5/16"], False),
        (["1/16", "2/16", "3/16"], True),
        (["03/16", "05/16", "11/16"], True),
        (["3/12", "5/24"], True),
        (["1/2", "3/4", "7/8"], False),
    ],
)
def test_parts_of_an_inch_are_no_months(words, are_dates):
    assert bool(find_writings(words)) is are_dates


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (["1/2", "3/4", "1 1/2", "2"], [0.5, 0.75, 1.5, 2]),
        (["1", "2", "3.5", "1/4"], [1, 2, 3.5, 0.25]),
        (["1/2", "3/4", "7/8"], None),
        (["1", "2", "4", "8", "7/3"], [1, 2, 4, 8, None]),
        (["1", "2", "4", "8", "5/5"], [1, 2, 4, 8, None]),
    ],
)
def test_fractions_are_numbers_among_other_numbers(words, numbers):
    found = find_writings(words)

    if numbers is None:
        assert found == ()
    else:
        (writing,) = found
        read = read_words(pd.Series(words, dtype="str"), writing)
        assert [None if pd.isna(number) else number for number in read] == numbers
