"""Rates that are called after a value, a flag or a date: "no-show rate by clinic", "return rate", "churn rate"."""

from __future__ import annotations

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.everyday.deeds.deeds import is_amount
from jupyter_mcpgen.nl.everyday.deeds.outcomes import FEW_OUTCOMES, outcome_of, outcome_of_a_rate
from jupyter_mcpgen.nl.everyday.parts.sides import chooses_rows
from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.columns_of_verbs import date_of_event
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term

MOST_WORDS = 3


def rates(said: Speech, table: Table) -> Speech | None:
    """Say "return rate by category" as the share of returned rows."""
    found = said.find(table.wording("rates"))
    if found is None or columns.named(table.say("rate", noun=found["noun"]), table, columns.STEMMED):
        return None
    noun = found.folded("noun")
    flag = columns.flag_of(noun, table) or columns.flag_named(noun, table) or columns.flag_of_event(noun, table)
    if flag is None:
        return _rate_of_dates(said, found, table)
    note = f"“{noun} rate” is taken to mean the share of rows where `{flag}` is true."
    before = table.meaning("before_a_rate", found.folded("before"))
    if before in (Term.HIGHEST, Term.LOWEST):
        return said.put(found, found.said("ranked", column=flag, end=Term(before)), note)
    if before == Term.AVERAGE:
        return said.put(found, found.said("mean", column=flag), note)
    kept = "" if before == "nothing" else found["before"]
    return said.saying(_share(said, found, kept, flag, table), note)


def _rate_of_dates(said: Speech, found: Found, table: Table) -> Speech | None:
    """Say "cancellation rate" or "churn rate" as the share of rows that have the date of one, where not all have."""
    noun, before = found.folded("noun"), table.meaning("before_a_rate", found.folded("before"))
    date = date_of_event(noun, table)
    if date is None or before == Term.AVERAGE:
        return None
    if before in (Term.HIGHEST, Term.LOWEST) and not said.before(found).strip():
        return None  # the highest of what is not said
    note = f"“{found['noun']} rate” is taken to mean the share of rows where `{date}` is not missing."
    return said.put(found, f"{found['before']} {found.said('dated', column=date)}", note)


def _share(said: Speech, found: Found, kept: str, flag: str, table: Table) -> str:
    """Say a rate as the share of rows, or as a mean where the rows it is of are chosen among others."""
    before, behind = said.before(found), said.behind(found)
    of_those = Speech(behind).find(table.wording("of_those"))
    chosen = of_those.said() if of_those else behind
    if chooses_rows(f"{before} {chosen}", table) or _names_a_flag(chosen, table):
        return found.said("chosen", column=flag, lead=f"{before} {kept}", behind=chosen)
    lead = kept if Speech(before).find(table.wording("an_opening")) else f"{before} {kept}"
    return found.said("share" if table.groups(said.text) else "percentage", column=flag, lead=lead, behind=behind)


def _names_a_flag(chosen: str, table: Table) -> bool:
    """Tell whether rows are chosen by another yes-or-no column: the churn rate "for senior citizens"."""
    if table.groups(chosen):
        return False
    words = chosen.strip(" ?.!").split()
    return any(columns.flag_named(" ".join(words[start:]), table) is not None for start in range(len(words)))


def rate_of_value(said: Speech, table: Table) -> Speech | None:
    """Say "the highest no-show rate" as the highest share of rows with that value, never as a column of ratings."""
    found = said.find(table.wording("rate_of_value"))
    if found is None or _is_called_so(found, table):
        return None
    words = found["noun"].split()
    for size in range(len(words), 1, -1):
        called, before = " ".join(words[-size:]), words[:-size]
        flag = columns.flag_named(called, table)
        if flag is not None:
            note = f"“{called} rate” is taken to mean the share of rows where `{flag}` is true."
            lead = " ".join(word for word in before if word.casefold() not in table.words("before_named_rates"))
            way = _way(said, found, lead, table)
            return said.put(found, f"{lead} {found.said(f'{way}_true', column=flag)}", note)
    for size in range(min(MOST_WORDS, len(words)), 0, -1):
        called, before = " ".join(words[-size:]), words[:-size]
        value = outcome_called(called.casefold(), table) or outcome_of_a_rate(called.casefold(), table)
        if value is not None and (parts := _amounts_called(called.casefold(), table)):
            named = {"said": f"{called} rate", "column": value.column, "value": str(value.value), "amount": parts[0]}
            return said.refusing(found.said("either", **named))
        if value is not None:
            note = f"“{called} rate” is taken to mean the share of rows where `{value.column}` is {value.value}."
            kept = [word for word in before if word.casefold() not in table.words("before_named_rates")]
            way = _way(said, found, " ".join(kept), table)
            text = f"{' '.join(kept)} {found.said(way, column=value.column, value=value.value)}"
            return said.put(found, text, note, *_undecided(value, table))
    return None


def rate_of_a_flag(said: Speech, table: Table) -> Speech | None:
    """Say "prevalence of heart disease" as its rate, where a column says yes or no to it."""
    for found in said.find_each(table.wording("rate_of_a_flag")):
        if found["bare"] and said.before(found).strip() and said.word_before(found) not in table.words("articles"):
            continue  # the churn "rate of" seniors is a rate of theirs
        if columns.flag_named(found["noun"], table) is not None:
            return said.put(found, found.said())
    return None


