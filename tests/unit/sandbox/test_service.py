"""The sandbox enforces what was asked for, or refuses and says what is missing."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import SandboxError, SandboxUnavailable
from jupyter_mcpgen.sandbox.job import Call, Job, Outcome, Run, Usage
from jupyter_mcpgen.sandbox.policy import Level, Policy
from jupyter_mcpgen.sandbox.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.selfcheck import prove
from jupyter_mcpgen.sandbox.service import Sandbox

JOB = Job(Path("/package"), "tool", (Call({}),))


@dataclass
class SettledBackend:
    """A backend that says what it is told to say."""

    level: Level = Level.LANDLOCK
    lacks: str | None = None
    ran_at: Level = Level.LANDLOCK
    name: str = "settled"
    jobs: list[Job] = field(default_factory=list)

    def missing(self) -> str | None:
        """Return the lack that was set."""
        return self.lacks

    def facts(self) -> dict[str, str]:
        """Return one settled fact."""
        return {"files": "settled"}

    def warm(self) -> None:
        """Start nothing."""

    def close(self) -> None:
        """End nothing."""

    def run(self, job: Job, policy: Policy) -> Run:
        """Note the job and answer nothing."""
        self.jobs.append(job)
        return Run(Outcome.COMPLETED, (), "", "", Usage(0, 0, 0), self.ran_at)


def test_a_missing_piece_refuses_with_the_piece_and_the_cure() -> None:
    with pytest.raises(SandboxUnavailable) as refusal:
        Sandbox(Level.LANDLOCK, SettledBackend(lacks="Landlock is off; use Linux 5.13"))

    assert str(refusal.value) == (
        "No sandbox here enforces level 2 (`landlock`): Landlock is off; use Linux 5.13. Nothing was run. "
        "To accept code with your own rights, set `MCPGEN_SANDBOX__MINIMUM_LEVEL=0`."
    )


def test_a_weaker_backend_is_refused_even_when_it_was_handed_in() -> None:
    with pytest.raises(SandboxUnavailable, match="`unconfined process` enforces level 0"):
        Sandbox(Level.LANDLOCK, ProcessBackend(layers=frozenset()))


def test_what_is_not_built_yet_is_refused_and_not_approximated() -> None:
    with pytest.raises(SandboxUnavailable, match="level 1"):
        Sandbox(Level.NAMESPACES)


def test_an_unconfined_process_is_used_only_when_its_level_is_asked_for() -> None:
    assert Sandbox(Level.UNCONFINED).level is Level.UNCONFINED
    assert Sandbox(Level.CONTAINER).level is Level.LANDLOCK


def test_a_run_at_a_weaker_level_than_asked_for_is_thrown_away() -> None:
    sandbox = Sandbox(Level.LANDLOCK, SettledBackend(ran_at=Level.UNCONFINED))

    with pytest.raises(SandboxError, match="its answer was thrown away"):
        sandbox.run(JOB, Policy())


def test_a_backend_whose_attacks_get_through_is_refused_with_their_names() -> None:
    class Liar(ProcessBackend):
        """Claims level 2 and confines nothing."""

        @property
        def level(self) -> Level:
            return Level.LANDLOCK

        def missing(self) -> str | None:
            return None

    sandbox = Sandbox(Level.LANDLOCK, Liar(layers=frozenset()))

    with pytest.raises(SandboxUnavailable, match="`read_user_file`"):
        sandbox.prove()


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.mark.skipif(ProcessBackend().missing() is not None, reason="no level 2 here")
def test_a_proof_is_kept_for_this_boot_and_configuration(cache: Path) -> None:
    first = Sandbox(Level.LANDLOCK).prove(cache)
    (kept,) = cache.iterdir()
    kept.write_text(
        kept.read_text(encoding="utf-8").replace("nothing changed", "read from the cache"), encoding="utf-8"
    )

    second = prove(ProcessBackend(), cache)

    assert (first.level, first.broken) == (Level.LANDLOCK, ())
    assert second.probes[-1].detail == "read from the cache"
    assert second.probes[:-1] == first.probes[:-1]


@pytest.mark.skipif(ProcessBackend().missing() is not None, reason="no level 2 here")
def test_a_damaged_proof_is_made_again(cache: Path) -> None:
    prove(ProcessBackend(), cache)
    (kept,) = cache.iterdir()
    kept.write_text("{", encoding="utf-8")

    assert prove(ProcessBackend(), cache).level is Level.LANDLOCK
