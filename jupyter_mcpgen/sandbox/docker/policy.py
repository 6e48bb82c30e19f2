"""What a container may do, as a value, and that value in the words of the engine; nothing here talks to an engine.

Closed by default: no network, no capability, no new privileges, nothing writable but two folders in memory, a user
without rights, and a bound on everything that can be counted. What an image asks for itself is overruled.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from jupyter_mcpgen.sandbox.inside.confinement import NO_CORE_BYTES

CODE, WORK, TEMPORARY = "/sandbox/code", "/sandbox/work", "/tmp"  # noqa: S108  # inside the container
LABEL = "jupyter-mcpgen.sandbox"
UNTIL_LABEL = "jupyter-mcpgen.until"
NOBODY = "65534:65534"

_MEGABYTE = 1024 * 1024
_TEMPORARY_BYTES = 64 * _MEGABYTE
_SHARED_MEMORY_BYTES = 16 * _MEGABYTE
_TASKS_OF_A_USER = 4_096  # counted over all containers of a user; those of one are bounded by `PidsLimit`
_BILLION = 1_000_000_000
_SIZES = {"": 1, "b": 1, "k": 1024, "m": _MEGABYTE, "g": 1024 * _MEGABYTE}
_SIZE = re.compile(r"(\d{1,12})([bkmg]?)b?", re.IGNORECASE)
_LEAST_MEMORY_BYTES = 6 * _MEGABYTE
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
_MOST_VARIABLES, _LONGEST_VALUE = 100, 32_768
_OURS = frozenset({"PATH", "HOME", "TMPDIR", "BASH_ENV", "ENV", "IFS", "SHELLOPTS", "BASHOPTS"})
_LOADERS = ("LD_", "DYLD_", "BASH_FUNC_")
_NOT_OVER = tuple(map(PurePosixPath, ("/sandbox", TEMPORARY, "/proc", "/sys", "/dev", "/etc", "/bin", "/lib", "/usr")))

# `timeout` ends the program even when nobody is left who would end the container; not every image has it.
_START = 'if command -v timeout >/dev/null 2>&1; then exec timeout -s KILL "$0" "$@"; else exec "$@"; fi'


@dataclass(frozen=True)
class ContainerLimits:
    """What one container may use; refuses values that make no sense, naming the field."""

    wall_seconds: float = 30.0
    memory_mb: int = 256
    cpu_cores: float = 1.0
    tasks: int = 128
    open_files: int = 256
    scratch_mb: int = 256
    output_bytes: int = 16 * _MEGABYTE

    def __post_init__(self) -> None:
        _require("memory_mb", self.memory_mb, self.memory_mb * _MEGABYTE >= _LEAST_MEMORY_BYTES, "at least 6")
        _require("cpu_cores", self.cpu_cores, 0 < self.cpu_cores <= 64, "more than 0 and at most 64")
        _require("wall_seconds", self.wall_seconds, self.wall_seconds > 0, "more than 0")
        _require("tasks", self.tasks, self.tasks > 0, "more than 0")
        _require("output_bytes", self.output_bytes, self.output_bytes > 0, "more than 0")


@dataclass(frozen=True)
class ContainerPolicy:
    """Everything about one container: what it starts, what it sees, what it may use.

    `volumes` are the folders that the image wants on a disk; they are in memory here, so that their size is bounded.
    """

    image: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    stdin: PurePosixPath | None = None
    read: tuple[Path, ...] = ()
    network: bool = False
    user: str = NOBODY
    limits: ContainerLimits = field(default_factory=ContainerLimits)
    volumes: tuple[str, ...] = ()


def engine_request(policy: ContainerPolicy, until: int) -> dict[str, Any]:
    """Return the request that makes the container; `until` is the time after which anybody of ours may remove it."""
    limits = policy.limits
    return {
        "Image": policy.image,
        "Entrypoint": list(started(policy)),
        "Cmd": [],
        "Env": [f"{name}={value}" for name, value in sorted(_environment(policy).items())],
        "User": policy.user,
        "WorkingDir": "/",  # a working folder would be made by root first, and the mount would take its mode over
        "Hostname": "sandbox",
        "Labels": {LABEL: "1", UNTIL_LABEL: str(until)},
        "Volumes": {CODE: {}},
        "Healthcheck": {"Test": ["NONE"]},
        "NetworkDisabled": not policy.network,
        "AttachStdin": False,
        "AttachStdout": True,
        "AttachStderr": True,
        "OpenStdin": False,
        "Tty": False,
        "StopSignal": "SIGKILL",
        "HostConfig": {
            "NetworkMode": "bridge" if policy.network else "none",
            "Memory": limits.memory_mb * _MEGABYTE,
            "MemorySwap": limits.memory_mb * _MEGABYTE,
            "NanoCpus": round(limits.cpu_cores * _BILLION),
            "PidsLimit": limits.tasks,
            "ReadonlyRootfs": True,
            "CapDrop": ["ALL"],
            "CapAdd": [],
            "Privileged": False,
            "SecurityOpt": ["no-new-privileges"],
            "IpcMode": "private",
            "ShmSize": _SHARED_MEMORY_BYTES,
            "Tmpfs": _in_memory(policy),
            "Mounts": [_bind(path) for path in policy.read],
            "Ulimits": _ulimits(limits),
            "LogConfig": {"Type": "none", "Config": {}},
            "RestartPolicy": {"Name": "no"},
            "AutoRemove": False,
        },
    }


def command_line(policy: ContainerPolicy) -> tuple[str, ...]:
    """Return the bounds of the container as a person would type them after `docker run`."""
    limits = policy.limits
    return (
        f"--network={'bridge' if policy.network else 'none'}",
        "--cap-drop=ALL",
        "--security-opt=no-new-privileges",
        f"--memory={limits.memory_mb}m",
        f"--memory-swap={limits.memory_mb}m",
        f"--cpus={limits.cpu_cores:g}",
        f"--pids-limit={limits.tasks}",
        "--read-only",
        f"--user={policy.user}",
        "--ipc=private",
        "--log-driver=none",
        *(f"--tmpfs={place}:{options}" for place, options in _in_memory(policy).items()),
        *(f"--ulimit={limit['Name']}={limit['Soft']}:{limit['Hard']}" for limit in _ulimits(limits)),
        *(f"--mount=type=bind,source={path},target={path},readonly" for path in policy.read),
        policy.image,
    )


def started(policy: ContainerPolicy) -> tuple[str, ...]:
    """Return the argument list that the container starts: the command with an end to its time, and its input."""
    seconds = f"{policy.limits.wall_seconds + 5:g}"
    given = f"exec <{shlex.quote(str(policy.stdin))}; " if policy.stdin else ""
    return ("/bin/sh", "-c", f"cd {WORK}; {given}{_START}", seconds, *policy.command)


def memory_mb(text: str) -> int:
    """Return how many megabytes a size such as `512m`, `1g` or `268435456` is; raises `ValueError` on nonsense."""
    found = _SIZE.fullmatch(text.strip())
    size = int(found[1]) * _SIZES[found[2].lower()] if found else 0
    if size < _LEAST_MEMORY_BYTES:
        raise ValueError(f"`{text}` is not a valid size of memory. Use at least `6m`, such as `256m` or `1g`.")
    return size // _MEGABYTE


def reference(image: str) -> str:
    """Return the one way to write an image's name: `docker.io/library/python:3.12` is `python:3.12`."""
    name = image.strip().removeprefix("docker.io/").removeprefix("index.docker.io/").removeprefix("library/")
    last = name.rpartition("/")[2]
    return name if "@" in last or ":" in last or not name else f"{name}:latest"


