"""Judges whether an engine bounds what it runs: by what it says of itself, and by what a container sees of its bounds.

An engine without rights of its own may accept every bound and apply none, silently; so it is not believed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from jupyter_mcpgen.sandbox.docker.policy import ContainerLimits

PROBE_LIMITS = ContainerLimits(
    wall_seconds=20, memory_mb=48, cpu_cores=0.5, tasks=24, scratch_mb=8, output_bytes=16_384
)

_FILES = {
    "memory": ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"),
    "pids": ("/sys/fs/cgroup/pids.max", "/sys/fs/cgroup/pids/pids.max"),
    "cpu": ("/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/cpu/cpu.cfs_quota_us"),
}
_READ = "\n".join(
    f'for f in {" ".join(places)}; do if [ -r "$f" ]; then read -r v <"$f"; echo "{name} $v"; break; fi; done'
    for name, places in _FILES.items()
)
# Only what every shell has: small images hold little else.
PROBE = f"""
{_READ}
while read -r name value rest; do
  case "$name" in Uid:|CapEff:|CapBnd:|NoNewPrivs:|Seccomp:) echo "$name $value";; esac
done </proc/self/status
if (: >/mcpgen-probe) 2>/dev/null; then echo "root writable"; else echo "root closed"; fi
if (: >"$HOME/probe"); then echo "work writable"; else echo "work closed"; fi
interfaces=
while IFS=: read -r name rest; do
  case "$rest" in *[0-9]*) interfaces="$interfaces$name";; esac
done </proc/net/dev
echo "net" $interfaces
"""

_MEGABYTE = 1024 * 1024
_TASKS = str(PROBE_LIMITS.tasks)


def refused_engine(info: Mapping[str, Any]) -> str | None:
    """Return why an engine that describes itself so cannot be used, or `None` when a container may be tried."""
    options = " ".join(info.get("SecurityOptions") or ())
    rootless = "rootless" in options
    if info.get("OSType", "linux") != "linux":
        return f"the engine runs `{info['OSType']}` containers, and only Linux ones can be bounded here; switch it over"
    if rootless and str(info.get("CgroupVersion", "1")) == "1":
        return (
            "the engine runs without root on control groups version 1, where it ignores every bound of memory; "
            "run it as root, or boot with control groups version 2"
        )
    bounds = {"memory": "MemoryLimit", "processes": "PidsLimit", "processor time": "CpuCfsQuota"}
    unbounded = [what for what, key in bounds.items() if info.get(key) is False]
    if unbounded:
        return f"the engine says that it cannot bound {' and '.join(unbounded)}; delegate these control groups to it"
    if "seccomp" not in options or "profile=unconfined" in options:
        return "the engine filters no system calls; start it with its default seccomp profile"
    return None


@dataclass(frozen=True)
class Promise:
    """One bound of a container, whether it holds, and what was seen of it."""

    name: str
    meaning: str
    holds: bool
    seen: str


def promises(told: str) -> tuple[Promise, ...]:
    """Return what a probe's container found of each of its bounds."""
    seen = {name: rest.strip() for name, _, rest in (line.partition(" ") for line in told.splitlines())}
    memory = str(PROBE_LIMITS.memory_mb * _MEGABYTE)
    rows: tuple[tuple[str, str, str, Callable[[str], bool]], ...] = (
        ("bound_memory", "Memory is bounded.", "memory", lambda found: found == memory),
        ("bound_processes", "The number of processes is bounded.", "pids", lambda found: found == _TASKS),
        ("bound_processor", "Processor time is bounded.", "cpu", _is_half),
        ("not_root", "It does not run as root.", "Uid:", lambda found: found.isdigit() and found != "0"),
        ("no_capability", "It has no capability.", "CapEff:", _is_zero),
        ("no_capability_to_gain", "It can be given no capability.", "CapBnd:", _is_zero),
        ("no_new_privileges", "It cannot gain privileges.", "NoNewPrivs:", lambda found: found == "1"),
        ("filtered_system_calls", "Its system calls are filtered.", "Seccomp:", lambda found: found == "2"),
        ("closed_root", "Its root folder cannot be written.", "root", lambda found: found == "closed"),
        ("own_folder", "Its own folder can be written.", "work", lambda found: found == "writable"),
        ("no_network", "It has no network but its own loopback.", "net", lambda found: found == "lo"),
    )
    found = ((name, meaning, seen.get(key, "not told"), holds) for name, meaning, key, holds in rows)
    return tuple(Promise(name, meaning, holds(value), value) for name, meaning, value, holds in found)


def broken_promises(told: str) -> tuple[str, ...]:
    """Return the bounds that a probe's container found not to hold; empty when all of them do."""
    return tuple(f"`{one.name}` is `{one.seen}`" for one in promises(told) if not one.holds)


def _is_half(quota: str) -> bool:
    used, _, period = quota.partition(" ")
    return used.isdigit() and int(used) * 2 == int(period or 100_000)


def _is_zero(mask: str) -> bool:
    return mask != "" and mask.strip("0") == ""
