"""What was done to how many: "who started every game" beside the games and the games started of each."""

from __future__ import annotations

from jupyter_mcpgen.nl.everyday.saying import columns
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, Table


def done_every(said: Speech, table: Table) -> Speech | None:
    """Say "who started every game" as the rows that have as many games started as games; each is no group."""
    for found in said.find_each(table.wording("done_every")):
        what = table.context.plain(found.folded("what").strip("?.,!"))
        done, whole = _done(found.folded("verb"), what, table), _whole(found.folded("verb"), what, table)
        if done is None or done == whole:
            continue
        if whole is None:
            return said.refusing(found.said("refused", said=found.text, done=done))
        note = f"“{found.text}” is taken to mean that `{done}` is as large as `{whole}`."
        return said.put(found, found.said("number" if found["noun"] else "who", done=done, whole=whole), note)
    return None


def done_so_many(said: Speech, table: Table) -> Speech | None:
    """Say "who started at least 50 games" by the games started, and not by the games."""
    for found in said.find_each(table.wording("done_so_many")):
        what = table.context.plain(found.folded("what").strip("?.,!"))
        done = _done(found.folded("verb"), what, table)
        if done is not None and _whole(found.folded("verb"), what, table) is not None:
            return said.put(found, found.said(column=done, side=found["side"], n=found["n"]))
    return None


def those_told(said: Speech, table: Table) -> Speech | None:
    """Say "of those rated, how many were late" of the rows with a rating."""
    found = said.find(table.wording("those_told"))
    if found is None:
        return None
    known = [name for name in table.context.column_words if _tells_of(found.folded("verb"), name, table)]
    column = _only(known)
    if column is None or not table.context.column(column).nulls or column in columns.flags(table):
        return None
    note = f"“{found['verb']}” is taken to be the rows with a `{column}`."
    return said.saying(found.said(column=column, rest=found["rest"].strip(" ?.")), note)


def _done(verb: str, what: str, table: Table) -> str | None:
    """Return the one number of things to which something was done, such as `games_started`."""
    return _only([name for name in _numbers(what, table) if _tells_of(verb, name, table)])


def _whole(verb: str, what: str, table: Table) -> str | None:
    """Return the one number of all of these things, such as `games` or `games_played`."""
    others = [name for name in _numbers(what, table) if not _tells_of(verb, name, table)]
    beside = table.words("said_of_all_of_them")
    return _only([name for name in others if set(table.context.column_words[name]) <= {what, *beside}])


def _numbers(what: str, table: Table) -> list[str]:
    own = table.context.column_words
    return [name for name in own if what in own[name] and table.context.is_number(name)]


def _tells_of(verb: str, name: str, table: Table) -> bool:
    return any(table.akin(verb, word) for word in table.context.column_words[name])


def _only(names: list[str]) -> str | None:
    return names[0] if len(names) == 1 else None
