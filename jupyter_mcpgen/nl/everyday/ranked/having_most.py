"""Verbs and "has the most" that rank by a column: "who earns the most", "most borrowed title"."""

from __future__ import annotations

from jupyter_mcpgen.nl.computed.taken import amount_taken
from jupyter_mcpgen.nl.computed.vocabulary import load_computed
from jupyter_mcpgen.nl.context import SHORTENED
from jupyter_mcpgen.nl.everyday.amounts.conversions import adds_up_by_unit
from jupyter_mcpgen.nl.everyday.deeds.deeds import figure_of_each, group_called
from jupyter_mcpgen.nl.everyday.deeds.outcomes import outcome_of, outcome_of_a_rate
from jupyter_mcpgen.nl.everyday.parts.named_rates import outcome_called
from jupyter_mcpgen.nl.everyday.ranked.worst import more_is_worse
from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import called_by_verb, doer, is_done, measure_of_verb
from jupyter_mcpgen.nl.everyday.saying.identifiers import identifiers_of, repeats
from jupyter_mcpgen.nl.everyday.saying.ranks import Rank, noun_phrase, ranked_groups, ranked_rows
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.plan.schema import ColumnType

MOST_WORDS_OF_A_COLUMN = 4


def by_verb(said: Speech, table: Table) -> Speech | None:
    """Say "who earns the most" as the row with the highest `salary`, "which customer spent the most" by its total."""
    found = said.find(table.wording("by_verb"))
    if found is None:
        return None
    verb = found.folded("verb")
    wanted = table.vocabulary.verbs[verb]
    called = called_by_verb(verb, table)
    column = called or columns.money(wanted, table) or columns.ranking(wanted, table)
    if column is None:
        return None
    if _is_paid_for_pieces(verb, column, table):
        return _paid_for_pieces(said, found["np"], found, table)
    rank = Rank(column, found.meant("end") == Term.HIGHEST, f"{found['verb']} the {found['end']}")
    figure, rest = figure_of_each(found["rest"], table)
    group = group_called(found["np"], table) if found["np"] else None
    in_part = columns.label(found["np"], table) is None and columns.is_summed(column, table)  # `origin_depot`
    if group is not None and (in_part or rest != found["rest"]):  # "which depot costs the least per trip"
        parts = {"group": f"`{group}`", "end": rank.extreme, "figure": figure, "column": column, "rest": rest}
        return said.saying(table.say("which_group", **parts), rank.note)
    return _of_whom(said, found["np"], rank, found["rest"], table)


def _is_paid_for_pieces(verb: str, column: str, table: Table) -> bool:
    """Tell whether a column is the price of one piece of several, and a verb says what was paid for them all."""
    return bool(table.context.pieces) and columns.is_per_piece(column, table) and verb in table.words("paying_for_it")


def _paid_for_pieces(said: Speech, noun: str, found: Found, table: Table) -> Speech | None:
    """Say who spent the most by what all of their pieces cost: nobody spends the price of one."""
    group = columns.entity(noun, table) if noun else persons.repeated_person(table) or persons.only_person(table)
    computed = load_computed(table.vocabulary.language)
    taken = amount_taken(computed, table.context) if computed is not None else None
    if group is None or taken is None:
        return None
    note = f"“{found['verb']} the {found['end']}” is taken to be about {taken}."
    parts = {"group": group, "end": found.meant("end"), "taken": taken, "rest": found["rest"]}
    return said.saying(table.say("which_group_took", **parts), note)


def _of_whom(said: Speech, noun: str, rank: Rank, rest: str, table: Table, *, of_a_row: bool = False) -> Speech | None:
    """Rank the persons that a table groups its rows by, else its rows; the highest score is `of_a_row`."""
    group = columns.label(noun, table) if noun else persons.only_person(table)
    if group is not None and not of_a_row:
        in_all = Speech(rest).find(table.wording("in_all"))
        rest = rest.replace(in_all.text, "") if in_all else rest
        summed = in_all is not None or table.context.adds_up(rank.column) is not False or _is_much(rank, table)
        return ranked_groups(said, f"`{group}`", rest, rank, table, count="", several=False, in_all=summed)
    if noun and not columns.is_row(noun, table, table.words("one_row")):
        return None
    adds_up = columns.is_summed(rank.column, table) or _is_much(rank, table)
    if not noun and not of_a_row and adds_up and not _rows_are_named(table):
        return None  # whoever did so may have done so in several rows
    text = table.wording("ranked_rows").say("one", rank.parts | {"for": "", "rest": rest})
    return said.saying(text, rank.note)


