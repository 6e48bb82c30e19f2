"""The rules of nouns for the rows of a second table: "client name", "Gold clients", "the number of clients"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jupyter_mcpgen.nl.dialogue.kept_conditions import columns_of
from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.meanings import Column, Costed, Entity, Figure, Measure, Term, Test, Word
from jupyter_mcpgen.nl.grammar.rule import Family, a, maybe
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.joins.tables import JoinedTable
from jupyter_mcpgen.nl.search.phrase import Phrase
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.ops import AggregateFunction as F

OWNERS = Family("owners")
rule = OWNERS.rule

DEAREST_NOUN = 0.3
"""A noun that costs more is none of the rows."""
_NEARER = -0.04
"""A column whose owner is named is more surely meant than one that is not."""
_GROUPED = 0.05


def nouns_at(tokens: Sequence[Token], table: Table) -> Iterator[tuple[int, int, float]]:
    """Yield where nouns for the rows of a table stand, with what each costs: its name, what a row is called."""
    lemmas = [_lemmas(token, table) for token in tokens]
    nouns = {noun.words: noun.cost for noun in table.schema.row.nouns if noun.cost <= DEAREST_NOUN}
    for words, cost in nouns.items():
        for first in range(len(tokens) - len(words) + 1):
            if all(word in lemmas[first + at] for at, word in enumerate(words)):
                yield first, first + len(words), cost
    for first, token in enumerate(tokens):
        if token.lower == table.profile.name.casefold():
            yield first, first + 1, 0.0


def _lemmas(token: Token, table: Table) -> tuple[str, ...]:
    """Return the lemmas of a word, also where it says whose something is."""
    if token.kind is not TokenKind.WORD:
        return (token.lower,)
    return table.lexicon.lemmas(token.lower.removesuffix("'s").removesuffix("'"))


def things(tokens: Sequence[Token], owner: Table) -> tuple[Phrase, ...]:
    """Return the nouns for the rows of a table as phrases."""
    return tuple(
        Phrase(
            first, last, C.THING, Word("owner", " ".join(token.lower for token in tokens[first:last])), cost, "owner"
        )
        for first, last, cost in nouns_at(tokens, owner)
    )


@rule(C.TERM, C.THING, C.TERM, cost=_NEARER)
def owner_column(table: JoinedTable, owner: Word, term: Term) -> Term | None:
    """Read "client name", "the client's city"."""
    return term if isinstance(term, Column) and term.name in table.owned else None


@rule(C.TERM, C.TERM, C.OF, C.THING, cost=_NEARER)
def column_of_owner(table: JoinedTable, term: Term, of: Word, owner: Word) -> Term | None:
    """Read "name of the client"."""
    return term if isinstance(term, Column) and term.name in table.owned else None


@rule(C.TEST, C.TEST, C.THING, cost=_NEARER)
def such_owners(table: JoinedTable, test: Test, owner: Word) -> Test | None:
    """Read "Gold clients" as a condition: whose the rows are makes no groups."""
    return test if columns_of([test]) <= table.owned else None


@rule(C.TEST, C.THING, maybe(C.WHERE, C.IS, C.IN), C.TEST, cost=_NEARER)
def owners_such(table: JoinedTable, owner: Word, who: Word | None, test: Test) -> Test | None:
    """Read "clients in Bern", "clients who joined before June"."""
    return test if columns_of([test]) <= table.owned else None


@rule(C.TEST, C.BY, C.TEST)
def by_such_owners(table: JoinedTable, by: Word, test: Test) -> Costed | None:
    """Read "invoices by Silver clients" as theirs."""
    of = table.lists("grouping", by.said) and columns_of([test]) <= table.owned
    return Costed(test, _GROUPED) if of else None


@rule(C.ENTITY, C.THING)
def each_owner(table: JoinedTable, owner: Word) -> Entity | None:
    """Read "clients" as what the key of the rows names."""
    return Entity(table.key, word=owner.said) if table.key else None


@rule(C.FIGURE, a(C.COUNT, words="rows"), maybe(C.OF), C.TEST, C.THING)
def count_such_owners(table: JoinedTable, said: Word, of: Word | None, test: Test, owner: Word) -> Measure | None:
    """Read "how many Gold clients"."""
    if not table.key or not columns_of([test]) <= table.owned:
        return None
    return Figure(F.COUNT_DISTINCT, Column(table.key), test)
