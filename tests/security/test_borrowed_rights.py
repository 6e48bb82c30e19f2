"""No file that hostile code makes is run with the rights of its owner, on any disk: the person's, or root's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.job import Call, Job
from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Limits, Policy
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox

NO_LAYERS: frozenset[Layer] = frozenset()
# Where modes cannot be changed at all, a change to an ordinary one is refused as well.
CODE = """
import json, os
def made(name, attempt):
    said = "done"
    try: attempt()
    except PermissionError: said = "refused"
    there = os.path.exists(name) and bool(os.stat(name).st_mode & 0o6000)
    return f"{said}, and there is one" if there else f"{said}, and there is none"
def tool():
    os.umask(0)
    for name in ("plain", "later"): os.close(os.open(name, os.O_CREAT | os.O_WRONLY, 0o755))
    return json.dumps({
        "by its owner": made("user", lambda: os.open("user", os.O_CREAT | os.O_WRONLY, 0o4755)),
        "by its group": made("group", lambda: os.open("group", os.O_CREAT | os.O_WRONLY, 0o2755)),
        "afterwards": made("later", lambda: os.chmod("later", 0o4755)),
        "an ordinary one": os.path.exists("plain"),
    })
"""
ATTEMPTS = ("by its owner", "by its group", "afterwards")
NONE = {**dict.fromkeys(ATTEMPTS, "refused, and there is none"), "an ordinary one": True}
ALL = {**dict.fromkeys(ATTEMPTS, "done, and there is one"), "an ordinary one": True}


@pytest.mark.parametrize("confined", [True, False], ids=["confined", "control"])
def test_a_program_makes_none(layers: frozenset[Layer], tmp_path: Path, *, confined: bool) -> None:
    executor = Executor(sandbox=ProgramSandbox(layers=layers if confined else NO_LAYERS), pages=Pages(tmp_path))

    run = executor.execute("python", f"{CODE}\nprint(tool())")

    assert json.loads(run.stdout) == (NONE if confined else ALL)


@pytest.mark.parametrize("confined", [True, False], ids=["confined", "control"])
def test_a_job_makes_none(layers: frozenset[Layer], tmp_path: Path, *, confined: bool) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "tool.py").write_text(CODE, encoding="utf-8")
    backend = ProcessBackend(layers=layers if confined else NO_LAYERS, spares=0)

    run = backend.run(Job(tmp_path, "tool", (Call({}),)), Policy(limits=Limits(memory_mb=1024)))

    assert json.loads(run.answers[0].text or "") == (NONE if confined else ALL)
