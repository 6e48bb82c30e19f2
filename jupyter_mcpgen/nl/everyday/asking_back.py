"""Asks which of several meanings is meant, where a rule knows all of them: "delayed" beside two columns of delays."""

from __future__ import annotations

from collections.abc import Callable

from jupyter_mcpgen.nl.everyday.saying.speech import Speech
from jupyter_mcpgen.nl.reading import Answered, Asked, Refused, Understanding
from jupyter_mcpgen.plan.english import say_plan

_NONE_READ = "{} Ask again with the one that is meant."


def asked_back(said: Speech, read: Callable[[str], Understanding]) -> Understanding:
    """Return the question back with what each way of saying it means; refused where one of them cannot be read."""
    meant = [read(way) for way in said.ways]
    options = tuple(one.winner for one in meant if isinstance(one, Answered))
    if len(options) < len(meant):
        return Refused(_NONE_READ.format(said.asking))
    ways = "; ".join(f"({number}) {say_plan(option.plan)}" for number, option in enumerate(options, 1))
    return Asked(f"{said.asking} It can be read in {len(options)} ways: {ways}. Which one do you mean?", options)
