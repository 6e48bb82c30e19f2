"""What rows are grouped by, what is asked for, and limits of what groups have."""

from __future__ import annotations

from jupyter_mcpgen.nl.grammar.categories import C
from jupyter_mcpgen.nl.grammar.families.conditions import is_about
from jupyter_mcpgen.nl.grammar.families.figures import counted
from jupyter_mcpgen.nl.grammar.meanings import (
    Band,
    Bound,
    Column,
    Costed,
    Entity,
    Figure,
    Is,
    Keys,
    Limit,
    Measure,
    Number,
    Part,
    PartOfAll,
    Rate,
    Sided,
    Term,
    Word,
)
from jupyter_mcpgen.nl.grammar.rule import Family, a, maybe
from jupyter_mcpgen.nl.grammar.table import Table
from jupyter_mcpgen.nl.lexicon.entries import Degree, Dimension
from jupyter_mcpgen.nl.schema.additivity import Additivity
from jupyter_mcpgen.nl.text.morphology import Form
from jupyter_mcpgen.plan.expressions import CompareOp

GROUPS = Family("groups")
rule = GROUPS.rule

_COUNTED_UNIT = 0.15
"""What it costs to take "per day" for groups where a column counts days."""
_WHOLE_ROWS = 0.08
_NOT_MANY = frozenset({Additivity.LEVEL, Additivity.RATIO})
"""Numbers of which nobody has so many, such as an age or a rate."""
_PERCENT, _WHOLE = "percent", 100
_MANY_GROUPS = 0.25
"""What it costs to group by a number of many values."""


@rule(C.KEYS, C.BY, a(C.TERM, C.UNIT))
def by(table: Table, said: Word, term: Term) -> Keys | Costed | None:
    """Read "by region", "per month"."""
    return _keys(table, term, weak=said.meaning == "per")


@rule(C.KEYS, C.BY, a(C.COUNT, words="rows"), maybe(C.OF), C.TERM)
def by_number(table: Table, said: Word, count: Word, of: Word | None, term: Term) -> Keys | None:
    """Read "by number of bedrooms" as groups by the column that counts them."""
    counts = isinstance(term, Column) and table.is_number(term.name) and table.column(term.name).makes_groups
    if isinstance(term, Column) and table.column(term.name).facts.money:
        return None  # "by number of fines" counts the fines
    return Keys((term,), said.meaning == "per") if counts else None


@rule(C.KEYS, C.BETWEEN, C.TERM, cost=0.1)
def between_groups(table: Table, said: Word, term: Term) -> Keys | None:
    """Read "does the price differ between towns"."""
    label = isinstance(term, Column) and not table.is_number(term.name) and not table.is_date(term.name)
    return Keys((term,)) if label else None


@rule(C.KEYS, C.WHERE, C.AND, C.NOT, C.TERM)
def with_and_without(table: Table, said: Word, joined: Word, denied: Word, term: Term) -> Keys | None:
    """Read "with and without cracks" as those that say yes and those that say no."""
    return Keys((term,)) if isinstance(term, Column) and table.column(term.name).truth is not None else None


@rule(C.KEYS, C.BY, C.ENTITY)
def by_things(table: Table, said: Word, entity: Entity) -> Keys | Costed | None:
    """Read "by customer" as groups by the identifier of the customer."""
    return _keys(table, Column(entity.column), weak=said.meaning == "per") if entity.column else None


@rule(C.ENTITY, C.ENTITY, a(C.KIND, words="member"), cost=0.02, tight=True)
def members(table: Table, entity: Entity, said: Word) -> Entity:
    """Read "crew members" as the crew."""
    return entity


@rule(C.TERM, C.ENTITY, C.TERM, cost=0.03, tight=True, spoken=True)
def of_row(table: Table, words: tuple[tuple[str, ...], ...], entity: Entity, term: Term) -> Term | None:
    """Read "boat charge" where every row is a boat; "boats charge" is a noun and a verb."""
    analyses = table.lexicon.morphology.analyses(words[1][0].lower())
    if words[0][-1].lower() != entity.word.rpartition(" ")[2] or any(form is Form.PAST for _, form in analyses):
        return None
    plain = not (entity.column or entity.asked or entity.different or entity.each)
    told = isinstance(term, Column) and not table.is_date(term.name) and not table.columns_about(entity.word)
    return term if plain and told else None  # else "orders paid", or what the noun itself may name


@rule(C.ENTITY, C.EACH_ONE, C.ENTITY)
def of_each_row(table: Table, said: Word, entity: Entity) -> Entity | None:
    """Read "for each hire" where every row is a hire."""
    return None if entity.column or entity.each else Entity(word=entity.word, each=True)