def _is_much(rank: Rank, table: Table) -> bool:
    """Tell whether "most" is said of so many hours or kilometres, which add up over what somebody did."""
    counted = rank.word.split()[-1].casefold() in table.words("counting_ends")
    return counted and adds_up_by_unit(rank.column, table)


def _rows_are_named(table: Table) -> bool:
    """Tell whether a text names each row, or each row is a person."""
    context = table.context
    texts = (name for name in context.column_words if context.type_of(name) is ColumnType.TEXT)
    return any(context.names_rows(name) for name in texts) or bool(context.row_nouns & table.words("persons"))


def who_did_most(said: Speech, table: Table) -> Speech | None:
    """Say "who borrowed the most books" as the person with the most rows, where each row is one of them."""
    found = said.find(table.wording("who_did_most"))
    measured = measure_of_verb(found.folded("verb"), table) if found and not found["often"] else None
    if found is not None and measured is not None and _is_paid_for_pieces(found.folded("verb"), measured, table):
        return _paid_for_pieces(said, "", found, table)
    if found is not None and measured is not None and not found["noun"]:
        rank = Rank(measured, found.meant("end") == Term.HIGHEST, f"{found['verb']} the {found['end']}")
        return _of_whom(said, "", rank, found["rest"], table)
    named = columns.figure(found["noun"], table) if found is not None and found["noun"] else None
    date = columns.date_of(found.folded("verb"), table) if found is not None else None
    lacking = found.said("dated", column=date) if found and date and table.context.column(date).nulls else ""
    if found is not None and named is not None and date is not None:
        rank = Rank(named, found.meant("end") == Term.HIGHEST, f"{found['verb']} the {found['end']}")
        return _of_whom(said, "", rank, f"{lacking} {found['rest']}", table)  # "who borrowed the most pages"
    group = (
        doer(found.folded("verb"), table) or persons.only_person(table) or persons.only_handler(table)
        if found
        else None
    )
    if found is None or group is None or measured or _is_done_by_others(found.folded("verb"), group, table):
        return None
    if found["noun"] and not columns.is_row(found["noun"], table):
        return None
    verb = found.folded("verb")
    value = None if lacking else outcome_called(verb, table) or outcome_of_a_rate(verb, table)
    if not (found["noun"] or found["often"] or lacking or value) and _tells_how_much(found.folded("verb"), table):
        return None  # "worked the most" is of their hours
    lacking = found.said("with_value", column=value.column, value=value.value) if value is not None else lacking
    note = f"“{found['verb']} the {found['end']}” is taken to mean the rows of each `{group}`"
    told = f" where `{value.column}` is {value.value}" if value is not None else ""
    note += f" with a `{date}`." if lacking and value is None else f"{told}."
    return said.put(found, found.said(found.meant("end"), group=group, rest=f"{lacking} {found['rest']}"), note)


def _tells_how_much(verb: str, table: Table) -> bool:
    """Tell whether a column says how much was done, and a verb does not say that each row is such a deed."""
    of_rows = any(table.akin(verb, noun) for noun in table.context.row_nouns)
    return not of_rows and any(columns.is_summed(name, table) for name in table.context.column_words)


def contributed_most(said: Speech, table: Table) -> Speech | None:
    """Say "which three drivers contributed most to revenue" by the total of what they added to."""
    found = said.find(table.wording("contributed_most"))
    group = columns.entity(found["group"], table) if found else None
    column = columns.measured(found["what"], table) if found else None
    if found is None or group is None or column is None or table.context.adds_up(column) is False:
        return None
    rank = Rank(column, found.meant("end") == Term.HIGHEST, found["verb"])
    several = bool(found["n"]) or columns.is_plural(found["group"], table)
    count, rest = found.meant("n") if found["n"] else "", found["rest"]
    return ranked_groups(said, f"`{group}`", rest, rank, table, count=count, several=several, in_all=True)


