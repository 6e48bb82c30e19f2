"""The sandbox enforces what was asked for, or refuses and says what is missing."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import SandboxError, SandboxUnavailable
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.job import Call, Job, Outcome, Run, Usage
from jupyter_mcpgen.sandbox.jobs.layers import WITHOUT_NAMESPACES
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Level, Policy
from jupyter_mcpgen.sandbox.selfcheck.jobs import prove
from jupyter_mcpgen.sandbox.service import BackendKind, Choice, Sandbox, first_usable
from tests.levels import needs

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

    def run(self, job: Job, policy: Policy, cancel: Cancellation | None = None) -> Run:
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


def test_a_level_that_was_chosen_by_name_is_never_taken_for_a_stronger_one() -> None:
    with pytest.raises(SandboxUnavailable, match="enforces level 2, and nothing stronger"):
        Sandbox(Level.NAMESPACES, ProcessBackend(layers=WITHOUT_NAMESPACES))


def test_where_namespaces_are_forbidden_the_next_level_is_taken_and_the_reason_told(tmp_path: Path) -> None:
    broken = Interpreter(tmp_path / "python", (), ())
    (tmp_path / "python").write_text("#!/bin/sh\necho Operation not permitted >&2\nexit 1\n", encoding="utf-8")
    (tmp_path / "python").chmod(0o755)

    backend = ProcessBackend(interpreter=broken)

    assert backend.level is Level.LANDLOCK
    assert "Operation not permitted" in backend.facts()["not level 1"]
    with pytest.raises(SandboxUnavailable, match="Operation not permitted"):
        Sandbox(Level.NAMESPACES, backend)


def test_an_unconfined_process_is_used_only_when_its_level_is_asked_for() -> None:
    assert Sandbox(Level.UNCONFINED).level is Level.UNCONFINED
    assert Sandbox(Level.CONTAINER).level is ProcessBackend().level is not Level.UNCONFINED


def test_a_container_is_used_when_it_was_named_and_refused_with_the_cure_when_it_cannot_be(tmp_path: Path) -> None:
    named = Choice(BackendKind.CONTAINER, "team/pandas:1", f"unix://{tmp_path}/nobody.sock")

    with pytest.raises(SandboxUnavailable, match="level 3"):
        Sandbox(Level.CONTAINER, choice=named)
    with pytest.raises(SandboxUnavailable, match="MCPGEN_SANDBOX__DOCKER_JOB_IMAGE"):
        Sandbox(Level.CONTAINER, choice=Choice(BackendKind.CONTAINER))


def test_the_first_backend_that_lacks_nothing_is_used_and_else_the_first_says_what_it_lacks() -> None:
    lacking, container = SettledBackend(lacks="no Landlock"), SettledBackend(Level.CONTAINER, ran_at=Level.CONTAINER)
    broken = SettledBackend(Level.CONTAINER, lacks="no daemon")

    assert first_usable(container, lacking) is container
    assert first_usable(lacking, broken, container) is container
    assert first_usable(lacking, broken) is lacking
    with pytest.raises(SandboxUnavailable, match="`settled` enforces level 3"):
        Sandbox(Level.LANDLOCK, first_usable(lacking, container))


@needs(ProcessBackend().missing())
def test_a_process_is_preferred_to_a_container_that_is_only_there_for_want_of_it(tmp_path: Path) -> None:
    choice = Choice(image="team/pandas:1", engine=f"unix://{tmp_path}/nobody.sock")

    assert isinstance(Sandbox(Level.LANDLOCK, choice=choice).backend, ProcessBackend)
    assert isinstance(Sandbox(Level.LANDLOCK, choice=Choice(BackendKind.PROCESS)).backend, ProcessBackend)


@pytest.mark.skipif(sys.platform == "darwin", reason="it may be used here")
def test_the_backend_of_another_system_is_refused_by_its_name() -> None:
    with pytest.raises(SandboxUnavailable, match="`sandbox-exec` is a program of macOS"):
        Sandbox(Level.CONTAINER, choice=Choice(BackendKind.MACOS))


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


@pytest.mark.soak
@needs(ProcessBackend().missing())
def test_a_proof_is_kept_for_this_boot_and_configuration(cache: Path) -> None:
    first = Sandbox(Level.LANDLOCK).prove(cache)
    (kept,) = cache.iterdir()
    kept.write_text(
        kept.read_text(encoding="utf-8").replace("nothing changed", "read from the cache"), encoding="utf-8"
    )

    second = prove(ProcessBackend(), cache)

    assert (first.level, first.broken) == (ProcessBackend().level, ())
    assert second.probes[-1].detail == "read from the cache"
    assert second.probes[:-1] == first.probes[:-1]


@pytest.mark.soak
@needs(ProcessBackend().missing())
def test_a_damaged_proof_is_made_again(cache: Path) -> None:
    prove(ProcessBackend(), cache)
    (kept,) = cache.iterdir()
    kept.write_text("{", encoding="utf-8")

    assert prove(ProcessBackend(), cache).level is ProcessBackend().level


@pytest.mark.soak
@needs(ProcessBackend().missing())
def test_a_kept_proof_that_leaves_attacks_out_is_made_again(cache: Path) -> None:
    report = prove(ProcessBackend(), cache)
    (kept,) = cache.iterdir()
    document = json.loads(kept.read_text(encoding="utf-8"))
    kept.write_text(json.dumps({**document, "probes": document["probes"][:1]}), encoding="utf-8")

    assert len(prove(ProcessBackend(), cache).probes) == len(report.probes)