@rule(C.KEYS, C.KEYS, C.AND, a(C.TERM, C.UNIT))
def and_by(table: Table, keys: Keys, said: Word, term: Term) -> Keys | Costed | None:
    """Read "by region and month"."""
    more = _keys(table, term, weak=keys.weak)
    if isinstance(more, Costed):
        inner = more.meaning
        return Costed(Keys((*keys.terms, *inner.terms), keys.weak), more.cost) if isinstance(inner, Keys) else None
    return Keys((*keys.terms, *more.terms), keys.weak) if more is not None and term not in keys.terms else None


@rule(C.KEYS, C.AND, C.KEYS)
def joined_by(table: Table, said: Word, keys: Keys) -> Keys:
    """Read "…, and group by region"."""
    return keys


@rule(C.KEYS, C.KEYS, C.KEYS)
def by_by(table: Table, first: Keys, second: Keys) -> Keys | None:
    """Read "by region by month"."""
    sided = any(isinstance(term, Sided) for term in (*first.terms, *second.terms))
    if first.binned or second.binned or (sided and (first.named or second.named)):
        return None
    if first.weak and not second.weak:
        return None  # "per hour by machine" divides by hours
    return Keys((*first.terms, *second.terms)) if not set(first.terms) & set(second.terms) else None


def _keys(table: Table, term: Term, *, weak: bool) -> Keys | Costed | None:
    keys = Keys((term,), weak)
    amount = table.column(term.name) if weak and isinstance(term, Column) else None
    numbers = amount is not None and amount.facts.type.is_number and not amount.is_label
    if amount is not None and numbers and not amount.makes_groups:
        return None  # "price per page" divides
    if weak and isinstance(term, Part) and table.columns_of(term.unit.value.removeprefix("start_of_")):
        return Costed(keys, _COUNTED_UNIT)
    if isinstance(term, Column) and table.is_number(term.name) and not table.column(term.name).is_label and weak:
        column = table.column(term.name)
        several = any(word.heavy and word.base != word.text for word in column.facts.words)
        return (
            None if several or column.adds_up or not column.makes_groups else Costed(keys, _MANY_GROUPS)
        )  # "price per carat" is a quotient
    if isinstance(term, Column) and table.is_number(term.name) and not table.column(term.name).makes_groups:
        return Costed(keys, _MANY_GROUPS)
    return keys if isinstance(term, Column | Part | Band) else None


# -- what is asked for -----------------------------------------------------------------------------------------------


@rule(C.ENTITY, a(C.ASKING, words="which who"), C.ENTITY)
def which_thing(table: Table, said: Word, entity: Entity) -> Entity | Costed:
    """Read "which customers"; of what a column is called, its values are asked rather than the rows."""
    asked = Entity(entity.column, asked=True, word=entity.word)
    return asked if entity.column else Costed(asked, _WHOLE_ROWS)


@rule(C.ENTITY, a(C.ASKING, words="which"), C.TERM)
def which_column(table: Table, said: Word, term: Term) -> Entity | None:
    """Read "which region"."""
    return Entity(term.name, asked=True) if isinstance(term, Column) else None


@rule(C.ENTITY, a(C.ASKING, words="is"), C.VALUE, C.TERM, cost=-0.1)
def is_it(table: Table, said: Word, guess: Is, term: Term) -> Entity | None:
    """Read "is Leeds the town with the most orders" as "which town", which tells whether it is."""
    return Entity(guess.column, asked=True) if term == Column(guess.column) else None


@rule(C.ENTITY, C.COUNT, maybe(C.OF), C.TERM, cost=0.04)
def how_many_of_row(table: Table, said: Word, of: Word | None, term: Term) -> Entity | None:
    """Read "how many golds did Kenya win" as the number that the row has, where such numbers do not add up."""
    if not table.lists("how_many", said.said) or not isinstance(term, Column):
        return None
    if not table.is_number(term.name) and not table.says_how_many(term.name):
        return None
    if table.column(term.name).facts.additivity in _NOT_MANY:
        return None
    return Entity(term.name, asked=True, cell=True) if counted(table, Entity(term.name)) is None else None


@rule(C.ENTITY, a(C.ASKING, words="which"), C.KIND, C.OF, C.TERM, cost=0.02)
def which_kind(table: Table, said: Word, kind: Word, of: Word, term: Term) -> Entity | None:
    """Read "what kind of wood" as "what wood"."""
    own = table.lists("any_kind", kind.said) and not table.has_word(kind.said)
    return which_column(table, said, term) if own else None


