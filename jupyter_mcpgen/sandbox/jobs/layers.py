"""The parts that a confinement is made of, which level they make, and what is said where one cannot be had."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from jupyter_mcpgen.sandbox.jobs.launch import NOT_BEGUN, SEE_DOCTOR
from jupyter_mcpgen.sandbox.policy import Level

_NOT_INSIDE = (Path("/sys/fs/cgroup"),)
_ALLOW = (
    "allow user namespaces, by `sysctl user.max_user_namespaces`, on Ubuntu by an AppArmor profile, "
    "in a container by its seccomp profile"
)
_NO_PROCESSES = "fsmount"
_UNMASK = (
    "a program needs a `/proc` of its own, and the kernel gives one only where nothing covers a part of the one there "
    "is: start the container with `--security-opt systempaths=unconfined`, or leave programs at level 2"
)


class Layer(StrEnum):
    """A part of the confinement; one alone holds nothing, so a level is only ever given for all of them."""

    NAMESPACES = "namespaces"
    LANDLOCK = "landlock"
    SECCOMP = "seccomp"


ALL_LAYERS = frozenset(Layer)
"""Level 1."""
WITHOUT_NAMESPACES = ALL_LAYERS - {Layer.NAMESPACES}
"""Level 2."""


def level_of(layers: frozenset[Layer]) -> Level:
    """Return level 1 for every layer, level 2 for all but the namespaces, and level 0 with any other missing."""
    named = {ALL_LAYERS: Level.NAMESPACES, WITHOUT_NAMESPACES: Level.LANDLOCK}
    return named.get(layers, Level.UNCONFINED)


def is_left_out(path: Path) -> bool:
    """Return whether a path of an installation is not put into a root of its own: it is about the machine."""
    return any(map(path.is_relative_to, _NOT_INSIDE))


def tried(what: str, told: str) -> str:
    """Return why something is not run in namespaces, after it was tried, and the cure."""
    told = told.removeprefix(NOT_BEGUN).removesuffix(SEE_DOCTOR)
    cure = _UNMASK if _NO_PROCESSES in told else _ALLOW
    return f"because {what} in namespaces of its own was tried and failed (`{told}`); {cure}"