def allowed(image: str, images: Iterable[str]) -> bool:
    """Return whether an image is on a list, by name and tag; a name alone means `latest` and nothing else."""
    return bool(image.strip()) and reference(image) in {reference(known) for known in images}


def refused_variable(environment: Mapping[str, str]) -> str | None:
    """Return why these variables cannot be given to a container, or `None` when they can."""
    if len(environment) > _MOST_VARIABLES:
        return f"{len(environment)} variables are too many; {_MOST_VARIABLES} is the most"
    for name, value in environment.items():
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            return f"`{name}` is no name of a variable; use letters, digits and `_`"
        if name in _OURS or name.startswith(_LOADERS):
            return f"`{name}` is set by the sandbox and decides what is loaded; leave it out"
        if not isinstance(value, str) or "\0" in value or len(value) > _LONGEST_VALUE:
            return f"the value of `{name}` must be text of at most {_LONGEST_VALUE:,} characters without a null"
    return None


def refused_path(path: Path) -> str | None:
    """Return why a resolved path cannot appear in a container under its own name, or `None` when it can."""
    place = PurePosixPath(path)
    if not place.is_absolute() or ".." in place.parts:
        return f"`{path}` is not an absolute path"
    covered = next((own for own in _NOT_OVER if place.is_relative_to(own) or own.is_relative_to(place)), None)
    own_temporary = covered == PurePosixPath(TEMPORARY) and place != covered and place.is_relative_to(covered)
    if covered is not None and not own_temporary:  # a path below the container's empty temporary folder hides nothing
        return f"`{path}` would lie over `{covered}` of the container; put the data elsewhere"
    return None


def _environment(policy: ContainerPolicy) -> dict[str, str]:
    return {**policy.environment, "HOME": WORK, "TMPDIR": WORK}


def _in_memory(policy: ContainerPolicy) -> dict[str, str]:
    own = {
        WORK: _tmpfs(policy.limits.scratch_mb * _MEGABYTE, "exec"),
        TEMPORARY: _tmpfs(_TEMPORARY_BYTES, "noexec"),
    }
    wanted = (place for place in policy.volumes if place not in (*own, CODE))
    return {**{place: _tmpfs(_TEMPORARY_BYTES, "noexec") for place in wanted}, **own}


def _tmpfs(size: int, execution: str) -> str:
    return f"rw,{execution},nosuid,nodev,size={size},mode=1777"


def _bind(path: Path) -> dict[str, Any]:
    return {
        "Type": "bind",
        "Source": str(path),
        "Target": str(path),
        "ReadOnly": True,
        "BindOptions": {"Propagation": "rprivate"},
    }


def _ulimits(limits: ContainerLimits) -> list[dict[str, Any]]:
    # All of them: some engines fail where they would have to raise their own.
    bounds = {"nofile": limits.open_files, "nproc": _TASKS_OF_A_USER, "core": NO_CORE_BYTES}
    return [{"Name": name, "Soft": bound, "Hard": bound} for name, bound in bounds.items()]


def _require(name: str, value: float, holds: bool, wanted: str) -> None:
    if not holds:
        raise ValueError(f"`{name}` is {value:g} and must be {wanted}.")
