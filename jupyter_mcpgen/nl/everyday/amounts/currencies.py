"""Amounts in a currency: "parcels over 20 dollars" is about the column of money, "over £40" about that in pounds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from jupyter_mcpgen.model.profile import Kind, Profile
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table, table_of
from jupyter_mcpgen.nl.everyday.saying.wording import Found
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.nl.words.scales_in_names import scale_of_name
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.expressions import Columns
from jupyter_mcpgen.plan.ops import Aggregate, AggregateFunction, Filter
from jupyter_mcpgen.plan.schema import ColumnType

SUMS_OF_MONEY = (
    "money",
    "pay",
    "price",
    "worth",
    "gain",
    "paid_for_a_row",
    "takings",
    "spent",
    "profits",
    "other_money",
)
"""The lists of words that a column of money may be called by."""
_ADDING = (AggregateFunction.SUM, AggregateFunction.MEAN)
_TOLD_APART = 2
"""From how many on currencies differ."""


@dataclass(frozen=True)
class Currencies:
    """A column that tells the currency of each row, and its values by the code of what they mean."""

    column: str
    values: dict[str, str]


def currency(said: Speech, table: Table) -> Speech | None:
    """Say an amount of money of the column that holds it, in the rows of its currency where each row has one."""
    for found in said.find_each(table.wording("currency")):
        code = code_of(found)
        condition = rows_in(code, table)
        if condition is None:
            continue
        in_thousands = _told_in_thousands(said, found, code, table)
        if in_thousands is not None:
            return said.refusing(found.said("scaled", said=found.text.strip(), column=in_thousands))
        limited = _limited(said, found, code, table)
        if limited is None:
            continue
        words, note = limited
        return said.put(found, f"{words} {condition}", note)
    return None


def _told_in_thousands(said: Speech, found: Found, code: str, table: Table) -> str | None:
    """Return the column of money that a limit in a currency is of, where its header says `k€` or "in millions"."""
    amount = amount_of_a_row(code, table) or ""
    column = columns.last_figure(said.before(found), table) or amount.strip("`")
    if column not in table.context.column_words or not found["side"]:
        return None
    return column if scale_of_name(column, table.context.lexicon) > _in_single_units(said, found, table) else None


def _in_single_units(said: Speech, found: Found, table: Table) -> float:
    """Return a limit as it was said, with the "million" behind it; it can be told in any unit up to itself."""
    digits = found["n"].replace(",", "")
    following = (said.behind(found).casefold().split() or [""])[0].strip("?.,")
    scale = int(table.meaning("scales_of_numbers", following)) if following in table.words("scales_of_ranges") else 1
    return float(digits) * scale if digits.replace(".", "", 1).isdecimal() else 0


def _limited(said: Speech, found: Found, code: str, table: Table) -> tuple[str, str] | None:
    """Return a limit without its currency, with the column that it is about where none is named, and a note."""
    plain = found.said("named", side=found["side"])
    named = columns.last_figure(said.before(found), table)
    known = (word.strip("?,.") for word in said.before(found).casefold().split())
    beside = named is not None and columns.figure(said.word_before(found), table) == named  # "shipping over 10 euros"
    if beside or (named and holds_money(named, table)) or any(word in table.vocabulary.verbs for word in known):
        return plain, ""
    amount = amount_of_a_row(code, table)
    if amount is None:
        return (plain, "") if named else None
    if not found["side"]:
        return None
    return found.said("limit", amount=amount), f"The amount is taken to be of {amount}."


def amount_of_a_row(code: str, table: Table) -> str | None:
    """Return the column that holds the money of a row, or how it is computed from the price of a piece."""
    names = [name for name in table.context.column_words if columns.is_figure(name, table)]
    names = [name for name in names if name not in set(columns.flags(table)) and holds_money(name, table)]
    in_it = [name for name in names if currencies_named(name, table) == {code}]
    fitting = in_it or [name for name in names if not currencies_named(name, table)]
    charges = table.words("money_not")
    fitting = [name for name in fitting if not set(table.context.column_words[name]) & charges] or fitting
    whole = [name for name in fitting if not _is_of_a_piece(name, table)]
    column = whole[0] if len(whole) == 1 else columns.money(table.vocabulary.ranked["money"], table)
    if column is not None and not _is_of_a_piece(column, table):
        return f"`{column}`" if column in fitting else None
    pieces = columns.ranking(table.vocabulary.ranked["pieces"], table)
    if not whole and len(fitting) == 1 and pieces is not None and pieces != fitting[0]:
        return table.say("product", first=pieces, second=fitting[0])
    return None


def _is_of_a_piece(name: str, table: Table) -> bool:
    said = bool(set(table.context.column_words[name]) & table.words("of_a_piece"))
    return said or columns.is_per_piece(name, table)


def holds_money(name: str, table: Table) -> bool:
    """Tell whether a column is called like an amount of money, or is written in a currency."""
    known = {word for key in SUMS_OF_MONEY for word in table.words(key)}
    is_money = table.context.column(name).kind is Kind.MONEY or bool(currencies_named(name, table))
    return is_money or bool(set(table.context.column_words[name]) & known)


def code_of(found: Found) -> str:
    """Return which currency a name or a sign means; nothing where a phrase has neither."""
    return found.meant("currency") or found.meant("sign")


def rows_in(code: str, table: Table) -> str | None:
    """Return the condition on the rows whose money is in a currency; nothing where all is, None where none may be."""
    of_rows = currencies_of(table)
    if of_rows is None:
        return "" if is_money_of(code, table) else None
    value = of_rows.values.get(code)
    return table.say("rows_of_value", column=of_rows.column, value=value) if value else None


def currencies_of(table: Table) -> Currencies | None:
    """Return the column that tells the currency of each row, where one does."""
    known = {name: code for code, names in table.choices("currencies").items() for name in names}
    known |= {sign: code for code, signs in table.choices("currency_signs").items() for sign in signs}
    for name in table.context.column_words:
        if table.context.type_of(name) is ColumnType.TEXT:
            values = [str(value) for value in table.context.column(name).values]
            if len(values) >= _TOLD_APART and all(value.casefold() in known for value in values):
                return Currencies(name, {known[value.casefold()]: value for value in values})
    return None


def is_money_of(meant: str, table: Table) -> bool:
    """Tell whether the money of a table is in a currency; one that it does not name may be any but a weight's."""
    named = {code for name in table.context.profile.schema_.names for code in currencies_named(name, table)}
    if named:
        return named == {meant}
    has_money = any(table.context.column(name).kind is Kind.MONEY for name in table.context.profile.schema_.names)
    money = has_money or columns.money(table.vocabulary.ranked["money"], table) is not None
    return money and meant not in table.words("also_weights")


