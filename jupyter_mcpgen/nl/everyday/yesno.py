"""Nouns for what a yes-or-no column or a date says: "readmission rate", "number of hires", "how many failed"."""

from __future__ import annotations

import re

from jupyter_mcpgen.nl import meanings as m
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.everyday import columns
from jupyter_mcpgen.nl.everyday.speech import Speech, Table, any_of
from jupyter_mcpgen.plan.schema import ColumnType

_PERIOD = r"year|quarter|month|week|day"
GROUPED = re.compile(r"\b(?:by|per|across|for each|in each|each|for every|over time|among)\b", re.IGNORECASE)


def rates(said: Speech, table: Table) -> Speech | None:
    """Say "return rate by category" as the share of returned rows."""
    found = said.find(r"(?P<before>\b\w+\s+)?\b(?P<noun>\w+)[\s-]rates?\b") or said.find(
        r"(?P<before>\b\w+\s+)?\brates?\s+of\s+(?P<noun>\w+)\b"
    )
    if found is None or columns.named(f"{found['noun']} rate", table.context, 0.75):
        return None
    noun = found["noun"].casefold()
    flag, turned = columns.flag_of(noun, table.context), False
    if flag is None and noun in table.vocabulary.antonyms:
        flag, turned = columns.flag_of(table.vocabulary.antonyms[noun], table.context), True
    if flag is None or turned:
        return None
    before = (found["before"] or "").strip().casefold()
    note = f"“{noun} rate” is taken to mean the share of rows where `{flag}` is true."
    if before in ("highest", "lowest", "best", "worst", "average", "mean"):
        sign = {"best": "highest", "worst": "lowest", "average": "", "mean": ""}.get(before, before)
        return said.put(found, f"{sign} average `{flag}`", note)
    behind = re.sub(r"^\s*(?:of|among|amongst)\b", " for", said.text[found.end() :], flags=re.IGNORECASE)
    if chooses_rows(f"{said.text[: found.start()]} {behind}", table):
        # Of the rows that are chosen, how many: a mean cannot be taken for the share that is chosen of the others.
        return said.saying(f"{said.text[: found.start()]} {_kept(found['before'])} average `{flag}` {behind}", note)
    share = "share" if GROUPED.search(said.text) else "percentage"
    opened = re.sub(
        r"^(?:what(?:'s|\s+is|\s+was)?|show\s+me|give\s+me)\s+(?:the\s+)?$",
        "",
        said.text[: found.start()],
        flags=re.IGNORECASE,
    )
    return said.saying(f"{opened} {_kept(found['before'])} {share} of `{flag}` rows {said.text[found.end() :]}", note)


def _kept(before: str | None) -> str:
    """Return the word before a rate, unless it says nothing more."""
    word = (before or "").strip()
    return "" if word.casefold() in ("the", "overall", "total", "a", "what", "is", "our") else word


def chooses_rows(text: str, table: Table) -> bool:
    """Tell whether some rows are chosen by a value or a number."""
    words = [word.casefold() for word in re.findall(r"\w+", text)]
    return any(
        word.isdigit() or word in table.context.values or table.context.lexicon.base(word) in table.context.values
        for word in words
    ) or any(isinstance(meaning, m.Ordinal) for word in words for meaning in table.context.lexicon.meanings(word))


def counts(said: Speech, table: Table) -> Speech | None:
    """Say "number of hires per year" as rows per year, "most readmissions" as rows where `readmitted` holds."""
    found = said.find(
        r"(?P<lead>\b(?:total\s+number\s+of|number\s+of|how\s+many|count\s+of|total|most|fewest|least|^)\s*)(?P<noun>[a-z]+s|[a-z]{5,}al|[a-z]{5,}ion)\b(?=\s|\?|$)"
    )
    if found is None:
        return None
    noun = found["noun"].casefold()
    context = table.context
    if table.is_data(noun) or context.plain(noun) in context.row_nouns or _is_amount(noun, context):
        return None
    lead = " ".join(found["lead"].casefold().split())
    flag = columns.flag_of(noun, context)
    if flag is not None and context.plain(noun) not in context.column_words[flag]:
        note = f"“{noun}” are taken to be the rows where `{flag}` is true."
        if lead in ("most", "fewest", "least"):
            return said.put(found, f"{'highest' if lead == 'most' else 'lowest'} sum of `{flag}`", note)
        return said.put(found, f"number of rows where `{flag}` is true", note)
    date = columns.date_of(noun, context)
    if date is None or noun in context.lexicon.words or columns.named(noun, context):
        return None
    note = f"Each row is taken to be one of the “{noun}”."
    lead = "number of" if lead in ("", "total", "how many") else lead
    said = said.put(found, f"{lead} rows", note)
    if len(context.dates) > 1:
        period = said.find(rf"\b(?P<by>by|per|each|every)\s+(?P<unit>{_PERIOD})\b")
        return said.put(period, f"{period['by']} `{date}` {period['unit']}") if period else said
    return said


