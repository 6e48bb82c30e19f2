"""Attacks the sandbox of programs with a program, as `jobs` attacks that of tools with a job.

It is the same list, without what a program may do and a tool may not. Each attack runs in a program without the sandbox
first, where it should succeed: the positive control.
"""

from __future__ import annotations

import errno
import json
from pathlib import Path

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.record import Status
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.selfcheck.decoys import Decoys, planted
from jupyter_mcpgen.sandbox.selfcheck.jobs import ATTACKS, Attempt, ProbeResult, judged, untouched
from jupyter_mcpgen.sandbox.selfcheck.probes import PROBES, Expectation, Probe

# It starts programs, loads what it compiled, has `PATH` in its environment, and its quota is looked at now and then.
_MAY = frozenset(
    {
        "find_secrets_in_environment", "fill_with_many_files", "fill_with_deleted_files", "load_library_from_scratch",
        "fork",
    }
)  # fmt: skip
_NOT_THERE = frozenset({errno.ENOENT, errno.ESRCH, errno.EROFS})
_PROGRAM = """
import json, sys
order = json.loads(sys.stdin.read())
sys.path.insert(0, order["attacks"])
import tool
for name in order["names"]:
    print(tool.attack(name, order["target"]), flush=True)
"""
_SECONDS = 60.0

ATTACKED = tuple(
    probe
    for probe in PROBES
    if not probe.alone and probe.name not in _MAY and (probe.expected is Expectation.BLOCKED or probe.only_inside)
)
"""The attacks that a program must not win either."""


def prove_programs(sandbox: ProgramSandbox) -> tuple[ProbeResult, ...]:
    """Attack the sandbox of programs and return what came of each attack; raises `SandboxError` when none could run."""
    control, _ = _attacked(ProgramSandbox(layers=frozenset()))
    confined, damage = _attacked(sandbox)
    results = [_result(probe, sandbox.level, confined[probe.name], control[probe.name]) for probe in ATTACKED]
    return (*results, untouched(damage))


def _attacked(sandbox: ProgramSandbox) -> tuple[dict[str, Attempt], tuple[str, ...]]:
    with planted() as decoys:
        return _attempts(sandbox, decoys), decoys.damage()


def _attempts(sandbox: ProgramSandbox, decoys: Decoys) -> dict[str, Attempt]:
    names = [probe.name for probe in ATTACKED]
    order = {"attacks": str(ATTACKS), "names": names, "target": dict(decoys.target)}
    executor = Executor(sandbox=sandbox, data=(ATTACKS, Path(decoys.granted)))
    run = executor.execute("python", _PROGRAM, stdin=json.dumps(order), timeout=_SECONDS)
    if run.status is not Status.SUCCESS:
        raise SandboxError(f"The sandbox of programs could not be attacked: {run.error_message}")
    return {name: Attempt(**json.loads(line)) for name, line in zip(names, run.stdout.splitlines(), strict=True)}


def _result(probe: Probe, level: Level, confined: Attempt, control: Attempt) -> ProbeResult:
    inside = _NOT_THERE if level is Level.NAMESPACES else frozenset()
    return judged(probe, level, confined, control, refused=confined.errno in probe.errors_at(level) | inside)
