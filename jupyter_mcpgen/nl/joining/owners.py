"""The nouns for rows of the second table in a question about the first: "the total amount of Gold clients"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.joining.clause import forms_of
from jupyter_mcpgen.nl.joining.vocabulary import Vocabulary, any_of
from jupyter_mcpgen.nl.words.forms import singular, split_name

MOST_BETWEEN = 3
"""How many words may stand between "which" or "top" and the noun: "the top 3 Gold clients"."""


def without_owners(question: str, first: Profile, second: Profile, taken: Mapping[str, str]) -> str:
    """Return a question whose columns stand without their table: "customer name" for `name` of `customers`.

    A column of the second table that had to be renamed beside one of the first stands by its new name.
    """
    for old, new in taken.items():
        called = f"`{new}`" if new != old else r"\g<column>"
        question = re.sub(_owned(second, (old,)), called, question, flags=re.IGNORECASE)
        if new != old:
            of = rf"\b{_column(old)}\s+of\s+(?:(?:the|each|every|their|its)\s+)?(?:{any_of(forms_of(second.name))})\b"
            question = re.sub(of, called, question, flags=re.IGNORECASE)
    return re.sub(_owned(first, first.schema_.names), r"\g<column>", question, flags=re.IGNORECASE)


def _owned(table: Profile, columns: Iterable[str]) -> str:
    """Return a pattern of columns behind the name of their table: "the client's city", "client cities"."""
    forms = forms_of(table.name)
    one = any_of(form for form in forms if singular(form) == form)
    owner = rf"(?:{one})|(?:{any_of(forms)})['’]s?"
    return rf"\b(?:{owner})\s+(?P<column>(?:{'|'.join(map(_column, columns))})\b)"


def _column(name: str) -> str:
    words = split_name(name) or (name,)
    return r"[\s_]+".join(map(re.escape, words)) + "s?"


def begins_with_column(text: str, table: Profile) -> bool:
    """Tell whether a text goes on with the name of a column of a table, behind the name of the table itself."""
    return re.match(rf"\s+(?:{'|'.join(map(_column, table.schema_.names))})\b", text, re.IGNORECASE) is not None


def is_named(table: Profile, question: str) -> bool:
    """Tell whether a question names a table, or a row of it."""
    return re.search(rf"\b(?:{any_of(forms_of(table.name))})\b", question, re.IGNORECASE) is not None


def counts_owners(question: str, table: Profile, vocabulary: Vocabulary) -> bool:
    """Tell whether a part of the rows of a table is asked for: "the share of Gold clients with …"."""
    between = rf"(?:(?!(?:{vocabulary.any('of')})\b)[\w’'-]+\s+){{0,{MOST_BETWEEN}}}"
    noun = any_of(forms_of(table.name))
    return re.search(rf"\b(?:{vocabulary.any('parts')})\s+{between}(?:{noun})\b", question, re.IGNORECASE) is not None


def said_without_owner(question: str, table: Profile, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield a question without the noun for rows of a table, where it only says whose the rows of the other are.

    "The amount of Gold clients" asks nothing of each client; "by client", "which client" and "how many clients" do.
    """
    noun = rf"(?:{any_of(forms_of(table.name))})"
    found = [*re.finditer(rf"(?<!\w){noun}(?!['’\w])", question, re.IGNORECASE)]
    if len(found) != 1 or _is_asked_for(question[: found[0].start()], vocabulary):
        return
    start, end = found[0].span()
    lead = re.search(rf"\b(?:{vocabulary.any('of')})\s+(?:(?:{vocabulary.any('articles')})\s+)*$", question[:start])
    goes_on = re.match(rf"\s+(?:{vocabulary.any('of')})\b", question[end:], re.IGNORECASE)
    if lead is not None and goes_on is not None:
        yield _joined(question[: lead.start()], question[end:])  # "invoices of clients in Bern"
    elif lead is None:
        yield _joined(question[:start], question[end:])
        words = question[:start].split()
        by = [i for i, word in enumerate(words) if word.casefold() in vocabulary.figures["each"]]
        if by and len(words) - by[-1] <= MOST_BETWEEN + 1:  # "the invoices by Gold clients" are theirs
            yield _joined(" ".join((*words[: by[-1]], vocabulary.words["of"][0], *words[by[-1] + 1 :])), question[end:])


def _is_asked_for(before: str, vocabulary: Vocabulary) -> bool:
    """Tell whether what stands before a noun asks for each of its rows, for some of them, or how many there are."""
    if re.search(rf"\b(?:{any_of(vocabulary.figures['each'])})\s+$", before, re.IGNORECASE):
        return True
    each = rf"\b(?:{vocabulary.any('surely_each')})\s+(?:[\w’'-]+\s+){{0,{MOST_BETWEEN}}}$"
    if re.search(each, before, re.IGNORECASE):
        return True  # "the fee of each Gold owner"
    between = rf"(?:(?!(?:{vocabulary.any('of')})\b)[\w’'-]+\s+){{0,{MOST_BETWEEN}}}"
    return re.search(rf"(?:^|\b(?:{vocabulary.any('asked')})\s+){between}$", before, re.IGNORECASE) is not None


def _joined(before: str, after: str) -> str:
    return " ".join(f"{before} {after}".split())