def _is_amount(noun: str, context: Context) -> bool:
    """Tell whether a noun names a column of amounts."""
    column = columns.named(noun, context, 0.75)
    return column is not None and context.is_measure(column) and column not in set(columns.flags(context))


def headcount(said: Speech, table: Table) -> Speech | None:
    """Say "headcount" as the number of rows."""
    found = said.find(rf"\b{'(?:' + any_of(table.words('headcount')) + ')'}\b")
    if found is None or table.is_data(found[0]) or columns.named(found[0], table.context, 0.6):
        return None
    return said.put(found, "number of rows", f"“{found[0]}” is taken to mean the number of rows.")


def antonyms(said: Speech, table: Table) -> Speech | None:
    """Say "failed" as not passed, "unsold" as not sold."""
    known = any_of(frozenset(table.vocabulary.antonyms))
    found = said.find(rf"(?:\bwho\s+)?\b(?P<word>{known}|un\w{{3,}})\b")
    if found is None or table.is_data(found["word"]) or columns.is_known(found["word"], table.context):
        return None
    word = found["word"].casefold()
    meant = table.vocabulary.antonyms.get(word, word.removeprefix("un"))
    flag = columns.flag_of(meant, table.context)
    if flag is None:
        return None
    note = f"“{found['word']}” is taken to mean that `{flag}` is false."
    text = (
        "rows"
        if found[0].casefold().startswith("who")
        or re.search(r"how many\s*$", said.text[: found.start()], re.IGNORECASE)
        else ""
    )
    stated = re.search(r"\b(?:is|are|was|were|been|be)\s*$", said.text[: found.start()], re.IGNORECASE)
    return said.put(found, f"{'not' if text or stated else 'where not'} `{flag}` {text}", note)


def still(said: Speech, table: Table) -> Speech | None:
    """Leave out "still" and "yet": a table is as it stands."""
    found = said.find(rf"\b(?:{any_of(table.words('still'))})\b")
    return said.put(found, "") if found else None


def men_and_women(said: Speech, table: Table) -> Speech | None:
    """Say "women" as the value that stands for them."""
    column = _gender(table)
    if column is None:
        return None
    changed, both = said, []
    for words, values in (("women", "female"), ("men", "male")):
        value = next((v for v in table.context.column(column).values if str(v).casefold() in table.words(values)), None)
        found = changed.find(rf"\b(?:{any_of(table.words(words))})\b")
        if found is None or value is None or str(value).casefold() == found[0].casefold():
            continue
        behind = changed.text[found.end() :].split()
        noun = bool(behind) and columns.is_row(behind[0].strip("?,."), table.context, frozenset())
        changed = changed.put(
            found, f"{value}" if noun else f"{value} ¤", f"“{found[0]}” is taken to mean `{column}` {value}."
        )
        both.append(value)
    if not both:
        return None
    return changed.saying(changed.text.replace("¤", "" if len(both) == 2 else "rows"))


def _gender(table: Table) -> str | None:
    known = table.words("female") | table.words("male")
    return next(
        (
            name
            for name, own in table.context.column_words.items()
            if set(own) & table.words("gender")
            and {str(value).casefold() for value in table.context.column(name).values} & known
        ),
        None,
    )