def _is_done_by_others(verb: str, group: str, table: Table) -> bool:
    """Tell whether those whom a column names deal with rows that somebody else made: the assignees of tickets."""
    return verb in table.words("making") and bool(set(table.context.column_words[group]) & table.words("handling"))


def who_has_most(said: Speech, table: Table) -> Speech | None:
    """Say "who has the highest score" as the row with the highest score, because a person is asked for."""
    found = said.find(table.wording("who_has_most"))
    if found is None:
        return None
    words = (found["what"] or found["of"]).split()
    flag = columns.flag_of(words[0].casefold(), table) if found["of"] else None
    person = persons.only_person(table)
    if flag and person and found.folded("end") in table.words("counting_ends"):
        text = found.said(group=person, column=flag, rest=" ".join(words[2:]))
        return said.put(found, text)
    averaged = bool(words) and words[0].casefold() in table.words("mean") and person is not None
    words = words[1:] if averaged else words
    for width in range(min(MOST_WORDS_OF_A_COLUMN, len(words)), 0, -1):
        column = _measured(words[:width], table)
        if column is not None:
            rank = Rank(column, found.meant("end") == Term.HIGHEST, found["end"])
            rest = " ".join(words[width:]) if found["of"] else found["rest"]
            if averaged:
                parts = {"group": f"`{person}`", "figure": Term.AVERAGE, "end": rank.extreme, "column": column}
                return said.put(found, table.say("which_group", rest=rest, **parts))
            counted = found.folded("end") in table.words("counting_ends") or Speech(rest).find(table.wording("in_all"))
            return _of_whom(said, "", rank, rest, table, of_a_row=not counted)
    return None


def _measured(words: list[str], table: Table) -> str | None:
    """Return the measure that words name, or that one of them is a part of: "absent" and `absent_days`."""
    context = table.context
    column = columns.named(" ".join(words), table, columns.STEMMED)
    if column is None and len(words) == 1:
        word = words[0].casefold()
        own = [name for name, parts in context.column_words.items() if word in parts and context.is_measure(name)]
        column = own[0] if len(own) == 1 else None
    if column is None or not context.is_measure(column) or column in set(columns.flags(table)):
        return None
    return column


def most_done(said: Speech, table: Table) -> Speech | None:
    """Say "most delayed flights" as those with the highest `delay`, "most borrowed title" as the most common one."""
    found = said.find(table.wording("most_done"))
    if found is None or not Speech(said.before(found)).find(table.wording("an_opening")):
        return None
    verb = found.folded("verb")
    if table.is_data(verb) and not columns.date_of(verb, table):
        return None
    phrase, rest = noun_phrase(said.behind(found).strip(" ?."), table)
    measures = [name for name, own in table.context.column_words.items() if table.context.is_measure(name)]
    about = [name for name in measures if any(table.akin(verb, word) for word in table.context.column_words[name])]
    whole = [name for name in about if " per " not in (table.context.column(name).unit or "")]
    about = whole or about  # `reviews_per_month` is a part of `number_of_reviews`
    name = columns.named(phrase, table, SHORTENED) if verb in table.words("liked") else None
    if columns.label(name or phrase, table) is not None:
        if about:
            return None  # with a column of visitors, the most visited is not the one with the most rows
        return _most_common(said, found, phrase, rest, table)
    if len(about) != 1 or not phrase or about[0] in set(columns.flags(table)):
        return None
    rank = Rank(about[0], found.meant("end") == Term.HIGHEST, f"{found['end']} {verb}")
    return ranked_rows(said, found["n"], phrase, rest, rank, table)


def _most_common(said: Speech, found: Found, phrase: str, rest: str, table: Table) -> Speech | None:
    """Say what was done most, or is most popular, as the most common label."""
    verb = found.folded("verb")
    known = columns.is_known(verb, table) and verb not in table.words("liked")
    if (known and not columns.date_of(verb, table)) or not is_done(verb, table):
        return None
    most = Term.MOST if found.meant("end") == Term.HIGHEST else Term.FEWEST
    text = found.said("counted" if found["n"] else most, phrase=phrase, rest=rest)
    return said.saying(text, f"“{found['end']} {verb}” is taken to mean {most} rows.")


