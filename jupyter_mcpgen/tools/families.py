"""Which built-in tools there are, by family, and what confines what they run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.tools import analyzing, building, coding, debugging, dynamic, sandbox, synthesizing
from jupyter_mcpgen.tools.offer import Offer
from jupyter_mcpgen.tools.results import Analyzes
from jupyter_mcpgen.tools.running import Runner

_CONFINED = {
    Level.NAMESPACES: "level 1 (namespaces)",
    Level.LANDLOCK: "level 2 (Landlock)",
    Level.CONTAINER: "level 3 (a container)",
    Level.UNCONFINED: "level 0: NOTHING confines it, it has all rights of the person who started the server",
}
_LONGEST_DATA, _LONGEST_NOTE = 60, 150
"""Each tool that runs code carries the note, and a client's model reads them all."""


def offers(runtime: Runtime) -> tuple[Offer[Any], ...]:
    """Return the tools of the configured families, in the order of the families."""
    settings = runtime.settings
    runner = Runner(
        runtime.executor,
        runtime.sessions,
        settings.sandbox.memory_mb,
        analyzes=Analyzes(guidance=settings.guidance.enabled, fuel=settings.fuel_analysis.enabled),
        hear=runtime.announce,
    )
    note = confinement_note(runtime)
    families: Mapping[str, Callable[[], tuple[Offer[Any], ...]]] = {
        "sandbox": lambda: sandbox.offers(runner, note, runtime.containers),
        "coding": lambda: (
            *coding.offers(runner, runtime.containers, note),
            *analyzing.offers(lambda: runtime.analyst, runtime.source_folders, runtime.output_folders),
            *debugging.offers(lambda: runtime.debugger, note),
        ),
        "dynamic": lambda: dynamic.offers(
            lambda: runtime.client_tools,
            runtime.settings.server.consent_seconds,
            runtime.corrector,
            asks_client=runtime.settings.server.elicitation,
        ),
        "building": lambda: (
            *building.offers(lambda: runtime.builds, runtime.source_folders, runtime.output_folders),
            *synthesizing.offers(lambda: runtime.synthesis, runtime.source_folders, runtime.output_folders),
        ),
    }
    return tuple(offer for name in dict.fromkeys(runtime.settings.server.families) for offer in families[name]())


def confinement_note(runtime: Runtime) -> str:
    """Return the sentence on the sandbox that every tool that runs code carries, cut where it would be long."""
    told = _confinement(runtime)
    return told if len(told) <= _LONGEST_NOTE else f"{told[:_LONGEST_NOTE]}… `list_runtimes` says more."


def _confinement(runtime: Runtime) -> str:
    program_sandbox = runtime.executor.sandbox
    lack = program_sandbox.missing()
    if lack is not None:
        return f"SANDBOX: not available here, so every call ends as `setup_error`: {lack}."
    data = _data_in_words(runtime.executor.data)
    confined = _CONFINED[program_sandbox.level]
    if program_sandbox.level is Level.UNCONFINED:
        return f"SANDBOX: {confined}."
    weakened = f"; not level 1 {program_sandbox.weakened}" if program_sandbox.weakened else ""
    return f"SANDBOX: {confined}; no network; writes nothing of the machine; data it reads: {data}{weakened}."


def _data_in_words(paths: tuple[Path, ...]) -> str:
    """Return the paths that code may read; `list_runtimes` names all of them."""
    named = ", ".join(f"`{path}`" for path in paths) or "none"
    return named if len(named) <= _LONGEST_DATA else f"{len(paths)} paths, see `list_runtimes`"