@rule(C.ENTITY, a(C.ASKING, words="degree"), C.DIMENSION)
def how_large(table: Table, said: Word, size: Dimension) -> list[Entity | Costed] | None:
    """Read "how tall is" by the column that it is about."""
    if size.degree is not Degree.POSITIVE:
        return None
    found = (one for concept in size.concepts for one in table.columns_about(concept))
    return [Costed(Entity(name, asked=True), cost) for name, cost in found if table.is_number(name)]


@rule(C.ENTITY, C.COUNT, a(C.ENTITY, C.ANYBODY), maybe(C.IS), maybe(C.IN), C.TERM, cost=0.06)
def how_many_in(
    table: Table, said: Word, who: Entity | Word, is_: Word | None, in_: Word | None, term: Term
) -> Entity | Costed | None:
    """Read "how many people were in attendance" as the attendance of a row."""
    named = isinstance(who, Entity) and bool(who.column)
    number = isinstance(term, Column) and table.is_number(term.name) and not named
    asks = table.lists("how_many", said.said)
    return Entity(term.name, asked=True, cell=True) if number and asks and isinstance(term, Column) else None


@rule(C.KEYS, C.UNIT, cost=0.12)
def bare_unit(table: Table, part: Part) -> Keys:
    """Read "busiest weekday" by weekdays; only a superlative or a limit can be about a period that is only named."""
    return Keys((part,), weak=True, named=True)


@rule(C.KEYS, a(C.ASKING, words="which when"), C.UNIT)
def which_unit(table: Table, said: Word, part: Part) -> Keys:
    """Read "which month" as one of the months, which only a superlative or a limit can tell."""
    return Keys((part,), weak=True, named=True)


@rule(C.ENTITY, a(C.AGGREGATE, words="count_distinct"), C.TERM)
def different(table: Table, said: Word, term: Term) -> Entity | None:
    """Read "unique departments"."""
    return Entity(term.name, different=True) if isinstance(term, Column) else None


def _scaled(table: Table, measure: Measure, bound: Bound) -> Bound:
    """Return a limit in percent as a part of 1 where the figure is one: "a return rate above 15%"."""
    unit = table.lexicon.unit(bound.value.unit) if bound.value.unit else None
    part = isinstance(measure, Rate | PartOfAll) and not measure.percent and unit is not None
    if not part or unit is None or unit.name != _PERCENT:
        return bound
    upper = Number(bound.upper.value / _WHOLE) if bound.upper is not None else None
    return Bound(bound.op, Number(bound.value.value / _WHOLE), upper)


# -- limits of groups ------------------------------------------------------------------------------------------------


@rule(C.LIMIT, C.FIGURE, maybe(C.IS), C.BOUND)
def figure_limited(table: Table, measure: Measure, said: Word | None, bound: Bound) -> Limit | None:
    """Read "average price above 5"."""
    unit = table.lexicon.unit(bound.value.unit) if bound.value.unit else None
    if isinstance(measure, PartOfAll) and (unit is None or unit.name != _PERCENT):
        return None  # "% score above 4" is of the rows with such a score
    if not is_about(table, measure.term if isinstance(measure, Figure) else None, bound):
        return None
    return Limit(measure, _scaled(table, measure, bound))


@rule(C.LIMIT, C.BOUND, C.FIGURE)
def limited_figure(table: Table, bound: Bound, measure: Measure) -> Limit:
    """Read "more than 5 in total price"."""
    return Limit(measure, _scaled(table, measure, bound))


@rule(C.LIMIT, C.BOUND, C.ENTITY)
def limited_count(table: Table, bound: Bound, entity: Entity) -> Limit | Costed | None:
    """Read "more than 5 orders"."""
    if bound.value.unit:
        return None  # "more than 10 % of the orders"
    found = counted(table, entity)
    if isinstance(found, Costed):
        return Costed(Limit(found.meaning, bound), found.cost)  # type: ignore[arg-type]
    return Limit(found, bound) if found is not None else None


@rule(C.LIMIT, a(C.WHERE, C.IN), C.LIMIT)
def with_limit(table: Table, said: Word, limit: Limit) -> Limit:
    """Read "with more than 5 orders"."""
    return limit


@rule(C.LIMIT, C.WHERE, C.NUMBER, C.ENTITY, cost=0.1)
def exact_count(table: Table, said: Word, number: Number, entity: Entity) -> Limit | Costed | None:
    """Read "with 3 orders"."""
    return limited_count(table, Bound(CompareOp.EQ, number), entity)
