"""What is enforced on a program, as a value, at each level."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.inside.confinement import Confinement
from jupyter_mcpgen.sandbox.inside.program_init import _outermost
from jupyter_mcpgen.sandbox.jobs.layers import ALL_LAYERS, WITHOUT_NAMESPACES, Layer, tried
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.programs.program import MEGABYTE, Bounds, Program
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.service import BackendKind, layers_named
from tests.levels import require

BOUNDS = Bounds(1.5, 2, 3 * MEGABYTE, 4 * MEGABYTE, 5 * MEGABYTE, 6, 7, 8)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Give a program of a toolchain that lies nowhere near the folder for temporary files."""
    return Program(
        arguments=("/usr/bin/env",),
        folder=tmp_path,
        environment={},
        read=(Path("/etc"), Path("/sys/fs/cgroup"), tmp_path / "nowhere"),
        run=(Path("/usr"),),
        work=(tmp_path,),
        links=(("/bin", "usr/bin"),),
        bounds=BOUNDS,
    )


def enforced(layers: frozenset[Layer], program: Program) -> Confinement:
    return ProgramSandbox(layers=layers).confinement(program, Path("/scratch"), 61_200)


def test_at_level_1_a_program_has_a_root_of_its_own(program: Program, tmp_path: Path) -> None:
    found = enforced(ALL_LAYERS, program)

    assert found._replace(devices=(), processes=0) == Confinement(
        scratch="/scratch",
        read=("/etc",),
        devices=(),
        wall_seconds=1.5,
        memory_bytes=4 * MEGABYTE,
        cpu_seconds=2,
        file_bytes=5 * MEGABYTE,
        open_files=7,
        processes=0,
        identity=61_200,
        landlock=True,
        seccomp=True,
        run=("/usr",),
        work=(str(tmp_path.resolve()),),
        starts_programs=True,
        namespaces=True,
        links=(("/bin", "usr/bin"),),
        temporary="/tmp",
    )


def test_at_level_2_it_has_the_hosts_root_and_the_limits_of_its_container(program: Program) -> None:
    inside, outside = (enforced(layers, program) for layers in (ALL_LAYERS, WITHOUT_NAMESPACES))

    assert outside._replace(read=(), processes=0) == inside._replace(
        read=(), processes=0, namespaces=False, links=(), temporary=None
    )
    assert set(inside.read) <= set(outside.read)


@pytest.mark.parametrize("granted", ["read", "run"])
def test_the_folder_for_temporary_files_is_nobodys_when_data_lies_in_it(program: Program, granted: str) -> None:
    reading = Program(**{**vars(program), granted: (Path("/tmp"),)})

    assert enforced(ALL_LAYERS, reading).temporary is None


@pytest.mark.parametrize(
    ("layers", "level"),
    [
        (ALL_LAYERS, Level.NAMESPACES),
        (WITHOUT_NAMESPACES, Level.LANDLOCK),
        (ALL_LAYERS - {Layer.LANDLOCK}, Level.UNCONFINED),
        (ALL_LAYERS - {Layer.SECCOMP}, Level.UNCONFINED),
        (frozenset(), Level.UNCONFINED),
    ],
)
def test_a_level_is_given_for_all_walls_or_for_none(layers: frozenset[Layer], level: Level) -> None:
    assert ProgramSandbox(layers=layers).level is level


def test_what_was_asked_for_by_name_is_not_told_as_a_weakness() -> None:
    assert ProgramSandbox(layers=WITHOUT_NAMESPACES).weakened is None


def test_less_than_is_demanded_is_refused() -> None:
    sandbox = ProgramSandbox(layers=WITHOUT_NAMESPACES)
    require(sandbox.missing())

    assert replace(sandbox, minimum=Level.LANDLOCK).missing() is None
    assert replace(sandbox, minimum=Level.NAMESPACES).missing() == (
        "programs are confined at level 2, and level 1 is demanded"
    )


@pytest.mark.parametrize(
    ("kind", "layers"),
    [
        (BackendKind.AUTO, None),
        (BackendKind.PROCESS, None),
        (BackendKind.CONTAINER, None),
        (BackendKind.NAMESPACES, ALL_LAYERS),
        (BackendKind.LANDLOCK, WITHOUT_NAMESPACES),
    ],
)
def test_a_level_that_a_person_named_holds_for_programs_too(kind: BackendKind, layers: frozenset[Layer] | None) -> None:
    assert layers_named(kind) == layers


def test_the_cure_fits_what_failed() -> None:
    assert "systempaths=unconfined" in tried("a program", "PermissionError: Operation not permitted (fsmount)")
    assert "user.max_user_namespaces" in tried("a program", "OSError: No space left on device (unshare)")


def test_what_lies_inside_another_path_is_brought_along_by_it() -> None:
    assert _outermost(("/usr/lib", "/opt", "/usr", "/usr-local", "/usr/lib/x", "/opt")) == [
        "/opt",
        "/usr",
        "/usr-local",
    ]
