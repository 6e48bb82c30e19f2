"""What is said where two tables cannot come together, or where it is open what a condition is about."""

from __future__ import annotations

from collections.abc import Callable

from jupyter_mcpgen.errors import did_you_mean
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.joining.clause import Clause
from jupyter_mcpgen.nl.joining.keys import Pair
from jupyter_mcpgen.nl.joining.vocabulary import Way
from jupyter_mcpgen.nl.reading import Answered, Reading, Refused, Understanding
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.plan.ops import Filter


def beyond() -> Refused:
    """Refuse a join that no plan can say."""
    what = "cross joins"
    return Refused(
        f"The built-in planner cannot compute {what} yet; this is recorded as a missing capability. A left join keeps "
        "the rows of the table named first, a full outer join those of both.",
        missing_capabilities=(what,),
    )


def repeats(pairs: tuple[Pair, ...], first: Profile, second: Profile) -> Refused:
    """Refuse a join by columns that name several rows of both tables."""
    own, other = pairs[0]
    return Refused(
        f"`{own}` names several rows of `{first.name}`, and `{other}` several rows of `{second.name}`: joined, rows "
        "of both would be repeated and counted several times. Join by a column whose values are there once in one of "
        f"the tables, or ask for figures of one for each row of the other: “{first.name} with the number of "
        f"{second.name}”."
    )


def no_key(first: Profile, second: Profile) -> Refused:
    """Refuse a join for which no key is seen, and say how to name one."""
    return Refused(
        f"I found no column by which rows of `{first.name}` and `{second.name}` belong together. Name it, for example "
        f"“{first.name} joined with {second.name} on {first.schema_.names[0]} = {second.schema_.names[0]}”. "
        f"{_columns(first)} {_columns(second)}"
    )


def unknown_key(word: str, first: Profile, second: Profile) -> Refused:
    """Refuse a join by a word that is no column of both tables."""
    known = (*first.schema_.names, *second.schema_.names)
    owner = next((table for table in (first, second) if word in table.schema_.names), None)
    if owner is not None:
        return Refused(
            f"Only `{owner.name}` has a column `{word}`. Name one that both tables have, or two with `=` between them. "
            f"{_columns(first)} {_columns(second)}",
            words=(word,),
        )
    return Refused(
        f"`{word}` is no column that `{first.name}` and `{second.name}` can be joined by.{did_you_mean(word, known)} "
        f"Name one that both have, or two with `=` between them. {_columns(first)} {_columns(second)}",
        words=(word,),
    )


def asked_of_second(reading: Reading, second: Profile) -> str:
    """Say that a question is about the second table alone, and how it can be asked."""
    return (
        f"This question is only about `{second.name}`, but was asked about another table. Asked about `{second.name}` "
        f"it is: {say_plan(reading.plan)}."
    )


def open_condition(
    meant: Understanding, clause: Clause, after: str, second: Profile, read: Callable[[str, Profile], Understanding]
) -> Refused | None:
    """Refuse a condition behind "customers that have orders" that rows of either table may have, such as "in March"."""
    if clause.way not in (Way.HAVING, Way.WITH, Way.WITHOUT) or not isinstance(meant, Answered) or not after.strip():
        return None
    of_second = read(f"{second.name} {after.strip()}", second)
    if not isinstance(of_second, Answered):
        return None
    if not all(_filters(each) for each in (meant, of_second)):
        return None
    said = " ".join(after.split()).strip(" ,.;:?!")
    return Refused(
        f"“{said}” can be about the rows of `{second.name}` or of the other table. Say it before “{second.name}” if "
        f"it is about the other one; conditions on the matching rows of `{second.name}` cannot be used yet.",
        words=(said,),
        nearest=meant.winner,
    )


def _filters(meant: Answered) -> bool:
    return any(isinstance(step, Filter) for step in meant.winner.plan.steps)


def _columns(profile: Profile) -> str:
    return f"Columns of `{profile.name}`: {', '.join(f'`{name}`' for name in profile.schema_.names[:24])}."
