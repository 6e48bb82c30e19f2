"""What is told of a run's use and of the files that it changed is no word of the run, however it dresses."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, available, find_toolchain
from jupyter_mcpgen.sandbox.programs.program import Program
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from jupyter_mcpgen.tools.offer import Caller
from jupyter_mcpgen.tools.running import Runner, Wanted

needs_compiler = pytest.mark.skipif(available()["c"] is not None, reason=str(available()["c"]))
# Waits for a command line in a file, takes it on, and works and holds memory under that name until it is ended.
DISGUISED = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char line[65536], *words[64], *marked[] = {"DISGUISED=1", NULL};
int main(int count, char **arguments) {
  if (getenv("DISGUISED")) {
    char *held = malloc(200 << 20);
    memset(held, 1, 200 << 20);
    for (volatile unsigned long n = 0;; n++) held[n % (200 << 20)]++;
  }
  FILE *given;
  while (!(given = fopen("command", "r"))) usleep(1000);
  size_t size = fread(line, 1, sizeof line, given);
  int at = 0;
  for (size_t n = 0; n < size; n += strlen(line + n) + 1) words[at++] = line + n;
  words[at] = NULL;
  execve(arguments[0], words, marked);
  return 1;
}
"""


@needs_compiler
@pytest.mark.parametrize("disguised", [True, False], ids=["disguised", "control"])
def test_a_program_that_takes_the_command_line_of_its_supervisor_is_counted_all_the_same(
    layers: frozenset[Layer], tmp_path: Path, *, disguised: bool
) -> None:
    sandbox = ProgramSandbox(layers=layers)
    toolchain = find_toolchain(LANGUAGES["c"])
    user = sandbox.identity(toolchain.run).user
    with sandbox.scratch(user) as scratch:
        (tmp_path / "main.c").write_text(DISGUISED, encoding="utf-8")
        subprocess.run([toolchain.tools["gcc"], "-o", scratch / "program", tmp_path / "main.c"], check=True)
        (scratch / "program").chmod(0o755)
        program = Program(
            (str(scratch / "program"),), scratch, {}, toolchain.read, toolchain.run, links=toolchain.links
        )
        with sandbox.start(program, scratch, user) as running:
            until = time.monotonic() + 30
            while not running._collector.has_begun and time.monotonic() < until:
                running.ask({}, 0.05)
            supervisor = psutil.Process(running._supervisor.pid)
            command = supervisor.cmdline() if disguised else ["program"]
            (scratch / "written").write_bytes(b"".join(word.encode() + b"\0" for word in command))
            (scratch / "written").chmod(0o644)
            os.rename(scratch / "written", scratch / "command")
            while running.used()[1] < 200 << 20 and time.monotonic() < until:
                running.ask({}, 0.05)  # whoever looks listens as well
            seconds, held = running.used()
            names = [one.cmdline() for one in supervisor.children(recursive=True)]

    assert command in names
    assert (held > 200 << 20, seconds > 0) == (True, True)


SWAP = """
import os
facts = os.stat("table.csv")
os.rename("table.csv", "old")
os.rename("other", "table.csv")
os.rename("old", "other")
assert os.stat("table.csv").st_mtime_ns == facts.st_mtime_ns
"""


def test_a_file_that_is_swapped_for_one_of_the_same_size_and_time_has_changed(
    layers: frozenset[Layer], tmp_path: Path
) -> None:
    executor = Executor(sandbox=ProgramSandbox(layers=layers), pages=Pages(tmp_path / "pages"))
    runner = Runner(executor, Sessions(executor))
    caller = Caller("me", Cancellation())
    try:
        session = runner.sessions.create("me").session_id
        for name, content in (("table.csv", b"1,2"), ("other", b"6,6"), ("left", b"5,5")):
            runner.sessions.write_file("me", session, name, content)
        folder = runner.sessions._sessions["me", session].workspace.folder
        for path in folder.iterdir():
            os.utime(path, (1_700_000_000, 1_700_000_000))

        done = runner.run(Wanted(None, SWAP, session_id=session), caller)

        assert runner.sessions.read_file("me", session, "table.csv") == b"6,6"
    finally:
        runner.sessions.close()

    assert done.execution.error_message is None
    assert [(one.path, one.change) for one in done.files_changed] == [("other", "modified"), ("table.csv", "modified")]
