"""How much a run may use: the defaults, what is brought inside, and what is refused by name."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.execution.code_file import CodeFile
from jupyter_mcpgen.sandbox.execution.executor import Programs
from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits, bounds_of, clamped_seconds
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, Toolchain
from jupyter_mcpgen.sandbox.programs.program import MEGABYTE, Bounds, Program


@pytest.mark.parametrize(
    ("given", "used"),
    [(None, 30), (math.nan, 30), (0, 1), (-50, 1), (301, 300), (9999, 300), (math.inf, 300), (1, 1), (60, 60),
     (299, 299), (300, 300), (2.5, 2.5)],
)  # fmt: skip
def test_a_timeout_is_clamped(given: float | None, used: float) -> None:
    assert clamped_seconds(given) == used


def test_the_limits_have_the_defaults_that_were_promised() -> None:
    assert ExecutionLimits() == ExecutionLimits(
        time_seconds=30, memory_mb=256, cpu_cores=0.5, output_characters=100_000
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("time_seconds", 0), ("time_seconds", -1), ("time_seconds", 301), ("time_seconds", math.nan),
        ("memory_mb", 0), ("memory_mb", -5), ("cpu_cores", 0), ("cpu_cores", -1), ("cpu_cores", 4.1),
        ("output_characters", 999),
    ],
)  # fmt: skip
def test_a_limit_that_makes_no_sense_is_refused_by_name(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"`{name}`"):
        ExecutionLimits(**{name: value})  # type: ignore[arg-type]  # each field in turn


def test_a_runtime_that_maps_much_gets_room_to_map() -> None:
    limits = ExecutionLimits(memory_mb=512)

    assert {name: bounds_of(LANGUAGES[name], limits).address_bytes // MEGABYTE for name in LANGUAGES} == {
        "bash": 512, "c": 512, "cpp": 512, "go": 1280, "java": 1280, "javascript": 2304, "python": 2304, "rust": 512,
    }  # fmt: skip


def test_compiling_has_limits_of_its_own(tmp_path: Path) -> None:
    toolchain = Toolchain(
        LANGUAGES["rust"], {"rustc": "/opt/rustc", "cc": "/opt/cc"}, (Path("/etc/x"),), (Path("/opt"),)
    )
    files = CodeFile(tmp_path, tmp_path / "main.rs", None)
    programs = Programs(toolchain, files, tmp_path)

    assert programs.compiler().bounds == Bounds(
        wall_seconds=60, cpu_seconds=120, memory_bytes=1024 * MEGABYTE, address_bytes=4096 * MEGABYTE,
        scratch_bytes=512 * MEGABYTE,
    )  # fmt: skip
    assert programs.program(ExecutionLimits(time_seconds=2)) == Program(
        arguments=(f"{tmp_path}/program",),
        folder=tmp_path,
        environment={
            "HOME": str(tmp_path), "TMPDIR": str(tmp_path), "LANG": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin",
        },
        read=(Path("/etc/x"),),
        run=(Path("/opt"),),
        bounds=Bounds(
            wall_seconds=2, cpu_seconds=1, memory_bytes=256 * MEGABYTE, address_bytes=256 * MEGABYTE,
        ),
    )  # fmt: skip
