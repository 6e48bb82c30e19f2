"""Proves what the sandbox enforces by attacking it, so that the level shown is a fact and not a hope.

Every attack runs twice on planted decoys: in an unconfined process, where it should succeed (the positive control), and
through the backend, where it must fail for the right reason. A failure for another reason proves nothing and says so.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from jupyter_mcpgen.sandbox.backend import Backend
from jupyter_mcpgen.sandbox.job import Call, Job, Run
from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Level, Limits, Policy
from jupyter_mcpgen.sandbox.selfcheck.decoys import Decoys, planted
from jupyter_mcpgen.sandbox.selfcheck.probes import PROBES, Expectation, Probe

_SANDBOX = Path(__file__).resolve().parent.parent
ATTACKS = _SANDBOX / "attacks"
_UNTOUCHED = "leave_decoys_untouched"
_SURROUNDINGS = ("/proc/self/ns/user", "/proc/self/ns/mnt", "/proc/self/ns/pid")
_LIMITS = Limits(wall_seconds=20, cpu_seconds=20, memory_mb=1024, scratch_bytes=8 * 1024 * 1024, scratch_entries=300)
# Where scratch has no size of its own, a watch that comes by would end the job, and the attacks after that one with it.
_ROOM_FOR_ALL = replace(_LIMITS, scratch_bytes=64 * 1024 * 1024, scratch_entries=10_000)


@dataclass(frozen=True)
class ProbeResult:
    """What came of one attack: refused or not, why, and whether it succeeded without the sandbox (`control`)."""

    name: str
    meaning: str
    expected: Expectation
    blocked: bool
    control: bool
    detail: str

    @property
    def as_promised(self) -> bool:
        """Return whether the sandbox did what it promises here; a known leak breaks no promise."""
        return {Expectation.BLOCKED: self.blocked, Expectation.LEAKS: True, Expectation.WORKS: not self.blocked}[
            self.expected
        ]


@dataclass(frozen=True)
class Report:
    """What `%mcpgen doctor` shows: the level that was proved, how, and what is not covered."""

    backend: str
    promised: Level
    facts: Mapping[str, str]
    probes: tuple[ProbeResult, ...]

    @property
    def broken(self) -> tuple[ProbeResult, ...]:
        """Return the probes that contradict what the backend promises."""
        return tuple(probe for probe in self.probes if not probe.as_promised)

    @property
    def level(self) -> Level:
        """Return the level that was proved: the promised one, or none at all."""
        return Level.UNCONFINED if self.broken else self.promised

    @property
    def leaks(self) -> tuple[ProbeResult, ...]:
        """Return what a job can do although it should not, and this level cannot prevent."""
        return tuple(p for p in self.probes if p.expected is Expectation.LEAKS and not p.blocked)

    @property
    def unproved(self) -> tuple[ProbeResult, ...]:
        """Return the attacks that fail on this machine even without a sandbox, so that their failure says nothing."""
        return tuple(p for p in self.probes if p.expected is Expectation.BLOCKED and p.blocked and not p.control)


@dataclass(frozen=True)
class Attempt:
    """What one attack reported, or that it could not."""

    succeeded: bool
    errno: int | None
    detail: str
    killed_by: str | None = None


def check(backend: Backend, promised: Level | None = None) -> tuple[ProbeResult, ...]:
    """Attack a backend for real and return what came of each attack, in the order of `PROBES`.

    The measure is what a level promises: the backend's own, or for comparison another one.
    """
    level = promised or backend.level or Level.LANDLOCK
    control, _ = _attack(ProcessBackend(layers=frozenset(), spares=0))
    backend.warm()  # so that the attacks meet the kind of process that real jobs meet
    confined, damage = _attack(backend)
    results = [_result(probe, level, confined[probe.name], control[probe.name]) for probe in PROBES]
    return (*results, untouched(damage))


def prove(backend: Backend, cache: Path | None = None) -> Report:
    """Return the report on a backend; with a folder, the last one of this boot and configuration is used again."""
    place = None if cache is None else cache / f"sandbox-{_configuration(backend)}.json"
    report = None if place is None else _remembered(place)
    if report is None or not _is_whole(report, backend):
        report = Report(backend.name, backend.level, backend.facts(), check(backend))
        if place is not None:
            _remember(place, report)
    return report


def _attack(backend: Backend) -> tuple[dict[str, Attempt], tuple[str, ...]]:
    together = [probe for probe in PROBES if not probe.alone]
    alone = [probe for probe in PROBES if probe.alone]
    with planted() as decoys:
        attempts = _attempts(together, backend, decoys)
        for probe in alone:
            attempts |= _attempts([probe], backend, decoys)
        return attempts, decoys.damage()


def _attempts(probes: Iterable[Probe], backend: Backend, decoys: Decoys) -> dict[str, Attempt]:
    probes = tuple(probes)
    calls = tuple(Call({"name": probe.name, "target": decoys.target}) for probe in probes)
    has_a_size = isinstance(backend, ProcessBackend) and Layer.NAMESPACES in backend.layers
    limits = _LIMITS if has_a_size else _ROOM_FOR_ALL
    run = backend.run(Job(ATTACKS, "attack", calls), Policy(read=(decoys.granted,), limits=limits))
    answered = dict(zip((probe.name for probe in probes), run.answers, strict=False))
    return {
        probe.name: _parsed(answer.text) if (answer := answered.get(probe.name)) and answer.text else _unanswered(run)
        for probe in probes
    }


def _parsed(text: str) -> Attempt:
    return Attempt(**json.loads(text))


def _unanswered(run: Run) -> Attempt:
    # `execute` replaces the process: what it printed is its only answer.
    executed = "executed" in run.stdout
    return Attempt(executed, None, run.stdout.strip() if executed else run.reason or "no answer", run.reason)


def _result(probe: Probe, level: Level, confined: Attempt, control: Attempt) -> ProbeResult:
    by_signal = any(name in (confined.killed_by or "") for name in probe.killed_by)
    proved = by_signal if probe.killed_by else confined.errno in probe.errors_at(level)
    return judged(probe, level, confined, control, refused=proved)


def judged(probe: Probe, level: Level, confined: Attempt, control: Attempt, *, refused: bool) -> ProbeResult:
    """Return what came of an attack; where it must be blocked, it has to be `refused`, and not to fail by chance."""
    expected = probe.expected_at(level)
    return ProbeResult(
        name=probe.name,
        meaning=probe.meaning,
        expected=expected,
        blocked=not confined.succeeded and (refused or expected is not Expectation.BLOCKED),
        control=control.succeeded,
        detail=confined.detail,
    )


def untouched(damage: tuple[str, ...]) -> ProbeResult:
    """Return what the decoys say of all attacks together."""
    return ProbeResult(
        name=_UNTOUCHED,
        meaning="Change any of the decoys, as seen from outside.",
        expected=Expectation.BLOCKED,
        blocked=not damage,
        control=True,
        detail="; ".join(damage) or "nothing changed",
    )


def _configuration(backend: Backend) -> str:
    """Return a digest of all that a proof depends on: this boot, this container, this user, this Python, this code."""
    digest = hashlib.sha256()
    sources = sorted(_SANDBOX.rglob("*.py"))
    boot = Path("/proc/sys/kernel/random/boot_id")
    for part in (
        boot.read_bytes() if boot.exists() else b"",
        *map(_place, _SURROUNDINGS),
        *(source.read_bytes() for source in sources),
        repr((sys.executable, sys.version, os.geteuid(), backend.name, sorted(backend.facts().items()))).encode(),
    ):
        digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()[:32]


def _place(surroundings: str) -> bytes:
    # Two containers of one boot share its id, and perhaps a home, and one may be allowed less than the other.
    try:
        return os.fsencode(os.readlink(surroundings))
    except OSError:
        return b""  # no Linux, or nothing to be in


def _is_whole(report: Report, backend: Backend) -> bool:
    """Return whether a report that was kept is about this level, and holds every attack there is."""
    attacks = [*(probe.name for probe in PROBES), _UNTOUCHED]
    return report.promised is backend.level and [probe.name for probe in report.probes] == attacks


def _remember(place: Path, report: Report) -> None:
    # A proof that cannot be kept is made again next time.
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        temporary = place.with_suffix(f".{os.getpid()}")
        temporary.write_text(json.dumps(asdict(report)), encoding="utf-8")
        temporary.replace(place)


def _remembered(place: Path) -> Report | None:
    try:
        document: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
        probes = [{**row, "expected": Expectation(row["expected"])} for row in document.pop("probes")]
        return Report(
            backend=document["backend"],
            promised=Level(document["promised"]),
            facts=document["facts"],
            probes=tuple(ProbeResult(**row) for row in probes),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None  # nothing kept, or not readable any more: the caller proves it again