def currencies_named(name: str, table: Table) -> set[str]:
    """Return the currencies that a column's name and its writing tell."""
    known = table.context.column(name)
    units = [known.unit, *(way.values.unit for way in known.written)]
    texts = [name, *(unit for unit in units if unit)]
    words = {word for text in texts for word in split_name(text)}
    said = {code for code, names in table.choices("currencies").items() if names & words}
    return said | {
        code for code, signs in table.choices("currency_signs").items() if any(s in t for s in signs for t in texts)
    }


def asking_of_currencies(meant: Understanding, profile: Profile, language: str) -> Understanding:
    """Ask where amounts of several currencies would be added up or averaged; say so where they are only compared."""
    if not isinstance(meant, Answered):
        return meant
    table = table_of(profile, language)
    of_rows = currencies_of(table)
    money = _put_together(meant.winner, of_rows, table) if of_rows is not None else None
    if of_rows is None or money is None:
        return meant
    told = f"`{money}` is in several currencies ({', '.join(of_rows.values.values())})"
    apart = _apart(meant.winner, of_rows.column)
    if apart is not None:
        return asking_which((apart, meant.winner), f"{told}. ")
    note = f"{told}, which are put together as they are: see `{of_rows.column}`."
    return replace(meant, winner=replace(meant.winner, assumptions=(*meant.winner.assumptions, note)))


def _put_together(reading: Reading, of_rows: Currencies, table: Table) -> str | None:
    """Return a column of money that a reading computes with in all currencies at once."""
    steps = reading.plan.steps
    used = {name for step in steps for name in names_in(step)}
    computed = {name for step in steps if isinstance(step, Aggregate | Filter) for name in names_in(step)}
    own = set(table.context.column_words)
    money = sorted(name for name in computed & own if columns.is_figure(name, table) and holds_money(name, table))
    return None if of_rows.column in used or not money else money[0]


def _apart(reading: Reading, currency: str) -> Reading | None:
    """Return a reading with its totals and means told apart by currency, or None where it has none."""
    steps = list(reading.plan.steps)
    for place, step in enumerate(steps):
        if isinstance(step, Aggregate) and any(measure.function in _ADDING for measure in step.measures):
            by = Columns(names=(*step.by.names, currency))
            steps[place] = step.model_copy(update={"by": by})
            return replace(reading, plan=reading.plan.with_steps(tuple(steps)))
    return None
