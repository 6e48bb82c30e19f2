"""On every backend, one run knows nothing of the host or of another run, and leaves nothing behind."""

from __future__ import annotations

import gc
import json
import os
import py_compile
import sys
from pathlib import Path

import psutil
import pytest

from jupyter_mcpgen.sandbox.job import Call, Job
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Policy
from jupyter_mcpgen.sandbox.selfcheck.jobs import ATTACKS
from tests.conformance.backends.process_backends import Runner

pytestmark = pytest.mark.every_run(backend=["level 1", "level 2"])


@pytest.mark.every_run("level 1")
def test_cached_bytecode_beside_a_tool_is_never_run(run: Runner, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text("def tool(): return 'planted'", encoding="utf-8")
    cached = tmp_path / "package" / "__pycache__" / f"tool.{sys.implementation.cache_tag}.pyc"
    py_compile.compile(str(other), str(cached), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)

    assert run("def tool(): return 'approved'").answers[0].text == "approved"


def test_running_a_tool_leaves_nothing_in_its_folder(run: Runner, tmp_path: Path) -> None:
    run("import helpers\ndef tool(): return ''")

    assert sorted(path.name for path in (tmp_path / "package").iterdir()) == ["helpers.py", "tool.py"]


def test_only_the_standard_streams_and_the_result_channel_are_open(run: Runner) -> None:
    leaked = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(leaked, True)
    source = """
        import os
        def is_open(n):
            try: os.fstat(n)
            except OSError: return False
            return True
        def tool():
            return str([n for n in range(60) if is_open(n)]) + repr(os.read(0, 1))
    """

    try:
        assert run(source).answers[0].text == "[0, 1, 2, 3]b''"
    finally:
        os.close(leaked)


def test_the_environment_holds_nothing_of_the_hosts(run: Runner) -> None:
    record = run("import os\ndef tool(): return ' '.join(sorted(os.environ)) + str(os.environ['HOME'] == os.getcwd())")

    assert record.answers[0].text == ("HOME JE_ARROW_MALLOC_CONF LANG OMP_NUM_THREADS OPENBLAS_NUM_THREADS TMPDIRTrue")


def test_scratch_is_empty_at_the_start_and_gone_at_the_end(run: Runner, scratch_root: Path) -> None:
    source = """
        import os
        def tool():
            found = os.listdir(".")
            open("left", "w").close()
            os.mkdir("hidden", 0o300)
            open("hidden/file", "w").close()
            return str(found)
    """

    answers = [run(source).answers[0].text for _ in range(2)]

    assert answers == ["[]", "[]"]
    assert list(scratch_root.iterdir()) == []


def test_nothing_of_one_run_reaches_the_next(run: Runner) -> None:
    source = "count = 0\ndef tool():\n    global count\n    count += 1\n    return str(count)"

    assert [[a.text for a in run(source, {}, {}).answers] for _ in range(2)] == [["1", "2"], ["1", "2"]]


@pytest.mark.every_run("level 1")
def test_runs_leave_no_descriptor_and_no_process_behind(run: Runner, backend: ProcessBackend) -> None:
    backend.close()
    gc.collect()  # other tests' backends close when they are forgotten
    before = sorted(os.listdir("/proc/self/fd"))
    others = psutil.Process().children()  # such as an engine that other tests share
    backend.warm()

    for source in ("def tool(): return ''", "def tool(:", "import os\ndef tool(): os._exit(1)"):
        run(source)
    backend.close()

    assert sorted(os.listdir("/proc/self/fd")) == before
    assert [child for child in psutil.Process().children() if child not in others] == []


def test_a_package_that_was_not_granted_cannot_be_imported_by_the_tool_itself(run: Runner) -> None:
    source = "def tool():\n    import pandas, json\n    import duckdb\n"

    answer = run(source, policy=Policy(modules=frozenset({"pandas"}))).answers[0]

    assert (answer.error_type, answer.error_message) == (
        "ImportError",
        "`duckdb` needs the capability `cap:python.duckdb`",
    )


@pytest.mark.parametrize("name", ["helpers", "tool"])
def test_a_tool_that_calls_itself_otherwise_imports_no_more(run: Runner, name: str) -> None:
    source = f"__name__ = {name!r}\ndef tool():\n    import json, duckdb\n    return 'imported'\n"

    without, granted = (
        run(source, policy=Policy(modules=frozenset(modules))).answers[0] for modules in ((), ("duckdb",))
    )

    assert without.error_message == "`duckdb` needs the capability `cap:python.duckdb`"
    assert granted.text == "imported"


def test_random_numbers_and_the_pid_of_one_job_say_nothing_about_the_next(run: Runner) -> None:
    source = """
        import random, uuid
        def tool():
            import numpy
            return f"{random.random()} {numpy.random.rand()} {numpy.random.default_rng().random()} {uuid.uuid4()}"
    """

    drawn = [(run(source).answers[0].text or "").split() for _ in range(2)]

    assert len({*drawn[0], *drawn[1]}) == 8


def test_a_tool_of_the_product_that_was_loaded_before_is_held_as_any_other(backend: ProcessBackend) -> None:
    attacks = (
        Call({"name": "read_system_file", "target": {}}),
        Call({"name": "import_standard_library", "target": {}}),
    )

    records = [backend.run(Job(ATTACKS, "attack", attacks, is_ours=True), Policy()) for _ in range(2)]

    succeeded = [[json.loads(answer.text or "")["succeeded"] for answer in record.answers] for record in records]
    assert succeeded == [[not backend.layers, True]] * 2
