"""Confines a process on macOS with `sandbox-exec`; written from Apple's profile language and not tried on a Mac yet.

The profile is closed by default and made by a pure function of the policy. What macOS has no profile rule for, memory
and time among it, is bounded by resource limits and by the host. There is no fork server and no spare process here.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.granted import granted_paths, resolved
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.job import Job, Run, Usage
from jupyter_mcpgen.sandbox.jobs.artifacts import Collected, collected_in
from jupyter_mcpgen.sandbox.jobs.channel import read_answers
from jupyter_mcpgen.sandbox.jobs.judging import judge
from jupyter_mcpgen.sandbox.jobs.launch import Ending
from jupyter_mcpgen.sandbox.jobs.tables import rows_received
from jupyter_mcpgen.sandbox.jobs.work import work_of
from jupyter_mcpgen.sandbox.macos.launch import launched
from jupyter_mcpgen.sandbox.policy import Level, Limits, Policy
from jupyter_mcpgen.sandbox.scratch import scratch_folder

UNTESTED = "the macOS sandbox was never run on a Mac: its profile is tested as text only"
PROGRAM = Path("/usr/bin/sandbox-exec")
_MEGABYTE = 1024 * 1024
_START = "import sys; sys.path.insert(0, sys.argv[1]); from inside.macos_job import main; del sys.path[0]; main()"
_ENVIRONMENT = {"LANG": "C.UTF-8", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
_SYSTEM_READ = (
    "/System/Library", "/usr/lib", "/usr/share/zoneinfo", "/Library/Preferences/Logging", "/private/var/db/timezone",
    "/private/var/db/dyld", "/System/Volumes/Preboot/Cryptexes",
)  # fmt: skip
_SYSTEM_FILES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/private/etc/localtime", "/")
_READABLE_FACTS = (
    "hw.ncpu",
    "hw.activecpu",
    "hw.memsize",
    "hw.pagesize",
    "hw.machine",
    "kern.osrelease",
    "kern.ostype",
)


@dataclass(frozen=True)
class Profile:
    """What a process may do on macOS: read these, execute those, write one folder, and nothing else."""

    read: tuple[Path, ...]
    execute: tuple[Path, ...]
    scratch: Path
    files: tuple[Path, ...] = field(default=tuple(map(Path, _SYSTEM_FILES)))


def profile_text(profile: Profile) -> str:
    """Return a profile in the language of `sandbox-exec`; raises `SandboxError` for a path it cannot hold."""
    reads = [_below(path) for path in (*map(Path, _SYSTEM_READ), *profile.read)]
    files = [_exactly(path) for path in profile.files]
    ancestors = sorted({parent for path in (*profile.read, profile.scratch) for parent in path.parents})
    facts = " ".join(f'(sysctl-name "{name}")' for name in _READABLE_FACTS)
    lines = [
        "(version 1)",
        "(deny default)",
        "(deny network*)",
        "(deny process-fork)",
        "(deny file-link)",
        "(deny mach-lookup)",
        *_rule("allow process-exec", [_exactly(path) for path in profile.execute]),
        *_rule("allow file-read*", [*reads, *files, _below(profile.scratch)]),
        # A path is reached through its parents: their names may be seen, and nothing that lies in them.
        *_rule("allow file-read-metadata", [_exactly(path) for path in ancestors]),
        *_rule("allow file-map-executable", [*reads, *[_exactly(path) for path in profile.execute]]),
        *_rule("allow file-write*", [_below(profile.scratch)]),
        *_rule("allow file-write-data", [_exactly(Path("/dev/null"))]),
        "(deny file-write-setugid)",
        f"(allow sysctl-read {facts})",
        "(allow signal (target self))",
        "(allow process-info* (target self))",
    ]
    return "\n".join(lines) + "\n"


def quoted(path: Path) -> str:
    """Return a path as a string of the profile language, in which only quotes and backslashes have a meaning."""
    text = str(path)
    if not path.is_absolute() or ".." in path.parts:
        raise SandboxError(f"`{text}` cannot be used in a sandbox profile: not an absolute path. Use the full path.")
    if any(ord(sign) < 32 or ord(sign) == 127 for sign in text):
        raise SandboxError(f"`{text!r}` cannot be used in a sandbox profile: it holds a control character. Rename it.")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


class MacBackend:
    """Runs each job in a fresh process under `sandbox-exec`; refuses on any other system."""

    def __init__(self, interpreter: Interpreter | None = None, scratch_root: Path | None = None) -> None:
        self._interpreter = interpreter or Interpreter.current()
        self._scratch_root = scratch_root

    @property
    def name(self) -> str:
        """Return `sandbox-exec`."""
        return "sandbox-exec"

    @property
    def level(self) -> Level:
        """Return level 3: one mechanism of the system, without a second one behind it."""
        return Level.CONTAINER

    def missing(self) -> str | None:
        """Return why it cannot be used here."""
        if sys.platform != "darwin":
            return f"`sandbox-exec` is a program of macOS, and this is `{sys.platform}`"
        return None if os.access(PROGRAM, os.X_OK) else f"`{PROGRAM}` is not there; this macOS has no `sandbox-exec`"

    def facts(self) -> dict[str, str]:
        """Return what confines a job, and that nobody has tried it."""
        return {
            "files": "a profile that allows the listed paths and one scratch folder",
            "network": "none: every operation on the network is denied",
            "processes": "none can be started",
            "not covered": f"{UNTESTED}; native code can run inside the process",
        }

    def warm(self) -> None:
        """Start nothing: there is no process that could wait."""

    def close(self) -> None:
        """End nothing."""

    def run(self, job: Job, policy: Policy, cancel: Cancellation | None = None) -> Run:
        """Run a job to its end in a fresh process; raises `SandboxError` off macOS, and for data that is not there."""
        missing = self.missing()
        if missing is not None:
            raise SandboxError(f"The macOS sandbox cannot run a job: {missing}. Nothing was run.")
        package = resolved(job.package)
        granted = replace(policy, read=granted_paths(policy))
        with scratch_folder(self._scratch_root, None) as scratch:
            arguments = self.arguments(self.profile(package, granted, scratch))
            ending = self.launched(arguments, job, package, granted, scratch, cancel or Cancellation())
            left = collected_in(scratch, policy.limits) if policy.keeps_files else Collected()
        received = read_answers(ending.result, len(job.calls))
        outcome, reason = judge(ending, received, policy.limits)
        return Run(
            outcome=outcome,
            answers=received.answers,
            stdout=ending.stdout.decode("utf-8", "replace"),
            stderr=ending.stderr.decode("utf-8", "replace"),
            usage=Usage(
                ending.wall_seconds,
                ending.cpu_seconds,
                ending.peak_memory_bytes,
                rows=rows_received(answer.table for answer in received.answers),
            ),
            level=self.level,
            reason=reason,
            artifacts=left.artifacts,
            left_out=left.left_out,
        )

    def launched(
        self,
        arguments: tuple[str, ...],
        job: Job,
        package: Path,
        policy: Policy,
        scratch: Path,
        cancellation: Cancellation,
    ) -> Ending:
        """Start the process of a job, give it its work, and watch it to its end."""

        def document(result: int) -> bytes:
            work = work_of(job, str(package), policy, self._interpreter.imports)._asdict()
            bounds = resource_limits(policy.limits)
            return json.dumps({"work": work, "limits": bounds, "scratch": str(scratch), "result": result}).encode()

        environment = {**_ENVIRONMENT, "HOME": str(scratch), "TMPDIR": str(scratch)}
        return launched(arguments, document, environment, scratch, policy.limits, cancellation)

    def profile(self, package: Path, policy: Policy, scratch: Path) -> Profile:
        """Return what a job may do, as a value."""
        own = Path(__file__).resolve().parent.parent
        return Profile(
            read=(*self._interpreter.reads, own, package, *policy.read),
            execute=tuple(dict.fromkeys((self._interpreter.executable, self._interpreter.executable.resolve()))),
            scratch=scratch,
        )

    def arguments(self, profile: Profile) -> tuple[str, ...]:
        """Return the whole argument list of a job."""
        return (str(PROGRAM), "-p", profile_text(profile), *self.worker())

    def worker(self) -> tuple[str, ...]:
        """Return the argument list of the process that runs a job, without what confines it."""
        flags = ("-I", "-S", "-B", "-X", "utf8", "-c", _START)
        return (str(self._interpreter.executable), *flags, str(Path(__file__).resolve().parent.parent))


def resource_limits(limits: Limits) -> dict[str, list[int]]:
    """Return the resource limits of a job by their names."""
    memory = limits.memory_mb * _MEGABYTE
    return {
        "RLIMIT_AS": [memory, memory],
        "RLIMIT_CPU": [limits.cpu_seconds, limits.cpu_seconds + 1],
        "RLIMIT_FSIZE": [limits.scratch_bytes, limits.scratch_bytes],
        "RLIMIT_NOFILE": [limits.open_files, limits.open_files],
        "RLIMIT_CORE": [0, 0],
    }


def _rule(head: str, filters: Iterable[str]) -> tuple[str, ...]:
    listed = list(dict.fromkeys(filters))
    return (f"({head}\n  " + "\n  ".join(listed) + ")",) if listed else ()


def _below(path: Path) -> str:
    return f"(subpath {quoted(path)})"


def _exactly(path: Path) -> str:
    return f"(literal {quoted(path)})"
