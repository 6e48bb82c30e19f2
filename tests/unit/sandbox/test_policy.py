"""Levels, and the way from a policy to what is enforced."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.confinement import Confinement
from jupyter_mcpgen.sandbox.interpreter import Interpreter
from jupyter_mcpgen.sandbox.policy import Level, Limits, Policy
from jupyter_mcpgen.sandbox.process_backend import Layer, ProcessBackend


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
        (frozenset(Layer), Level.LANDLOCK),
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
    backend = ProcessBackend(interpreter=Interpreter(Path("/python"), (), (Path("/python/lib"),)))
    limits = Limits(1.5, 2, 300, 1000, 20, 7, 10, 10)

    confinement = backend.confinement(package, Policy((link,), limits), scratch, 4_000_000)

    assert confinement == Confinement(
        scratch=str(scratch),
        read=("/python/lib", str(package), str(data.resolve())),
        devices=("/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"),
        wall_seconds=1.5,
        memory_bytes=300 * 2**20,
        cpu_seconds=2,
        file_bytes=1000,
        open_files=20,
        processes=7,  # a user without any process adds none
        identity=4_000_000,
        landlock=True,
        seccomp=True,
    )


def test_nothing_of_the_users_is_readable_unless_it_was_granted() -> None:
    reads = Interpreter.current().reads
    home = Path.home().resolve()

    assert home not in reads
    assert not any(path in (Path("/"), Path("/etc"), Path("/home"), Path("/tmp"), Path("/proc")) for path in reads)
