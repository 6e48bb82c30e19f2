"""Yes-or-no columns that are called by a bare word: the `Outcome` of `diabetes`, the `Loan_Status` of applications."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jupyter_mcpgen.model.profile import ColumnProfile, Kind, Profile
from jupyter_mcpgen.nl.words.forms import split_name
from jupyter_mcpgen.plan.schema import ColumnType


@dataclass(frozen=True)
class OutcomesTold:
    """What a yes means where the name of a column does not say it.

    `bare` names tell what a table is called after, by its `subjects`; `states` are told by their own names.
    """

    bare: frozenset[str] = frozenset()
    subjects: Mapping[str, str] = field(default_factory=dict)
    states: Mapping[str, str] = field(default_factory=dict)


def outcomes_told(profile: Profile, told: OutcomesTold) -> Mapping[str, str]:
    """Return what the yes-or-no columns stand for whose names do not say it, by their names.

    None where another column is called so, or where two columns would stand for the same.
    """
    words = {one.name: " ".join(split_name(one.name)) for one in profile.columns}
    subject = _subject(profile.name, told)
    meant = {name: told.states.get(said) or (subject if said in told.bare else None) for name, said in words.items()}
    found = [(one.name, said) for one in profile.columns if (said := meant[one.name]) and _says_yes_or_no(one, profile)]
    several = [said for _, said in found]
    return {name: said for name, said in found if several.count(said) == 1 and said not in words.values()}


def _subject(name: str, told: OutcomesTold) -> str | None:
    """Return what a table is called after: the heart disease of `heart_disease_patients`."""
    found = {told.subjects[word] for word in split_name(name) if word in told.subjects}
    return found.pop() if len(found) == 1 else None


def _says_yes_or_no(column: ColumnProfile, profile: Profile) -> bool:
    if profile.schema_.type_of(column.name) is ColumnType.BOOLEAN or column.kind is Kind.TRUTH:
        return True
    written = any(way.type is ColumnType.BOOLEAN for way in column.written)
    return written or (column.complete and set(column.values) == {0, 1})
