"""Nouns for what a yes-or-no column or a date says: "number of hires", "how many failed"."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns, persons
from jupyter_mcpgen.nl.everyday.saying.identifiers import identifiers_of
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table
from jupyter_mcpgen.nl.everyday.saying.wording import Found, Term
from jupyter_mcpgen.nl.everyday.times.course_of_rows import course_of_rows, end_of_rows, is_called
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.schema import ColumnType

SHORTEST_EVENT, SHORTEST_NOUN = 7, 8
"""Shorter nouns with the ending of an event are too often none."""


def counts(said: Speech, table: Table) -> Speech | None:
    """Say "number of hires per year" as rows per year, "most readmissions" as rows where `readmitted` holds."""
    tried = (_counted(said, found, table) for found in said.find_each(table.wording("counts")))
    return next((counted for counted in tried if counted is not None), None)


def _counted(said: Speech, found: Found, table: Table) -> Speech | None:
    """Count what a noun of an event names: rows where a column says yes to it, or the rows of its date."""
    noun, context = found.folded("noun"), table.context
    if table.is_data(noun) or context.plain(noun) in context.row_nouns or _is_amount(noun, table):
        return None
    lead = f"_{found.meant('lead')}" if found.meant("lead") in (Term.MOST, Term.FEWEST) else ""
    flag = columns.flag_of(noun, table)
    if flag is not None and context.plain(noun) not in context.column_words[flag]:
        note = f"“{noun}” are taken to be the rows where `{flag}` is true."
        return said.put(found, found.said(f"flag{lead}", column=flag), note)
    date = columns.date_of(noun, table)
    if date is None or noun in context.lexicon.words or columns.named(noun, table) or _is_number_of(noun, table):
        return None
    if context.column(date).nulls:
        return _by_its_date(_happened(said, found, date, f"happened{lead}", table), date, table)
    note = f"Each row is taken to be one of the “{noun}”."
    return _by_its_date(said.put(found, found.said(f"rows{lead}"), note), date, table)


def _happened(said: Speech, found: Found, date: str, way: str, table: Table) -> Speech:
    """Say what has a date in some rows only as those rows; a year behind and a period before it are of that date."""
    told = said.put(found, found.said(way, column=date), f"“{found['noun']}” are taken to be the rows with a `{date}`.")
    then = told.find(table.wording("happened_in"))
    if then is not None:
        told = told.put(then, then.said("between" if then["last"] else "when", column=date))
    most = told.find(table.wording("happened_most"))
    return told.put(most, most.said(column=date)) if most is not None else told


def _by_its_date(said: Speech, date: str, table: Table) -> Speech:
    """Group events by their own date where there are several."""
    found = said.find(table.wording("counted_by_period")) if len(table.context.dates) > 1 else None
    return said.put(found, found.said(column=date)) if found else said


def _is_amount(noun: str, table: Table) -> bool:
    """Tell whether a noun names a column of amounts."""
    column = columns.named(noun, table, columns.STEMMED)
    return column is not None and table.context.is_measure(column) and column not in set(columns.flags(table))


def _is_number_of(noun: str, table: Table) -> bool:
    """Tell whether a measure counts what a noun names: `number_of_reviews`, beside the date of the last one."""
    context, plain = table.context, table.context.plain(noun)
    named = (name for name, own in context.column_words.items() if plain in own and context.is_measure(name))
    return any(context.adds_up(name) for name in named)


def headcount(said: Speech, table: Table) -> Speech | None:
    """Say "headcount" as the number of rows, or of the persons who have several of them, without those who left."""
    found = said.find(table.wording("headcount"))
    called = found["noun"] if found is not None else ""
    taken = found is not None and (table.is_data(called) or columns.named(called, table, columns.PERHAPS))
    if found is None or taken or any(_counts_people(name, table) for name in table.context.column_words):
        return None
    person = persons.people_of_rows(table)
    if person is not None:
        return said.put(found, table.say("number_of_different", column=person))
    left = _date_of_leaving(table)
    if left is not None:
        note = f"“{found.text}” is taken to mean those without a `{left}`, who are still there."
        return said.put(found, found.said("still_there", column=left), note)
    if found["now"]:
        return None
    return said.put(found, found.said("all"), f"“{found.text}” is taken to mean the number of rows.")


def _date_of_leaving(table: Table) -> str | None:
    """Return the date at which persons left, where some are still there and each was hired or joined."""
    course = course_of_rows(table)
    if course.begun is None or not is_called(course.begun, "beginnings_of_persons", table):
        return None
    end = end_of_rows(table, course)
    return end if end is not None and table.context.column(end).nulls else None


def _counts_people(name: str, table: Table) -> bool:
    """Tell whether figures say how many people there were, as `Attendance` does: no rows are these people."""
    figures = table.context.is_number(name) or bool(table.context.column(name).written)
    return figures and not table.words("people_of_figures").isdisjoint(table.context.column_words[name])


def denied(said: Speech, table: Table) -> Speech | None:
    """Say "failed" as not passed, "unsold" as not sold, and "unreturned" as without the date of a return."""
    for found in said.find_all(table.wording("denied")):
        meant = _denied(found.folded("word"), table)
        if meant is None or table.is_data(found["word"]) or columns.is_known(found["word"], table):
            continue
        flag, date = columns.flag_of(meant, table), columns.date_of(meant, table) or lacking_of(meant, table)
        if flag is not None:
            stated = said.word_before(found) in table.words("be")
            way = "rows" if found["who"] or found["counted"] else "stated" if stated else "where"
            note = f"“{found['word']}” is taken to mean that `{flag}` is false."
            return said.put(found, f"{found['counted']} {found.said(way, column=flag)}", note)
        if date is not None and table.context.column(date).nulls:
            note = f"“{found['word']}” is taken to mean that `{date}` is missing."
            way = "missing_rows" if found["who"] or found["counted"] else "missing"
            return said.put(found, f"{found['counted']} {found.said(way, column=date)}", note)
    return None


def _denied(word: str, table: Table) -> str | None:
    """Return what a word denies: "passed" of "failed", "sold" of "unsold"."""
    if word in table.vocabulary.antonyms:
        return table.vocabulary.antonyms[word]
    prefix = next((prefix for prefix in table.words("denying_adjectives") if word.startswith(prefix)), None)
    return word.removeprefix(prefix) if prefix and len(word) > len(prefix) + 2 else None


def yet(said: Speech, table: Table) -> Speech | None:
    """Leave out "yet" and "already": a table is as it stands."""
    found = said.find(table.wording("yet"))
    return said.put(found, found.said()) if found else None


def still(said: Speech, table: Table) -> Speech | None:
    """Say "still here" as without the date of an end; beside a condition where no date tells it, leave it out."""
    found = said.find(table.wording("still"))
    if found is None:
        return None
    state = found["state"] if table.is_data(found["state"]) else ""
    date = _end_of_rows(table)
    if found["not"] or (date is None and (state or _begins_a_condition(said.behind(found), table))):
        return said.put(found, f"{found['not']} {found['state']}")
    if date is None or any(sign.isdigit() for sign in said.text):
        return None  # what was there in 2023 may have ended since
    text = f"{said.before(found)} {state} {said.behind(found).strip(' ?.!')} {found.said('since', column=date)}"
    return said.saying(text, f"“{found.text}” is taken to mean that `{date}` is missing.")


def _begins_a_condition(text: str, table: Table) -> bool:
    """Tell whether words begin with a condition, behind what may be left out."""
    light = table.context.lexicon.is_filler
    words = [word for word in (part.strip("?.,!") for part in text.casefold().split()) if word and not light(word)]
    before = table.words("clauses") | table.words("not")
    if len(words) == 1 and columns.label(words[0], table) and words[0] not in table.context.value_parts:
        return False  # "who is still captain" asks for more than the captains
    return bool(words) and (words[0] in before or columns.is_of_the_data(words[0], table))


def _end_of_rows(table: Table) -> str | None:
    """Return the one date on which what a row is about was over, missing while it goes on."""
    context, ends = table.context, table.words("ends_of_rows")
    dates = [name for name in context.column_words if columns.holds_dates(name, table) and context.column(name).nulls]
    found = [name for name in dates if ends & set(split_name(name))]
    return found[0] if len(found) == 1 else None


def men_and_women(said: Speech, table: Table) -> Speech | None:
    """Say "women" as the value that stands for them."""
    column = _gender(table) if said.find(table.wording("men_and_women")) else None
    if column is None:
        return None
    sides = [(rule, value) for rule, value in _genders(column, table) if _named(said, rule, value, table)]
    changed = said
    for rule, value in sides:
        found = changed.find(table.wording(rule))
        if found is not None:
            behind = (changed.behind(found).split() or [""])[0].strip("?,.")
            alone = len(sides) == 1 and not (behind and columns.is_row(behind, table, table.words("rows_of")))
            note = f"“{found.text}” is taken to mean `{column}` {value}."
            person = _counted_person(changed, found, column, table) if alone else None
            if person is not None:
                of_them = table.say("rows_of_value", column=column, value=value)
                text = f"{table.say('different', column=person)} {changed.behind(found).strip(' ?.!')} {of_them}"
                return said.saying(f"{changed.before(found)} {text}", note)
            changed = changed.put(found, f"{value} {table.say('rows')}" if alone else value, note)
    return changed if sides else None


def _counted_person(said: Speech, found: Found, gender: str, table: Table) -> str | None:
    """Return the column of persons who are counted and may have several rows each; None where rows are meant."""
    counted = Speech(said.before(found)).find(table.wording("ends_in_counting"))
    return persons.repeated_person(table, gender) if counted else None


def _named(said: Speech, rule: str, value: str, table: Table) -> bool:
    found = said.find(table.wording(rule))
    return found is not None and found.text.casefold() != value.casefold()


def _genders(column: str, table: Table) -> list[tuple[str, str]]:
    """Return the values of a column for women and for men, by the rule that knows their words."""
    values = [str(value) for value in table.context.column(column).values]
    sides = (("women", "female"), ("men", "male"))
    return [(rule, value) for rule, key in sides for value in values if value.casefold() in table.words(key)]


def _gender(table: Table) -> str | None:
    known, genders = table.words("female") | table.words("male"), table.words("gender")
    for name, own in table.context.column_words.items():
        if set(own) & genders and {str(v).casefold() for v in table.context.column(name).values} & known:
            return name
    return None


def having(said: Speech, table: Table) -> Speech | None:
    """Say "how many flats have a balcony" as the number of rows where that column is not empty."""
    found = said.find(table.wording("having"))
    held = columns.named(found["held"], table) if found else None
    if found is None or held is None or not columns.may_be_lacking(held, table):
        return None
    if columns.flag_of(found.folded("held"), table) or not columns.is_row(found["noun"], table, table.words("one_row")):
        return None
    if any(value.column == held for value in table.context.values.get(found.folded("held").split()[-1], ())):
        return None  # "grade A" is one value of `grade`
    return said.put(found, found.said(column=held))


def events(said: Speech, table: Table) -> Speech | None:
    """Say "readings" as rows, where each row has the date of one."""
    found = next((f for f in said.find_all(table.wording("events")) if len(f["noun"]) >= SHORTEST_EVENT), None)
    if found is None:
        return None
    noun, context = found.folded("noun"), table.context
    plain = context.plain(noun)
    if table.is_data(noun) or plain in context.row_nouns | context.lexicon.additive or noun in context.lexicon.words:
        return None
    date = columns.date_of(noun, table)
    if columns.named(noun, table) or _is_amount(noun, table) or date is None:
        return None
    if context.column(date).nulls:
        return _happened(said, found, date, "happened", table)
    return said.put(found, found.said("rows"), f"Each row is taken to be one of the “{noun}”.")


def rows_dated(said: Speech, table: Table) -> Speech | None:
    """Say "the last fill of each van" of rows, where each has the only date, that of a fill."""
    if said.find(table.wording("said_as_verb")):
        return None  # "when did the van last fill up"
    for found in said.find_all(table.wording("rows_dated")):
        noun, context = found["noun"], table.context
        dates = [name for name in context.column_words if columns.holds_dates(name, table)]
        known = columns.is_row(noun, table) or noun.casefold() in context.lexicon.words or table.is_data(noun)
        if known or not columns.dates_rows(noun, table) or context.column(dates[0]).nulls:
            continue
        if said.word_before(found) in table.words("one_by_one"):
            continue  # "passed each exam" may be said of all of them
        if not set(context.column_words[dates[0]]) & table.words("nouns_of_dates"):
            continue  # "moved" is no noun beside `moved_on`
        several, before = columns.is_plural(noun, table), said.word_before(found)
        if (not several and not _leads_to_a_noun(before, table)) or before in table.words("begin_a_clause"):
            continue  # "invoices due in May", "projects that start in June"
        way = "rows" if several else "row"
        return said.put(found, found.said(way), f"Each row is taken to be one of the “{noun}”.")
    return None


def _leads_to_a_noun(word: str, table: Table) -> bool:
    """Tell whether a word stands before a noun: an article, or a superlative."""
    ends = {phrase.split()[-1] for phrase in table.words("superlatives")}
    return word in table.words("articles") | ends


def entities(said: Speech, table: Table) -> Speech | None:
    """Count what an identifier that repeats names: "how many meters" over many readings of each."""
    found = said.find(table.wording("entities"))
    if found is None:
        return None
    context = table.context
    fitting = identifiers_of(found["noun"], table)
    behind = (said.behind(found).split() or [""])[0]
    if columns.is_plural(behind, table) and columns.is_row(behind, table):
        return None  # "how many order lines" are no orders
    if len(fitting) != 1 or not context.column(fitting[0]).distinct < context.profile.rows:
        return None
    note = f"“{found['noun']}” are counted by their `{fitting[0]}`, which repeats."
    return said.put(found, table.say("number_of_different", column=fitting[0]), note)


def entities_by(said: Speech, table: Table) -> Speech | None:
    """Say "orders per quarter" and "change in orders" as the number of different ones, where each has several rows."""
    for found in said.find_each(table.wording("entities_by")):
        key = columns.repeated_key(found["noun"], table) if columns.is_plural(found["noun"], table) else None
        own = columns.named(found["noun"], table)
        if key is not None and own in (None, key) and not columns.is_row(found["noun"], table):
            note = f"“{found['noun']}” are counted by their `{key}`, which repeats."
            way = "change" if found["change"] else "changed" if found["changed"] else ""
            return said.put(found, found.said(way, figure=table.say("number_of_different", column=key)), note)
    return None


def active_in_periods(said: Speech, table: Table) -> Speech | None:
    """Say "monthly active users" as the number of different ones that have a row in each month."""
    for found in said.find_each(table.wording("active_in_periods")):
        key = columns.repeated_key(found["noun"], table)
        if key is not None and not columns.is_row(found["noun"], table):
            note = f"Active are taken to be those `{key}` that have a row in it."
            figure = table.say("number_of_different", column=key)
            return said.put(found, found.said(figure=figure, unit=found.meant("unit")), note)
    return None


def whose_name(said: Speech, table: Table) -> Speech | None:
    """Say "whose name" of the one column of texts that names the rows, where none is called a name."""
    found = said.find(table.wording("whose_name"))
    context, names = table.context, table.words("name")
    if found is None or any(names & set(own) for own in context.column_words.values()):
        return None
    texts = [name for name in context.column_words if context.type_of(name) is ColumnType.TEXT]
    texts = [name for name in texts if context.names_rows(name)]
    return said.put(found, found.said(column=texts[0])) if len(texts) == 1 else None


def rows_called(said: Speech, table: Table) -> Speech | None:
    """Say "readings" and "measurements" as rows, where nothing else is called that."""
    found = said.find(table.wording("rows_called"))
    if found is None or columns.named(found["noun"], table, columns.PERHAPS) or table.is_data(found["noun"]):
        return None
    return said.put(found, found.said(), f"Each row is taken to be one of the “{found['noun']}”.")


def rows_of_a_flag(said: Speech, table: Table) -> Speech | None:
    """Say "returned items" of the rows that are, where a column says which: what it says is a condition."""
    found = said.find(table.wording("rows_of_a_flag"))
    if found is None or columns.named(found["noun"], table, columns.PERHAPS) or table.is_data(found["noun"]):
        return None
    if columns.flag_of(found.folded("flag"), table) is None or columns.is_row(found["noun"], table):
        return None
    return said.put(found, found.said(), f"Each row is taken to be one of the “{found['noun']}”.")


def nouns_of_flags(said: Speech, table: Table) -> Speech | None:
    """Say "readmission" by the name of the yes-or-no column that says whether there was one."""
    found = next((f for f in said.find_all(table.wording("nouns_of_flags")) if len(f["noun"]) >= SHORTEST_NOUN), None)
    if found is None or columns.is_known(found["noun"], table):
        return None
    flag = columns.flag_of(found.folded("noun"), table)
    return said.put(found, found.said(column=flag), f"“{found['noun']}” is taken to be `{flag}`.") if flag else None


def lacking_of(word: str, table: Table) -> str | None:
    """Return the one column of texts with gaps whose name a word is a form of: `Assignee` of "assigned"."""
    context = table.context
    texts = [name for name in context.column_words if context.type_of(name) is ColumnType.TEXT]
    found = [name for name in texts if any(table.akin(word, own) for own in context.column_words[name])]
    return found[0] if len(found) == 1 and context.column(found[0]).nulls else None