def _undecided(value: m.Value, table: Table) -> tuple[str, ...]:
    """Return what to say of rows that came to neither end yet: the win rate of deals of which some are still open."""
    opposite = table.choices("opposite_outcomes").get(value.value.casefold(), frozenset())
    known = [str(other) for other in table.context.column(value.column).values if str(other) != value.value]
    others = [other for other in known if other.casefold() not in opposite]
    if not others or len(others) == len(known):
        return ()
    listed = " or ".join(others)
    return (f"Rows where `{value.column}` is {listed} are among all the rows, too.",)


def _amounts_called(called: str, table: Table) -> list[str]:
    """Return the amounts that may be the part of such a rate: the `scrap_pieces` beside a result that is scrapped."""
    own, skip = table.context.column_words, set(columns.flags(table))
    words = called.replace("-", " ").split()
    measures = [name for name in own if name not in skip and table.context.is_measure(name)]
    amounts = [name for name in measures if len(words) > 1 or is_amount(name, table)]
    return [name for name in amounts if all(any(table.akin(word, part) for part in own[name]) for word in words)]


def _is_called_so(found: Found, table: Table) -> bool:
    """Tell whether a column may be this rate: the "rate" of a hotel is one, an "approval rate" no `interest_rate`."""
    context = table.context
    rates = [set(own) for own in context.column_words.values() if table.words("rate_nouns") & set(own)]
    alone = any(own <= table.words("rate_nouns") | context.row_nouns for own in rates)
    nouns = {context.plain(word) for word in found["noun"].casefold().split()}
    return alone or any(nouns & own for own in rates)


def rate_of_staying(said: Speech, table: Table) -> Speech | None:
    """Say "retention rate" as the share of rows where the one column of those who left says no, or has no date."""
    found = said.find(table.wording("rate_of_staying"))
    if found is None or columns.is_of_the_data(found["noun"], table):
        return None
    flag, date = columns.flag_of_event(found.meant("noun"), table), date_of_event(found.meant("noun"), table)
    if flag is None and date is not None:
        note = f"“{found.text}” is taken to mean the share of rows where `{date}` is missing."
        return said.put(found, found.said("dated_of_some" if found["of"] else "dated", column=date), note)
    if flag is None:
        return None
    note = f"“{found.text}” is taken to mean the share of rows where `{flag}` is false."
    way = "of_some" if found["of"] else _way(said, found, "", table)
    return said.put(found, found.said(way, column=flag), note)


def end_of_a_flag(said: Speech, table: Table) -> Speech | None:
    """Say "the highest attrition" as the highest rate of it, where a column only says yes or no to it."""
    for found in said.find_each(table.wording("end_of_a_flag")):
        flag = columns.flag_named(found["noun"], table)
        if flag is not None and columns.named(found["noun"], table) == flag:
            note = f"“{found.text}” is taken to be of the rate of `{flag}`, not of the number of rows."
            return said.put(found, found.said(), note)
    return None


def ranked_by_rate(said: Speech, table: Table) -> Speech | None:
    """Say "rank channels by cancellation rate" as the rate by channel, the highest first."""
    found = said.find(table.wording("ranked_by_rate"))
    group = columns.label(found["group"], table) if found else None
    return said.put(found, found.said(group=group)) if found is not None and group is not None else None


def number_of_outcome(said: Speech, table: Table) -> Speech | None:
    """Say "top 3 sources by number of hires" as the number of rows with that outcome, and never of all rows."""
    for found in said.find_each(table.wording("number_of_outcome")):
        noun = found.folded("noun")
        if columns.is_row(noun, table, table.words("one_row")) or not columns.is_plural(noun, table):
            continue
        value = outcome_called(noun, table)
        if value is not None:
            note = f"“{found['noun']}” are taken to be the rows where `{value.column}` is {value.value}."
            way = found.meant("end") if found["end"] else "number"
            return said.put(found, found.said(way, value=value.value), note)
    return None


def _way(said: Speech, found: Found, kept: str, table: Table) -> str:
    """Tell how a share is said: of groups that are ranked, of each group behind it, or of the rows."""
    if table.words("ends_of_figures") & set(f"{said.before(found)} {kept}".casefold().split()):
        return "share"
    if table.groups(said.behind(found)):
        return "of_each"
    return "percentage_of" if said.behind(found).strip(" ?.!") else "percentage"


def outcome_called(phrase: str, table: Table) -> m.Value | None:
    """Return the one value of a column of few labels that a phrase is, or that its only word is a form of."""
    context = table.context
    singular = context.lexicon.base(phrase)
    spellings = {one for said in (phrase, singular) for one in (said, said.replace("-", " "), said.replace(" ", "-"))}
    known = {value for spelling in spellings for value in context.values.get(spelling, ())}
    few = [v for v in known if context.column(v.column).complete and context.column(v.column).distinct <= FEW_OUTCOMES]
    if known:
        said_otherwise = phrase in context.lexicon.words or bool(context.columns_with(context.plain(phrase)))
        return few[0] if len(known) == len(few) == 1 and not said_otherwise else None
    if len(words := phrase.replace("-", " ").split()) > 1:
        return _akin_in_each_word(words, table)
    others = (columns.flag_of, columns.flag_of_event, columns.date_of)
    flagged = any(other(phrase, table) for other in others)
    return outcome_of(phrase, table) if " " not in phrase and not flagged else None


def _akin_in_each_word(words: list[str], table: Table) -> m.Value | None:
    """Return the one value of a column of few labels whose words are forms of some: "charge off", `Charged Off`."""
    context = table.context
    found = [
        value
        for said, values in context.values.items()
        if len(said.split()) == len(words)
        and all(one == other or table.akin(one, other) for one, other in zip(words, said.split(), strict=True))
        for value in values
        if context.column(value.column).complete and context.column(value.column).distinct <= FEW_OUTCOMES
    ]
    return found[0] if len(found) == 1 else None
