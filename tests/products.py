"""A product of its own for a test; all of one process share a sandbox, so that its libraries are imported once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

import pytest

from jupyter_mcpgen import runtime, warming
from jupyter_mcpgen.model.validation import ValidationReport
from jupyter_mcpgen.pipeline.course import Course
from jupyter_mcpgen.pipeline.draft import Computed, Staged
from jupyter_mcpgen.pipeline.gap import find_waiting
from jupyter_mcpgen.pipeline.present import keep
from jupyter_mcpgen.runtime import PROOFS, Runtime, build
from jupyter_mcpgen.sandbox.service import Sandbox
from jupyter_mcpgen.settings import Settings, load_settings, state_folder

PROVED = state_folder() / PROOFS
"""Where this machine keeps that its sandbox was proved."""
_OWN = {"MCPGEN_REGISTRY__PATH": "registry", "JUPYTER_DATA_DIR": "data", "JUPYTER_CONFIG_DIR": "config"}


@dataclass(frozen=True)
class Ungated(Runtime):
    """A product for tests of what comes after the gates: it keeps an answer at once, as if they had found nothing.

    What was found with the answer on the data counts as ever, and rejects an answer that it is against.
    """

    def stage(self, computed: Computed, course: Course | None = None) -> Staged:
        """Keep an answer as a card that waits for a decision, or the card that waits already."""
        waiting = find_waiting(computed, self.services)
        if waiting is None:
            told = {"findings": computed.findings, "evidence": computed.trial.evidence}
            report = ValidationReport(schema_ok=True, tests_ok=True, sandbox_ok=True, **told)
            waiting = keep(computed, report, computed.times, self.services)
        self.latest_cards.append(waiting.card_id)
        return Staged(waiting, computed)


def new_runtime(folder: Path, registry: Path | None = None, **overrides: object) -> Runtime:
    """Return a product with an empty registry in the folder, or with one that is there; `overrides` are settings."""
    places = {"registry.path": registry or folder / "registry"}
    settings = load_settings(project=folder, environment={}, overrides={**places, **overrides}).values
    return build(settings, _sandbox() if settings.sandbox == Settings().sandbox else None)


def ungated(folder: Path, **overrides: object) -> Ungated:
    """Return such a product that runs no gates."""
    return _without_gates(new_runtime(folder, **overrides))


def _without_gates(made: Runtime) -> Ungated:
    return Ungated(**{each.name: getattr(made, each.name) for each in fields(made)})


@contextmanager
def own_place(folder: Path, *, gates: bool = True) -> Iterator[Path]:
    """Stand in a folder that has a registry, state and settings of its own, as a person at another terminal does.

    What is asked here runs in the sandbox that all products of this process share, and which was proved before. Without
    `gates` none are run: that is for tests of what is said before or after them.
    """
    with pytest.MonkeyPatch.context() as patch:
        for name, place in _OWN.items():
            patch.setenv(name, str(folder / place))
        patch.setenv("MCPGEN_SANDBOX__BEGIN_AT_LOAD", "false")
        patch.chdir(folder)
        know_proof(folder / "data")
        if not gates:
            made = lru_cache(maxsize=1)(lambda: _without_gates(build(load_settings().values)))
            patch.setattr(runtime, "_built", made)
        start_anew()
        try:
            yield folder
        finally:
            runtime._built.cache_clear()


def start_anew() -> None:
    """Forget the product of this process, so that its settings are read once more; its sandbox is used again."""
    runtime._built.cache_clear()
    begun: Future[Sandbox] = Future()
    begun.set_result(_sandbox())
    warming.BEGUN._waiting = load_settings().values.sandbox, begun


def know_proof(data: Path) -> Path:
    """Let a data folder of Jupyter's know that the sandbox was proved on this machine, and return the folder."""
    (data / "mcpgen").mkdir(parents=True)
    PROVED.mkdir(parents=True, exist_ok=True)
    (data / "mcpgen" / PROOFS).symlink_to(PROVED)
    return data


@lru_cache(maxsize=1)
def _sandbox() -> Sandbox:
    return build(Settings()).sandbox