def most_that_verb(said: Speech, table: Table) -> Speech | None:
    """Say "which country lost the most customers" by `churned`, "which party lost the most seats" by `seats_lost`."""
    found = said.find(table.wording("most_that_verb"))
    if found is None or columns.label(found["np"], table) is None or columns.label(found["verb"], table):
        return None
    verb, extreme = found.folded("verb"), Term(found.meant("end"))
    phrase, rest = noun_phrase(found["rest"], table)
    column = _measure_of_both(verb, phrase, table)
    if column is not None:
        figure = Term.AVERAGE if table.context.adds_up(column) is False else Term.TOTAL
        parts = {"group": found["np"], "end": extreme, "figure": figure, "column": column, "rest": rest}
        note = f"“{verb}” is taken to be about `{column}`."
        return said.put(found, table.say("which_group", **parts), note)
    elsewhere = [name for name, own in table.context.column_words.items() if verb in own and len(own) > 1]
    if elsewhere and columns.figure(phrase, table):
        return said.refusing(found.said("elsewhere", said=verb, what=phrase, column=elsewhere[0]))
    flag = columns.flag_of(verb, table) or columns.flag_of_event(verb, table)
    noun = (phrase.split() or [""])[-1]
    others = table.words("one_row") | table.words("people_of_rows")
    if flag is None or not columns.is_row(noun, table, others):
        return None
    most = Term.MOST if extreme is Term.HIGHEST else Term.FEWEST
    rest = " ".join((*phrase.split()[:-1], rest))
    note = f"“{verb}” is taken to mean the rows where `{flag}` is true."
    return said.put(found, found.said("flag", group=found["np"], end=most, column=flag, rest=rest), note)


def most_of_a_mass(said: Speech, table: Table) -> Speech | None:
    """Refuse "used the most fuel" where no column is called fuel: the rows of `fuel_log` are entries, and no fuel."""
    found = said.find(table.wording("most_of_a_mass"))
    noun = found.folded("noun") if found else ""
    if found is None or columns.is_plural(noun, table) or not columns.is_row(noun, table) or table.is_data(noun):
        return None
    if noun in table.words("one_row") or columns.measured(noun, table) is not None:
        return None
    return said.refusing(found.said(noun=found["noun"]))


def _measure_of_both(verb: str, phrase: str, table: Table) -> str | None:
    """Return the measure that is called by a verb and what it is done to: "lost" and "seats", `seats_lost`."""
    context, nouns = table.context, {table.context.plain(word.casefold()) for word in phrase.split()}
    fitting = [
        name
        for name, own in context.column_words.items()
        if context.is_measure(name)
        and set(own) & nouns
        and set(own) > nouns
        and all(word in nouns or table.akin(verb, word) for word in own)
    ]
    return fitting[0] if len(fitting) == 1 else None


def most_of_what(said: Speech, table: Table) -> Speech | None:
    """Say "which branch lends the most novels" with "has", and "which member borrows the most" by rows."""
    found = said.find(table.wording("most_of_what"))
    group = _who_is_named(found["np"], table) if found is not None else None
    if found is None or group is None:
        return None
    verb = found.folded("verb")
    if found["rest"]:
        if verb not in table.words("holding") and not _makes_rows(verb, found["rest"], group, table):
            return None  # who lost the most is not who has the most
        return said.put(found, found.said("has"), f"“{verb}” is taken to mean no more than “has”.")
    date = columns.date_of(verb, table)
    if date is not None:
        known = not table.context.column(date).nulls
        note = f"“{verb} the {found['end']}” is taken to mean rows" + ("." if known else f" with a `{date}`.")
        return said.put(found, found.said("rows") if known else found.said("dated", column=date), note)
    if any(table.akin(verb, noun) for noun in table.context.row_nouns):
        note = f"“{verb} the {found['end']}” is taken to mean rows of each `{group}`."
        return said.put(found, found.said("rows_of", group=group), note)
    return None


def _makes_rows(verb: str, rest: str, group: str, table: Table) -> bool:
    """Tell whether a verb says how every row was made: who "published" or "submitted" the most of them has the most."""
    noun = (noun_phrase(rest, table)[0].split() or [""])[0]
    if not columns.is_row(noun, table) or _is_done_by_others(verb, group, table) or outcome_of(verb, table):
        return False
    date = columns.date_of(verb, table)
    return not table.context.column(date).nulls if date is not None else verb in table.words("making")


