"""Amounts of money that a question does not tell apart: "total spend" beside `claim_amount` and `paid_amount`."""

from __future__ import annotations

from dataclasses import replace

from jupyter_mcpgen.errors import PlanError
from jupyter_mcpgen.model.profile import Kind
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Table
from jupyter_mcpgen.nl.other_names import called_otherwise
from jupyter_mcpgen.nl.reading import Answered, Reading, Understanding, asking_which
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.columns import names_in
from jupyter_mcpgen.plan.ops import Aggregate

ASIDE = "money_aside"
"""The list of words for charges on top of what a row is worth, and for what is left of it."""


def asking_which_money(understood: Answered, question: str, notes: tuple[str, ...], table: Table) -> Understanding:
    """Ask where everyday words were taken to be one amount of money, and another is as near to them."""
    if ASIDE not in table.vocabulary.lists.words:
        return understood  # the language does not tell which amounts are no rivals
    taken = _taken(understood.winner, question, notes, table)
    rivals = _rivals(taken, question, understood.winner, table) if taken is not None else []
    if taken is None or not rivals:
        return understood
    options = (understood.winner, *(_with(understood.winner, taken, other) for other in rivals))
    made = tuple(option for option in options if option is not None)
    if len(made) < len(options):
        return understood
    return asking_which(made, how=" Name its column.")


def _taken(reading: Reading, question: str, notes: tuple[str, ...], table: Table) -> str | None:
    """Return the one amount that a reading adds up or limits because of everyday words, and that is not named."""
    own = table.context.column_words
    used = {name for step in reading.plan.steps for name in names_in(step)} & set(own)
    asked = [name for name in used if _is_amount(name, table) or _is_charge(name, table)]
    chosen = [name for name in asked if any(f"`{name}`" in note for note in notes)]
    if len(chosen) != 1 or _says(question, chosen[0], table):
        return None
    return chosen[0]


def _rivals(taken: str, question: str, reading: Reading, table: Table) -> list[str]:
    """Return the other amounts that nothing in their names sets apart from the one that was taken."""
    used = {name for step in reading.plan.steps for name in names_in(step)}
    own, kinds = table.context.column_words, table.context.lexicon.nouns_of_money
    of_its_kind, worth = set(own[taken]) & kinds, table.words("worth")
    if _is_charge(taken, table):
        rest = [name for name in own if name not in used and table.context.adds_up(name) is not False]
        return [name for name in rest if set(own[name]) & table.words("worth") and not _is_charge(name, table)]
    others = [name for name in own if name not in used and _is_amount(name, table)]
    alike = [name for name in others if set(own[name]) & of_its_kind]
    if of_its_kind & worth and _is_set_apart(taken, table):  # `invoice_total` beside `amount_paid`
        alike = [name for name in others if name in alike or (set(own[name]) & worth and _is_set_apart(name, table))]
    return alike


def _is_set_apart(name: str, table: Table) -> bool:
    """Tell whether a column says whose or which amount it is, and is not just called the total."""
    return bool(set(table.context.column_words[name]) - table.words("worth") - table.words("currencies"))


def _is_amount(name: str, table: Table) -> bool:
    """Tell whether a column holds amounts of money that rows are worth, and no price of a piece or charge on top."""
    context = table.context
    aside, takings = table.words(ASIDE), table.words("takings")  # `tax_revenue` is no tax on a revenue
    return (
        context.is_of_money(name)
        and context.adds_up(name) is not False
        and (not set(context.column_words[name]) & aside or bool(set(context.column_words[name]) & takings))
        and not columns.is_planned(name, table)
    )


def _is_charge(name: str, table: Table) -> bool:
    """Tell whether a column holds a charge on top of what a row is worth, such as a fee."""
    own = set(table.context.column_words[name])
    is_money = table.context.is_of_money(name) or table.context.column(name).kind is Kind.MONEY
    adds_up = table.context.adds_up(name) is not False  # unlike the price of a piece
    return is_money and adds_up and bool(own & table.words(ASIDE)) and not own & table.words("takings")


def _says(question: str, name: str, table: Table) -> bool:
    """Tell whether a question has a word of a column's name."""
    context = table.context
    said = {context.plain(word) for word in split_name(question)}
    own = context.column_words[name]
    return bool(said & set(own)) or any(table.akin(word, part) for word in said for part in own)


def _with(reading: Reading, taken: str, other: str) -> Reading | None:
    """Return a reading with another column in the place of the one that was taken."""
    plan = reading.plan
    called = {taken: other}
    try:
        steps = []
        for step in plan.steps:
            made = called_otherwise(step, called)
            if isinstance(step, Aggregate) and isinstance(made, Aggregate):
                pairs = zip(step.measures, made.measures, strict=True)
                called |= {one.name: two.name for one, two in pairs if one.name != two.name}
            steps.append(made)
        chart = called_otherwise(plan.chart, called) if plan.chart is not None else None
        own = plan.with_steps(tuple(steps), chart)
    except PlanError:
        return None
    notes = tuple(note.replace(f"`{taken}`", f"`{other}`") for note in reading.assumptions)
    return replace(reading, plan=own, assumptions=notes)
