"""Levels, and the way from a policy to what is enforced."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.inside.confinement import Confinement, Preparation
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES, Layer
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend, _free_name
from jupyter_mcpgen.sandbox.policy import Level, Limits, Policy


@pytest.mark.parametrize(
    ("level", "satisfied"),
    [
        (Level.UNCONFINED, {Level.UNCONFINED}),
        (Level.NAMESPACES, set(Level)),
        (Level.LANDLOCK, set(Level) - {Level.NAMESPACES}),
        (Level.CONTAINER, {Level.UNCONFINED, Level.CONTAINER}),
    ],
)
def test_a_level_satisfies_what_is_weaker_or_equal(level: Level, satisfied: set[Level]) -> None:
    assert {minimum for minimum in Level if level.satisfies(minimum)} == satisfied


@pytest.mark.parametrize(
    ("layers", "level"),
    [
        (frozenset(Layer), Level.NAMESPACES),
        (frozenset({Layer.LANDLOCK, Layer.SECCOMP}), Level.LANDLOCK),
        (frozenset({Layer.NAMESPACES, Layer.SECCOMP}), Level.UNCONFINED),
        (frozenset({Layer.NAMESPACES, Layer.LANDLOCK}), Level.UNCONFINED),
        (frozenset({Layer.LANDLOCK}), Level.UNCONFINED),
        (frozenset({Layer.SECCOMP}), Level.UNCONFINED),
        (frozenset(), Level.UNCONFINED),
    ],
)
def test_a_level_is_given_for_all_layers_or_for_none(layers: frozenset[Layer], level: Level) -> None:
    assert ProcessBackend(layers=layers).level is level


def test_a_policy_becomes_exactly_this_confinement(tmp_path: Path) -> None:
    package, data, link, scratch = (tmp_path / name for name in ("package", "data.csv", "link.csv", "scratch"))
    package.mkdir()
    data.touch()
    link.symlink_to(data)
    python = Interpreter(Path("/python"), (), (Path("/python/lib"),))
    backend = ProcessBackend(layers=WITHOUT_NAMESPACES, interpreter=python)
    limits = Limits(1.5, 2, 300, 1000, 20, 7, 10, 10)

    confinement = backend.confinement(package, Policy((link,), limits), scratch, 4_000_000)

    assert confinement == Confinement(
        scratch=str(scratch),
        read=("/python/lib", str(package), str(data.resolve())),
        devices=("/dev/null", "/dev/random", "/dev/urandom"),
        wall_seconds=1.5,
        memory_bytes=300 * 2**20,
        cpu_seconds=2,
        file_bytes=1000,
        open_files=20,
        processes=7,  # a user without any process adds none
        identity=4_000_000,
        landlock=True,
        seccomp=True,
        scratch_entries=10_000,
    )


def test_in_namespaces_a_policy_names_the_links_and_only_the_job_is_counted(tmp_path: Path) -> None:
    data, link = tmp_path / "data.csv", tmp_path / "link.csv"
    data.touch()
    link.symlink_to("data.csv")
    python = Interpreter(Path("/python"), (), (Path("/python/lib"), Path("/sys/fs/cgroup/memory/memory.limit")))
    backend = ProcessBackend(layers=ALL_LAYERS, interpreter=python)

    confinement = backend.confinement(tmp_path, Policy((link,)), Path("/scratch"), None)
    preparation = backend.preparation(61_184)

    assert confinement.links == ((str(link), "data.csv"),)
    assert confinement.read == ("/python/lib", str(tmp_path), str(data))
    assert (confinement.namespaces, confinement.scratch) == (True, "/scratch")
    assert preparation == Preparation(
        read=("/python/lib",),
        devices=("/dev/null", "/dev/random", "/dev/urandom"),
        landlock=True,
        seccomp=True,
        namespaces=True,
        identity=61_184,
        links=(),
    )


def test_scratch_has_a_name_that_nothing_else_has() -> None:
    taken = (Path("/scratch/user/python/lib"), Path("/data"), Path("/scratch-2"))

    assert (_free_name(()), _free_name(taken)) == (Path("/scratch"), Path("/scratch-3"))


@pytest.mark.parametrize("path", ["/", "/proc/self"])
def test_no_tool_is_given_everything_or_the_processes(tmp_path: Path, path: str) -> None:
    backend = ProcessBackend(layers=ALL_LAYERS, interpreter=Interpreter(Path("/python"), (), ()))

    with pytest.raises(SandboxError, match="cannot be given to a tool"):
        backend.confinement(tmp_path, Policy((Path(path),)), Path("/scratch"), None)


def test_nothing_of_the_users_is_readable_unless_it_was_granted() -> None:
    reads = Interpreter.current().reads
    home = Path.home().resolve()

    assert home not in reads
    assert not any(path in (Path("/"), Path("/etc"), Path("/home"), Path("/tmp"), Path("/proc")) for path in reads)
