"""Memory and disk are bounded in every language, over all processes of a program together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.execution.record import Execution, Reason, Status
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.security.languages.hostile_programs import (
    EACH_LANGUAGE,
    ROOMY,
    STRONGEST,
    executor,
    needs_compiler,
    needs_programs,
)

pytestmark = [needs_programs, pytest.mark.every_run(layers=["level 1"])]
MEMORY_BOMBS = {
    "bash": "x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done",
    "c": "#include <stdlib.h>\n#include <string.h>\n"
    "int main(void) { for (;;) { char *p = malloc(1 << 24); if (!p) abort(); memset(p, 1, 1 << 24); } }",
    "cpp": "#include <vector>\nint main() { std::vector<std::vector<char>> v; for (;;) v.emplace_back(1 << 24, 'x'); }",
    "go": "package main\nfunc main() { var v [][]byte; for { b := make([]byte, 1<<24); for i := range b { b[i] = 1 };"
    " v = append(v, b) } }",
    "java": "import java.util.*; public class Bomb { public static void main(String[] a) {"
    " List<byte[]> v = new ArrayList<>(); while (true) v.add(new byte[1 << 20]); } }",
    "javascript": "const v = []; for (;;) v.push(new Array(1 << 16).fill(0.5));",
    "python": "v = []\nwhile True: v.append(b'x' * 2**24)",
    "rust": "fn main() { let mut v: Vec<Vec<u8>> = vec![]; loop { v.push(vec![1; 1 << 24]); } }",
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_memory_is_bounded_in_every_language(tmp_path: Path, language: str) -> None:
    run = executor(tmp_path, STRONGEST, kind=ProgramSandbox).execute(language, MEMORY_BOMBS[language], limits=ROOMY)

    assert (run.status, run.reason) == (Status.ERROR, Reason.MEMORY_EXCEEDED)
    assert run.peak_memory_bytes < 2 * 1024**3


@needs_compiler
def test_memory_is_bounded_over_all_processes_together(execute: Callable[..., Execution]) -> None:
    code = """
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  for (int n = 0; n < 16; n++) if (fork() == 0) {
    volatile char *p = malloc(100 << 20);
    for (int at = 0; at < 100 << 20; at += 4096) p[at] = 1;
    for (;;) pause();
  }
  for (;;) pause();
}
"""

    run = execute("c", code, timeout=30)

    assert (run.status, run.reason) == (Status.ERROR, Reason.MEMORY_EXCEEDED)
    assert run.error_message == "The program was stopped: it held more than its 256 MB of memory."


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("code", "reasons"),
    [
        ("dd if=/dev/urandom of=big bs=1M count=400", {Reason.RUNTIME_ERROR, Reason.SCRATCH_EXCEEDED}),
        ("for n in $(seq 40); do dd if=/dev/urandom of=f$n bs=1M count=16; done; sleep 600", {Reason.SCRATCH_EXCEEDED}),
    ],
)  # fmt: skip
def test_the_disk_is_bounded(execute: Callable[..., Execution], code: str, reasons: set[Reason]) -> None:
    assert execute("bash", code, limits=ROOMY).reason in reasons