def _who_is_named(noun: str, table: Table) -> str | None:
    """Return the column of labels that a noun names, or the one identifier of such that repeats."""
    label = columns.label(noun, table)
    known = [name for name in identifiers_of(noun, table) if repeats(name, table)]
    return label if label is not None or len(known) != 1 else known[0]


def top_rows(said: Speech, table: Table) -> Speech | None:
    """Say "top 10 pupils by maths" of rows, where each row is a pupil by the column of that name."""
    found = said.find(table.wording("top_rows"))
    column = columns.named(found["noun"], table) if found else None
    if found is None or column is None or not table.context.names_rows(column) or table.context.is_number(column):
        return None
    return said.put(found, found.said())


def best_average(said: Speech, table: Table) -> Speech | None:
    """Say "the best average in physics" as the highest average."""
    found = said.find(table.wording("best_average"))
    if found is None:
        return None
    extreme = Term(found.meant("end"))
    return said.put(found, found.said(end=extreme), f"“{found['end']}” is taken to mean the {extreme}.")


def best_in(said: Speech, table: Table) -> Speech | None:
    """Say "the best class in physics" as the class with the highest average in it, "the best pupil" as a row."""
    found = said.find(table.wording("best_in"))
    column = columns.figure(found["what"], table) if found else None
    if found is None or column is None or _may_be_better_low(column, table):
        return None
    extreme = Term(found.meant("end"))
    if columns.is_row(found["group"], table, table.words("one_row")):
        rank = Rank(column, extreme is Term.HIGHEST, found["end"])
        return ranked_rows(said, "", found["group"], found["rest"], rank, table)
    if columns.label(found["group"], table) is None:
        return None
    parts = {"group": found["group"], "end": extreme, "figure": Term.AVERAGE, "column": column, "rest": found["rest"]}
    note = f"“{found['end']}” is taken to mean the {extreme} average `{column}`."
    return said.put(found, table.say("which_group", **parts), note)


def _may_be_better_low(column: str, table: Table) -> bool:
    """Tell whether a low figure may be the best: whether the best price is a high one depends on who asks."""
    low = set(table.context.column_words[column]) & table.words("less_is_better")
    return bool(low) or more_is_worse(column, table)


def name_them(said: Speech, table: Table) -> Speech | None:
    """Say "name the goalkeeper of …" as a list of them."""
    found = said.find(table.wording("name_them"))
    return said.put(found, found.said()) if found else None


def best_by(said: Speech, table: Table) -> Speech | None:
    """Say "best shops by revenue" with the highest, and "worst month by delay", of which more is worse, as well."""
    found = said.find(table.wording("best_by"))
    column = columns.named(found["what"], table, SHORTENED) if found else None
    if found is None or column is None or not columns.is_figure(column, table):
        return None
    turned = more_is_worse(column, table)
    return None if _may_be_better_low(column, table) and not turned else _ranked_by(said, found, column, turned, table)


def largest_by(said: Speech, table: Table) -> Speech | None:
    """Say "the largest lake by depth" with the highest depth: what it is ranked by is said, whatever "large" means."""
    for found in said.find_each(table.wording("largest_by")):
        column = columns.named(found["what"], table, SHORTENED)
        if column is not None and columns.is_figure(column, table):
            return _ranked_by(said, found, column, False, table)
    return None


def _ranked_by(said: Speech, found: Found, column: str, turned: bool, table: Table) -> Speech | None:
    """Say what is ranked by a column, rows or groups of them."""
    group, rank = found["group"], Rank(column, (found.meant("end") == Term.HIGHEST) is not turned, found["end"])
    if columns.is_row(group, table, table.words("one_row")):
        return ranked_rows(said, found["n"] or found["m"], group, found["rest"], rank, table)
    is_period = columns.is_period(group, table)
    if not is_period and columns.label(group, table) is None:
        return None
    summed, count = columns.is_summed(column, table), found["n"] or found["m"]
    if is_period and table.context.adds_up(column) is None:
        summed = True
    several = bool(count) or columns.is_plural(group, table)
    return ranked_groups(said, group, found["rest"], rank, table, count=count, several=several, in_all=summed)
