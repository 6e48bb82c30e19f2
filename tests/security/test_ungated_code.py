"""What the static gate refuses runs into the walls all the same: each way around a filter, with the gate left out."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest

from jupyter_mcpgen.analysis.policy import check_policy
from jupyter_mcpgen.model.validation import Severity
from jupyter_mcpgen.sandbox.job import Call, Job
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Limits, Policy
from jupyter_mcpgen.sandbox.selfcheck.decoys import Decoys, planted
from tests.levels import LEVELS, require

WAYS = {
    "E1 import": "import os",
    "E1 import by name": "from os import system\nimport os as o\nos = o",
    "E2 private module": "import random\nos = random._os",
    "E2 module of a module": "import warnings\nos = warnings.sys.modules['os']",
    "E2 modules by key": "import sys\nos = sys.modules['os']",
    "E2 importlib": "import importlib\nos = importlib.import_module('os')",
    "E2 through pandas": "import pandas\nos = pandas.io.common.os",
    "E3 map": "import random\nos = list(map(getattr, [random], ['_os']))[0]",
    "E3 partial": "import functools, random\nos = functools.partial(getattr, random)('_os')",
    "E3 attrgetter": "import operator, random\nos = operator.attrgetter('_os')(random)",
    "E4 own frame": "import sys\nos = sys._getframe().f_builtins['__import__']('os')",
    "E4 traceback": """
        try:
            1 / 0
        except ZeroDivisionError as error:
            os = error.__traceback__.tb_frame.f_builtins['__import__']('os')
    """,
    "E4 generator": "os = (x for x in []).gi_frame.f_builtins['__import__']('os')",
    "E5 subclasses": """
        found = [c for c in {}.__class__.__base__.__subclasses__() if c.__name__ == 'catch_warnings']
        os = found[0]()._module.sys.modules['os']
    """,
    "E5 function": "import random\nos = random.Random.seed.__globals__['_os']",
    "E5 builtins": "os = len.__self__.__import__('os')",
    "E6 eval": "os = eval('__import__(\"os\")')",
    "E6 exec": "found = {}\nexec ('import os', found)\nos = found['os']",
    "E6 compile": "found = {}\nexec(compile('import os', 'x', 'exec'), found)\nos = found['os']",
    "E6 import function": "os = __import__('os')",
    "E6 text built": "os = getattr(__builtins__, '__imp' + 'ort__')('os') if hasattr(__builtins__, 'eval') else "
    "__builtins__['__imp' + 'ort__']('os')",
}
"""How code comes to the module `os` past a filter, by the letter of the corpus."""

AIMS = """
def read(os, target):
    os.close(os.open(target["secret"], os.O_RDONLY))

def write(os, target):
    os.close(os.open(target["outside"] + "/planted", os.O_CREAT | os.O_WRONLY))

def start(os, target):
    if os.system("echo started >> " + target["victim"]) != 0:
        raise OSError("it did not start")

def send(os, target):
    import socket
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"leak", ("127.0.0.1", target["udp"]))

def signal(os, target):
    os.kill(target["pid"], 0)

def reached(os, target):
    done = []
    for aim in (read, write, start, send, signal):
        try:
            aim(os, target)
        except OSError:
            continue
        done.append(aim.__name__)
    return " ".join(done)

def tool(way, target):
    return reached(globals()[way](), target)
"""
ALL_AIMS = "read write start send signal"


def tool_of(ways: Mapping[str, str]) -> str:
    """Return a tool with a function for each way, which gives the module."""
    functions = [
        f"def way_{number}():\n{textwrap.indent(textwrap.dedent(way).strip(), '    ')}\n    return os\n"
        for number, way in enumerate(ways.values())
    ]
    return "\n".join([AIMS, *functions])


def attacked(backend: ProcessBackend, folder: Path, decoys: Decoys) -> dict[str, str | None]:
    """Return what each way reached."""
    folder.mkdir()
    folder.chmod(0o755)
    (folder / "tool.py").write_text(tool_of(WAYS), encoding="utf-8")
    calls = tuple(Call({"way": f"way_{number}", "target": dict(decoys.target)}) for number in range(len(WAYS)))
    run = backend.run(Job(folder, "tool", calls), Policy(limits=Limits(wall_seconds=60, cpu_seconds=60)))
    return {way: answer.text if answer.ok else str(answer) for way, answer in zip(WAYS, run.answers, strict=True)}


@pytest.mark.parametrize("name", sorted(LEVELS))
def test_past_the_gate_there_is_nothing_to_reach(name: str, tmp_path: Path) -> None:
    backend = ProcessBackend(layers=LEVELS[name])
    require(backend.missing(), LEVELS[name])

    with planted() as decoys:
        found = attacked(backend, tmp_path / "confined", decoys)
        damage = decoys.damage()
    backend.close()

    assert found == dict.fromkeys(WAYS, "")
    assert damage == ()


def test_without_the_sandbox_each_way_reaches_everything(tmp_path: Path) -> None:
    backend = ProcessBackend(layers=frozenset(), spares=0)

    with planted() as decoys:
        found = attacked(backend, tmp_path / "open", decoys)
        damage = decoys.damage()

    assert found == dict.fromkeys(WAYS, ALL_AIMS)
    assert {"victim changed", "planted appeared", "a datagram arrived"} <= set(damage)


@pytest.mark.parametrize("way", WAYS)
def test_the_gate_refuses_each_way(way: str) -> None:
    found = check_policy(textwrap.dedent(WAYS[way]).strip() + "\n", ())

    assert [finding.rule for finding in found if finding.severity is Severity.ERROR] != []
