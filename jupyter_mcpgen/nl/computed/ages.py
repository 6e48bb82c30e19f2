"""The age of somebody in a year, where only the year of birth is known: "average age in 2024"."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.computed.column import Computed, free_name, text_of
from jupyter_mcpgen.nl.computed.vocabulary import Vocabulary
from jupyter_mcpgen.nl.context import Context
from jupyter_mcpgen.nl.tables.years_of_birth import year_of_birth
from jupyter_mcpgen.nl.text.tokens import Token, TokenKind
from jupyter_mcpgen.plan.expressions import Arithmetic, ArithmeticOp, Col, Lit
from jupyter_mcpgen.plan.ops import Derive
from jupyter_mcpgen.plan.schema import ColumnType

_YEARS = range(1500, 2100)
_NOTE = "An age is taken to be {} minus `{}`: whether the birthday has come is not known."


def age_in_year(
    tokens: tuple[Token, ...], profile: Profile, vocabulary: Vocabulary, context: Context
) -> Computed | None:
    """Return the age in a year that is named, where one column has years of birth and none has ages."""
    ages, joining = vocabulary.lists.get("ages", ()), vocabulary.lists.get("in_a_year", ())
    born = year_of_birth(context, frozenset(vocabulary.lists["birth"]))
    for place in range(len(tokens) - 2) if born is not None else ():
        noun, joined, year = tokens[place : place + 3]
        known = bool(context.columns_with(context.plain(noun.lower)))
        if noun.lower not in ages or known or joined.lower not in joining or not _is_year(year):
            continue
        name = free_name(ages[0], profile)
        value = Arithmetic(
            op=ArithmeticOp.SUBTRACT, left=Lit(value=int(year.text), type=ColumnType.INTEGER), right=Col(name=born)
        )
        rest = (*tokens[:place], Token(name, TokenKind.QUOTED), *tokens[place + 3 :])
        return Computed(
            name=name,
            type=ColumnType.INTEGER,
            step=Derive(name=name, expression=value),
            question=text_of(rest),
            notes=(_NOTE.format(year.text, born),),
            adds_up=False,
            required=True,
        )
    return None


def _is_year(token: Token) -> bool:
    return token.text.isdecimal() and int(token.text) in _YEARS
