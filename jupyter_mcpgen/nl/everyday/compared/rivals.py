"""Two groups of which one may have more: "do smokers tip more than non-smokers", "are men taller than women"."""

from __future__ import annotations

from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.deeds.deeds import deed, is_amount
from jupyter_mcpgen.nl.everyday.parts.sides import side_of
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import measure_of_verb
from jupyter_mcpgen.nl.everyday.saying.named_values import values_called
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term


def more_than_others(said: Speech, table: Table) -> Speech | None:
    """Say "do smokers tip more than non-smokers" as the figures of both groups, side by side."""
    for found in said.find_each(table.wording("more_than_others")):
        if found["who"] and not columns.is_person(found["who"], table):
            continue
        both = groups_of_two(found["a"], found["b"], table)
        compared = _figure(found, table) if both else None
        if both is not None and compared is not None:
            column, figure = compared
            if found["tested"]:
                return said.put(found, found.said(column=column, both=both), "The difference is tested.")
            note = f"The {figure} `{column}` of both groups is shown side by side."
            return said.put(found, table.say("figure", figure=figure, column=column, rest=both), note)
    return None


def more_likely(said: Speech, table: Table) -> Speech | None:
    """Say "are men more likely to leave than women" as the share of both groups that did."""
    found = said.find(table.wording("more_likely"))
    side = side_of(found["flag"], table) if found else None
    if found is None or side is None or not side[1]:
        return None
    both = _with_and_without(found["with"], table) if found["with"] else groups_of_two(found["a"], found["b"], table)
    if both is None:
        return None
    note = f"How likely is taken to be the share of each group where `{side[0]}` is true."
    return said.put(found, found.said(column=side[0], both=both), note)


def of_both(said: Speech, table: Table) -> Speech | None:
    """Say "average income of men and women" as the average of each, not of both together.

    That of leads and managers, beside others, may be one of both together.
    """
    found = said.find(table.wording("of_both"))
    both = groups_of_two(found["a"], found["b"], table) if found else None
    if found is None or both is None:
        return None
    each = said.put(found, found.said(both=both), "Each group has a figure of its own.")
    some = _some_kinds(found["a"], found["b"].split()[0], table) if found["of"] else None
    if some is None:
        return each
    one = said.put(found, found.said(both=table.say("either_value_of", column=some[0], first=some[1], second=some[2])))
    return said.asking_back("Each of both may be meant, or both together.", each.text, one.text)


def _some_kinds(first: str, second: str, table: Table) -> tuple[str, str, str] | None:
    """Return a column and two of its values, where words are their plurals and the column has others beside them."""
    plurals = (
        table.context.values_in_plural.get(table.context.lexicon.base(one.casefold()), ()) for one in (first, second)
    )
    told = [values[0] for values in plurals if len(values) == 1]
    if not all(columns.is_plural(one, table) for one in (first, second)) or len({one.column for one in told}) != 1:
        return None
    others = table.context.column(told[0].column).distinct > len(told) == len((first, second))
    return (told[0].column, told[0].value, told[1].value) if others else None


def number_of_both(said: Speech, table: Table) -> Speech | None:
    """Say "number of male and female patients" as the number of each, which their sum would hide."""
    found = said.find(table.wording("number_of_both"))
    if found is None or not (columns.is_row(found["noun"], table) or columns.is_person(found["noun"], table)):
        return None
    both = groups_of_two(found["a"], found["b"], table)
    way = "within" if found["group"] else "each"
    return said.put(found, found.said(way, both=both), "Each group has a number of its own.") if both else None


def _figure(found: Found, table: Table) -> tuple[str, Term] | None:
    """Return the column that two groups are compared by, and how each group's rows become one figure."""
    if found["adjective"]:
        quality, _ = table.vocabulary.by_adjective[found.folded("adjective")]
        column = columns.ranking(quality.columns, table)
        return (column, Term.AVERAGE) if column else None
    if found["what"]:
        column = _done(found["what"], found.folded("verb"), table)
        had = found.folded("verb") in table.words("have")  # "have higher fees" is said of each, "pay more" of all
        said_so = bool(set(found.text.casefold().split()) & table.words("mean"))  # also "on average"
        each = found["mean"] or said_so or (had and set(found.text.casefold().split()) & table.words("of_each_row"))
        amount = column is not None and (columns.is_summed(column, table) or _is_deed(found, table))
        total = amount and not each
        return (column, Term.TOTAL if total else Term.AVERAGE) if column else None
    verb = found.folded("verb")
    column = measure_of_verb(verb, table)
    return (column, Term.TOTAL if verb in table.words("adding_up") else Term.AVERAGE) if column else None


def _is_deed(found: Found, table: Table) -> bool:
    """Tell whether a verb says what was done so much of: "treat more minutes"."""
    return found.folded("verb") not in table.words("have") and deed(found["what"], found["verb"], table) is not None


def _done(what: str, verb: str, table: Table) -> str | None:
    """Return the column of what two groups did; None where the verb may say that only a part of it is meant."""
    done = deed(what, verb, table)
    if done is not None:
        return done.column if done.said_by is None else None
    column = columns.figure(what, table)
    held = not verb or any(
        verb in table.words(key) for key in ("auxiliaries", "performing", "holding", "carrying_verbs")
    )
    return column if column is None or held or not is_amount(column, table) else None


def _with_and_without(text: str, table: Table) -> str | None:
    """Return the two groups of the yes-or-no column that words name."""
    flag = columns.flag_named(text, table, SHORTENED)
    return table.say("by_column", column=flag) if flag else None


def groups_of_two(first: str, second: str, table: Table) -> str | None:
    """Return how two groups of one column are asked for, or None where they are not two of one column."""
    first, second = _bare(first, table), _bare(second, table)
    side, other = _side(first, table), _side(second, table)
    opposite = side is not None and other == (side[0], not side[1])
    if side is not None and (opposite or second.casefold() in table.words("the_others")):
        return table.say("by_column", column=side[0])
    for column, value in values_called(first, table):
        for other_column, other_value in values_called(second, table):
            if column == other_column and value != other_value:
                return table.say("two_values_of", column=column, first=value, second=other_value)
    return None


def _bare(text: str, table: Table) -> str:
    """Return what is named without its article, and without "one" in its place: "an 8-bed one"."""
    words = text.split()
    words = words[1:] if len(words) > 1 and words[0].casefold() in table.words("determiners") else words
    words = words[:-1] if len(words) > 1 and words[-1].casefold() in table.words("it_again") else words
    return " ".join(words)


def _side(text: str, table: Table) -> tuple[str, bool] | None:
    folded = text.casefold().split()
    words = [word for word in folded if not columns.is_person(word, table)] or folded
    return side_of(words[0], table) if len(words) == 1 else None
