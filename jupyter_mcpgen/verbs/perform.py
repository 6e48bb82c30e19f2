"""Carries out what was typed: a command by its function, anything else as a question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.pipeline.course import Course
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs import (
    adjusting,
    analyzing,
    asking,
    building,
    consenting,
    debugging,
    deciding,
    editing,
    explaining,
    exploring,
    health,
    library,
    modelling,
    prewarming,
    results,
    selecting,
    starting,
    synthesizing,
    versioning,
)
from jupyter_mcpgen.verbs.commands import OF_A_FACE, command_of, help_with, refuse_mistyped, refuse_more_words
from jupyter_mcpgen.verbs.finding import tables_in
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.standing import STANDING
from jupyter_mcpgen.verbs.usage import asks_for_help
from jupyter_mcpgen.verbs.words import UsageError

Namespace = Mapping[str, object]

VERBS: Mapping[str, Callable[[Sequence[str], Runtime, Namespace], Said]] = {
    "why": asking.why,
    "analyze": lambda w, r, n: analyzing.analyze(w, r),
    "debug": lambda w, r, n: debugging.debug(w, r),
    "gates": lambda w, r, n: analyzing.gates(w, r),
    "report": lambda w, r, n: analyzing.report(w, r),
    "explore": exploring.explore,
    "show": lambda w, r, n: library.show(w, r),
    "run": library.run,
    "verify": library.verify,
    "recheck": lambda w, r, n: library.recheck(w, r),
    "pick": deciding.pick,
    "adjust": adjusting.adjust,
    "edit": editing.edit,
    "explain": lambda w, r, n: explaining.explain(w, r),
    "result": lambda w, r, n: results.result(w, r),
    "code": results.code,
    "inbox": lambda w, r, n: consenting.inbox(w, r),
    "reopen": lambda w, r, n: deciding.reopen(w, r),
    "undo": lambda w, r, n: deciding.undo(w, r),
    "diff": lambda w, r, n: versioning.diff(w, r),
    "rollback": lambda w, r, n: versioning.rollback(w, r),
    "unpublish": lambda w, r, n: versioning.unpublish(w, r),
    "model": lambda w, r, n: modelling.model(w, r),
    "preview": modelling.preview,
    "build": lambda w, r, n: building.build(w, r),
    "export": lambda w, r, n: building.export(w, r),
    "synthesize": lambda w, r, n: synthesizing.synthesize(w, r),
    "doctor": lambda w, r, n: health.doctor(r),
    "prewarm": lambda w, r, n: prewarming.prewarm_runtimes(),
}
"""The commands that need the whole product; the others are in `standing`."""
ASKING: Mapping[str, Callable[[Sequence[str], Runtime, Namespace, Course | None], Said]] = {
    "ask": asking.ask,
    "sql": selecting.sql,
}
"""The commands that ask: their course can be watched and stopped."""
DECIDING: Mapping[str, Callable[[Sequence[str], Runtime, Namespace, Face], Said]] = {
    "approve": lambda w, r, n, f: deciding.approve(w, r, f),
    "accept": lambda w, r, n, f: deciding.accept(w, r, f),
    "reject": deciding.reject,
    "consent": lambda w, r, n, f: consenting.consent(w, r, f),
    "starter": lambda w, r, n, f: starting.starter(w, r, f),
}
"""The commands that decide; it is written down where they were typed."""


def perform(
    words: Sequence[str],
    runtime: Runtime,
    namespace: Namespace,
    face: Face = Face.PYTHON,
    course: Course | None = None,
) -> Said:
    """Carry out what was typed; words that begin with no command are a question, which a face may watch and stop.

    Raises a `McpgenError` whose message is meant for the person who typed.
    """
    if asks_for_help(words):
        return help_with(words[:1])
    command = command_of(words)
    if command is None:
        _refuse_no_question(words, runtime, namespace)
        return asking.ask(words, runtime, namespace, course)
    refuse_more_words(words)
    if command in STANDING:
        return STANDING[command](words[1:], runtime.settings, runtime.registry)
    if command in DECIDING:
        return DECIDING[command](words[1:], runtime, namespace, face)
    if command in ASKING:
        return ASKING[command](words[1:], runtime, namespace, course)
    return VERBS[command](words[1:], runtime, namespace)


def _refuse_no_question(words: Sequence[str], runtime: Runtime, namespace: Namespace) -> None:
    if tuple(words[:1]) in {(name,) for name in OF_A_FACE} and len(words) == 1:
        raise UsageError(f"`{words[0]}` works only in a terminal: `jupyter mcpgen {words[0]}`.")
    refuse_mistyped(words, tables_in(namespace), follows=runtime.latest_table is not None)