def holding(said: Speech, table: Table) -> Speech | None:
    """Say "how many homes have a garden" as the number of rows where that column says yes."""
    found = said.find(
        r"^how\s+many\s+(?P<noun>\w+)\s+(?:is|are|was|were|have|has|had|got)\s+(?:been\s+|an?\s+|the\s+)?(?P<flag>\w+)(?P<rest>\b.*)$"
    )
    flag = columns.flag_of(found["flag"].casefold(), table.context) if found else None
    held = columns.named(found["flag"], table.context) if found else None
    ends = found is not None and not found["rest"].strip(" ?.")
    gaps = held is not None and flag is None and bool(table.context.column(held).nulls)
    if found is not None and gaps and ends and columns.is_row(found["noun"], table.context, table.words("one_row")):
        return said.saying(f"number of rows where `{held}` is not missing")
    if found is None or flag is None:
        return None
    row = columns.is_row(found["noun"], table.context, table.words("one_row"))
    if (
        not row
        and not table.is_data(found["noun"])
        and not table.is_data(table.context.plain(found["noun"].casefold()))
    ):
        return None
    of = "" if row else f"for {found['noun']}"
    return said.saying(f"number of rows where `{flag}` is true {of} {found['rest']}")


def events(said: Speech, table: Table) -> Speech | None:
    """Say "readings" as rows, where each row has the date of one."""
    found = said.find(r"(?<![`\w])(?P<noun>[a-z]{4,}(?:ings|ions|als|ments|ers))\b(?!`)")
    if found is None:
        return None
    noun, context = found["noun"].casefold(), table.context
    plain = context.plain(noun)
    if table.is_data(noun) or plain in context.row_nouns | context.lexicon.additive or noun in context.lexicon.words:
        return None
    if columns.named(noun, context) or _is_amount(noun, context) or columns.date_of(noun, context) is None:
        return None
    return said.put(found, "rows", f"Each row is taken to be one of the “{noun}”.")


def entities(said: Speech, table: Table) -> Speech | None:
    """Count what an identifier that repeats names: "how many meters" over many readings of each."""
    found = said.find(r"\bhow\s+many\s+(?P<noun>\w+)\b")
    if found is None:
        return None
    context = table.context
    own = (context.plain(found["noun"].casefold()), "identifier")
    fitting = [name for name, words in context.column_words.items() if words == own]
    if len(fitting) != 1 or not context.column(fitting[0]).distinct < context.profile.rows:
        return None
    note = f"“{found['noun']}” are counted by their `{fitting[0]}`, which repeats."
    return said.put(found, f"number of different `{fitting[0]}`", note)


def whose_name(said: Speech, table: Table) -> Speech | None:
    """Say "whose name" of the one column of texts that names the rows, where none is called a name."""
    found = said.find(r"\b(?:whose|where\s+the|with\s+a)\s+name\b")
    context = table.context
    if found is None or any("name" in own for own in context.column_words.values()):
        return None
    texts = [
        name for name in context.column_words if context.type_of(name) is ColumnType.TEXT and context.names_rows(name)
    ]
    return said.put(found, f"where `{texts[0]}`") if len(texts) == 1 else None


def rows_called(said: Speech, table: Table) -> Speech | None:
    """Say "readings" and "measurements" as rows, where nothing else is called that."""
    found = said.find(r"\b(?P<noun>readings?|measurements?|observations?|entries|data\s+points)\b")
    if found is None or columns.named(found["noun"], table.context, 0.6) or table.is_data(found["noun"]):
        return None
    return said.put(found, "rows", f"Each row is taken to be one of the “{found['noun']}”.")


def nouns_of_flags(said: Speech, table: Table) -> Speech | None:
    """Say "readmission" by the name of the yes-or-no column that says whether there was one."""
    found = said.find(r"(?<![`\w])(?P<noun>[a-z]{5,}(?:ion|al|ment|ance|ence|ure))\b(?!`)(?!\s+(?:rates?|date|time)\b)")
    if found is None or columns.is_known(found["noun"], table.context):
        return None
    flag = columns.flag_of(found["noun"].casefold(), table.context)
    return said.put(found, f"`{flag}`", f"“{found['noun']}” is taken to be `{flag}`.") if flag else None
