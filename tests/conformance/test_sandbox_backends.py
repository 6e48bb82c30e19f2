"""What every sandbox backend promises about running a job, whatever the tool does."""

from __future__ import annotations

import gc
import os
import py_compile
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pandas as pd
import psutil
import pytest

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.backend import Backend
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.job import Artifact, Call, Job, Outcome, Run
from jupyter_mcpgen.sandbox.layers import ALL_LAYERS, WITHOUT_NAMESPACES, Layer
from jupyter_mcpgen.sandbox.policy import Level, Limits, Policy
from jupyter_mcpgen.sandbox.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.tables import read_table

NO_LAYERS: frozenset[Layer] = frozenset()
BACKENDS = {
    "level 1": (ALL_LAYERS, 2),
    "level 1, always fresh": (ALL_LAYERS, 0),
    "level 2": (WITHOUT_NAMESPACES, 2),
    "unconfined": (NO_LAYERS, 2),
}

REPORT = """
class Report(str):
    def __new__(cls, text, table=None, details=None, failed=False):
        report = super().__new__(cls, text)
        report.table, report.details, report.failed = table, details or {}, failed
        return report
"""

Runner = Callable[..., Run]


@pytest.fixture(scope="module")
def scratch_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scratch")


@pytest.fixture(scope="module", params=sorted(BACKENDS))
def backend(request: pytest.FixtureRequest, scratch_root: Path) -> Iterator[ProcessBackend]:
    layers, spares = BACKENDS[request.param]
    backend = ProcessBackend(layers=layers, scratch_root=scratch_root, spares=spares)
    if missing := backend.missing():
        pytest.skip(missing)
    backend.warm()
    yield backend
    backend.close()


@pytest.fixture
def run(backend: ProcessBackend, tmp_path: Path) -> Runner:
    def run_tool(source: str, *calls: dict[str, object], policy: Policy | None = None, **limits: int) -> Run:
        package = tmp_path / "package"
        package.mkdir(exist_ok=True)
        (package / "tool.py").write_text(textwrap.dedent(source), encoding="utf-8")
        (package / "helpers.py").write_text(REPORT, encoding="utf-8")
        job = Job(package, "tool", tuple(Call(arguments) for arguments in calls or ({},)))
        return backend.run(job, policy or Policy(limits=replace(Limits(wall_seconds=60), **limits)))

    return run_tool


def test_answers_come_back_in_the_order_of_the_calls(run: Runner) -> None:
    record = run("def tool(n): return f'answer {n}'", {"n": 2}, {"n": 1}, {"n": 3})

    assert (record.outcome, record.reason) == (Outcome.COMPLETED, None)
    assert [answer.text for answer in record.answers] == ["answer 2", "answer 1", "answer 3"]


def test_a_run_says_the_level_it_was_under(run: Runner, backend: Backend) -> None:
    assert run("def tool(): return ''").level == backend.level


def test_a_served_tool_loads_without_the_real_server_library(run: Runner) -> None:
    source = """
        from fastmcp import FastMCP
        mcp = FastMCP("demo")
        @mcp.tool()
        def tool() -> str:
            return "served"
        if __name__ == "__main__":
            mcp.run()
    """

    assert run(source).answers[0].text == "served"


def test_a_report_brings_its_table_and_its_details(run: Runner) -> None:
    source = """
        from helpers import Report
        def tool():
            import pandas as pd
            frame = pd.DataFrame({"weather": ["rain", "sun"], "total": [3, 4]}).groupby("weather").sum()
            return Report("two rows", frame, {"rows": 2, "share": float("nan"), "chart": {"mark": "bar"}})
    """

    answer = run(source).answers[0]

    assert (answer.text, answer.ok) == ("two rows", True)
    assert answer.details == {"rows": 2, "share": None, "chart": {"mark": "bar"}}
    assert read_table(answer.table or b"").to_dict("list") == {"weather": ["rain", "sun"], "total": [3, 4]}


def test_a_column_that_arrow_cannot_hold_arrives_as_text(run: Runner) -> None:
    source = """
        from helpers import Report
        def tool():
            import pandas as pd
            frame = pd.DataFrame([[1, {2}], [3, "x"]], columns=["n", "n"])
            return Report("mixed", frame)
    """

    frame = read_table(run(source).answers[0].table or b"")

    assert frame.to_dict("list") == {"n": [1, 3], "n (2)": ["{2}", "x"]}


def test_a_report_that_says_it_failed_is_an_error_with_its_text(run: Runner) -> None:
    answer = run("from helpers import Report\ndef tool(): return Report('no such column', failed=True)").answers[0]

    assert (answer.ok, answer.error_type, answer.text) == (False, "ToolFailed", "no such column")


def test_an_error_in_one_call_is_data_and_the_next_call_still_runs(run: Runner) -> None:
    source = """
        def tool(n):
            if n == 0:
                raise ValueError("n must not be zero")
            return str(1 / n)
    """

    record = run(source, {"n": 0}, {"n": 2}, {"m": 1})

    assert record.outcome is Outcome.COMPLETED
    assert [(a.error_type, a.text) for a in record.answers] == [
        ("ValueError", None),
        (None, "0.5"),
        ("TypeError", None),
    ]
    assert record.answers[0].error_message == "n must not be zero"
    assert "ValueError: n must not be zero" in record.stderr


def test_a_result_that_is_not_text_is_an_error(run: Runner) -> None:
    assert run("def tool(): return 3").answers[0].error_type == "TypeError"


def test_leaving_by_exit_is_an_error_of_that_call(run: Runner) -> None:
    record = run("import sys\ndef tool(n): sys.exit(0) if n else None\n", {"n": 1})

    assert (record.outcome, record.answers[0].error_type) == (Outcome.COMPLETED, "SystemExit")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def tool(: pass", "SyntaxError"),
        ("import no_such_module_anywhere", "no_such_module_anywhere"),
        ("def other(): pass", "defines no function `tool`"),
        ("raise RuntimeError('at import')", "at import"),
    ],
)
def test_a_tool_that_cannot_be_loaded_fails_with_the_reason(run: Runner, source: str, words: str) -> None:
    record = run(source)

    assert (record.outcome, record.answers) == (Outcome.FAILED, ())
    assert "`tool.py` could not be loaded" in (record.reason or "")
    assert words in (record.reason or "")


def test_cached_bytecode_beside_a_tool_is_never_run(run: Runner, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text("def tool(): return 'planted'", encoding="utf-8")
    cached = tmp_path / "package" / "__pycache__" / f"tool.{sys.implementation.cache_tag}.pyc"
    py_compile.compile(str(other), str(cached), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)

    assert run("def tool(): return 'approved'").answers[0].text == "approved"


def test_a_tool_may_close_its_streams(run: Runner) -> None:
    assert run("import sys\ndef tool():\n    sys.stdout.close()\n    return ''").outcome is Outcome.COMPLETED


def test_a_copy_of_the_result_channel_that_stays_open_keeps_nobody_waiting(run: Runner) -> None:
    record = run("import os\ndef tool():\n    os.dup(3)\n    return 'done'")

    assert (record.outcome, record.answers[0].text) == (Outcome.COMPLETED, "done")


def test_running_a_tool_leaves_nothing_in_its_folder(run: Runner, tmp_path: Path) -> None:
    run("import helpers\ndef tool(): return ''")

    assert sorted(path.name for path in (tmp_path / "package").iterdir()) == ["helpers.py", "tool.py"]


def test_a_package_that_is_not_there_is_our_failure(backend: Backend, tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match="nowhere"):
        backend.run(Job(tmp_path / "nowhere", "tool", (Call({}),)), Policy())


def test_granted_data_that_is_not_there_is_our_failure(run: Runner, tmp_path: Path) -> None:
    with pytest.raises(SandboxError, match=r"gone\.csv"):
        run("def tool(): return ''", policy=Policy(read=(tmp_path / "gone.csv",)))


def test_granted_data_is_read_by_the_name_the_person_gave_even_through_a_link(run: Runner, tmp_path: Path) -> None:
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    pd.DataFrame({"a": [1, 2]}).to_csv(real, index=False)
    link.symlink_to(real)
    source = "import pandas as pd\ndef tool(path): return str(pd.read_csv(path)['a'].sum())"

    assert run(source, {"path": str(link)}, policy=Policy(read=(link,))).answers[0].text == "3"


def test_parquet_with_its_threads_and_temporary_files_work(run: Runner) -> None:
    source = """
        import shutil, tempfile
        import pandas as pd
        def tool():
            with tempfile.NamedTemporaryFile(suffix=".parquet") as place:
                pd.DataFrame({"a": range(100_000)}).to_parquet(place.name)
                shutil.copyfile(place.name, "copy.parquet")
            return str(pd.read_parquet("copy.parquet")["a"].sum())
    """

    assert run(source).answers[0].text == "4999950000"


def test_duckdb_works_although_it_looks_for_the_limits_of_a_container(run: Runner) -> None:
    source = "import duckdb\ndef tool(): return str(duckdb.sql('select sum(i) from range(1000) t(i)').fetchall()[0][0])"

    assert run(source).answers[0].text == "499500"


def test_a_job_that_sleeps_is_stopped_and_keeps_the_answers_it_gave(run: Runner) -> None:
    source = """
        import time
        def tool(n):
            time.sleep(n)
            return "done"
    """

    record = run(source, {"n": 0}, {"n": 600}, wall_seconds=1)

    assert (record.outcome, record.reason) == (Outcome.TIMED_OUT, "The job was stopped after 1 seconds.")
    assert [answer.text for answer in record.answers] == ["done"]


def test_a_job_that_ignores_signals_is_stopped(run: Runner) -> None:
    source = """
        import signal
        def tool():
            for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
                signal.signal(number, signal.SIG_IGN)
            while True:
                pass
    """

    assert run(source, wall_seconds=1).outcome is Outcome.TIMED_OUT


def test_processor_time_is_bounded(run: Runner) -> None:
    record = run("def tool():\n    while True: pass", cpu_seconds=1)

    assert record.outcome is Outcome.CPU_EXCEEDED
    assert record.usage.cpu_seconds >= 0.5  # the kernel bounds ticks, and reports a finer measure


@pytest.mark.parametrize("memory_mb", [512, 1024])
def test_memory_is_bounded(run: Runner, memory_mb: int) -> None:
    record = run("def tool(): return str(len(bytearray(8 * 2**30)))", memory_mb=memory_mb)

    assert (record.outcome, record.answers[0].error_type) == (Outcome.MEMORY_EXCEEDED, "MemoryError")


def test_peak_memory_is_the_jobs_own_and_not_the_hosts(run: Runner) -> None:
    ballast = bytearray(os.urandom(1024)) * (256 * 1024)  # 256 MB in this process

    record = run("def tool(): return ''")

    assert record.usage.peak_memory_bytes < len(ballast) / 4


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_flood_of_output_is_cut_and_stops_the_job(run: Runner, stream: str) -> None:
    source = f"import sys\ndef tool():\n    while True: print('x' * 1000, file=sys.{stream})"

    record = run(source, output_bytes=100_000)

    assert record.outcome is Outcome.OUTPUT_EXCEEDED
    assert len(getattr(record, stream)) == 100_000


def test_a_result_beyond_its_bound_is_refused(run: Runner) -> None:
    record = run("def tool(): return 'x' * 5_000_000", result_bytes=1_000_000)

    assert (record.outcome, record.answers) == (Outcome.OUTPUT_EXCEEDED, ())


def test_details_beyond_their_bound_are_an_error_of_the_call(run: Runner) -> None:
    record = run("from helpers import Report\ndef tool(): return Report('', details={'x': 'y' * 10_000_000})")

    assert (record.outcome, record.answers[0].error_type) == (Outcome.COMPLETED, "ValueError")


def test_one_file_cannot_outgrow_scratch(run: Runner) -> None:
    source = """
        def tool():
            with open("big", "wb") as stream:
                stream.write(bytes(2**21))
            return ""
    """

    assert run(source, scratch_bytes=2**20).answers[0].error_type == "OSError"


def test_many_files_cannot_outgrow_scratch(run: Runner, backend: Backend) -> None:
    source = """
        import time
        def tool():
            for n in range(40):
                with open(f"file{n}", "wb") as f:
                    f.write(b"x" * 2**19)
            time.sleep(600)
    """

    record = run(source, scratch_bytes=2**20)

    if backend.level is Level.NAMESPACES:  # the kernel refuses the first byte too many
        assert "No space left" in (record.answers[0].error_message or "")
    else:  # the host sees it a moment later
        assert record.outcome is Outcome.OUTPUT_EXCEEDED
        assert "scratch" in (record.reason or "")


def test_a_crash_is_reported_with_its_signal(run: Runner) -> None:
    record = run("import ctypes\ndef tool(): ctypes.string_at(0)")

    assert (record.outcome, record.reason) == (Outcome.CRASHED, "The job was killed by SIGSEGV.")


def test_endless_recursion_ends(run: Runner) -> None:
    assert run("def tool(): return tool()").answers[0].error_type == "RecursionError"


@pytest.mark.parametrize(
    "attack",
    [
        "os.write(3, os.urandom(5000))",
        "os.write(3, b'')\n    os._exit(0)",
        "os.write(3, (2**32 - 1).to_bytes(4, 'big') + b'{}')",
        "os.write(3, frame(b'not json'))",
        "os.write(3, frame(b'[' * 100_000))",
        "os.write(3, frame(b'[]'))",
        "os.write(3, frame(b'{\"details\": 3}'))",
        "os.write(3, frame(b'{\"milliseconds\": 1e999}'))",
        "os.write(3, frame(b'{\"error_type\": []}'))",
        "os.write(3, frame(b'{}') * 5)",
        "os.write(3, frame(b'{}')[:9])\n    os._exit(0)",
        "os.close(3)",
        "os._exit(0)",
    ],
)
def test_nonsense_on_the_result_channel_never_counts_as_success(run: Runner, attack: str) -> None:
    source = f"""
import os
def frame(header): return len(header).to_bytes(4, "big") + header + bytes(16)
def tool():
    {attack}
    return "fine"
"""

    record = run(source)

    assert record.outcome is Outcome.FAILED
    assert record.reason


def test_a_complete_answer_before_a_crash_is_still_a_crash(run: Runner) -> None:
    source = """
        import ctypes, os
        def tool():
            header = b'{"loaded": true, "outcome": "completed"}'
            os.write(3, len(header).to_bytes(4, "big") + header + bytes(16))
            ctypes.string_at(0)
    """

    assert run(source).outcome is Outcome.CRASHED


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


def test_a_cancelled_job_ends_at_once_and_says_so(run: Runner, backend: Backend, tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text("import time\ndef tool(): time.sleep(600)", encoding="utf-8")
    cancel = Cancellation()
    job = Job(tmp_path, "tool", (Call({}),))

    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(backend.run, job, Policy(), cancel)
        timer = threading.Timer(0.3, cancel.cancel)
        timer.start()
        record = running.result()
    timer.join()

    assert record.outcome is Outcome.CANCELLED
    assert record.usage.wall_seconds < 20


def test_a_job_that_was_cancelled_before_it_began_never_runs(backend: Backend, tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text("def tool(): return 'ran'", encoding="utf-8")
    cancel = Cancellation()
    cancel.cancel()

    record = backend.run(Job(tmp_path, "tool", (Call({}),)), Policy(), cancel)

    assert (record.outcome, record.answers) == (Outcome.CANCELLED, ())


def test_a_package_that_was_not_granted_cannot_be_imported_by_the_tool_itself(run: Runner) -> None:
    source = "def tool():\n    import pandas, json\n    import duckdb\n"

    answer = run(source, policy=Policy(modules=frozenset({"pandas"}))).answers[0]

    assert (answer.error_type, answer.error_message) == (
        "ImportError",
        "`duckdb` needs the capability `cap:python.duckdb`",
    )


def test_files_that_a_job_leaves_come_back_when_they_are_wanted(backend: Backend, tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text(
        "import os\n"
        "def tool():\n"
        "    os.mkdir('charts')\n"
        "    open('charts/one.svg', 'w').write('<svg/>')\n"
        "    open('big', 'wb').write(bytes(3000))\n"
        "    return ''\n",
        encoding="utf-8",
    )
    limits, job = Limits(artifact_bytes=2000), Job(tmp_path, "tool", (Call({}),))

    kept = backend.run(job, Policy(limits=limits, keeps_files=True))
    not_kept = backend.run(job, Policy(limits=limits))

    assert kept.artifacts == (Artifact("charts/one.svg", b"<svg/>"),)
    assert kept.left_out == ("`big`: its 3,000 bytes are more than there is room for",)
    assert (not_kept.artifacts, not_kept.left_out) == ((), ())


def test_random_numbers_and_the_pid_of_one_job_say_nothing_about_the_next(run: Runner) -> None:
    source = """
        import random, uuid
        def tool():
            import numpy
            return f"{random.random()} {numpy.random.rand()} {numpy.random.default_rng().random()} {uuid.uuid4()}"
    """

    drawn = [(run(source).answers[0].text or "").split() for _ in range(2)]

    assert len({*drawn[0], *drawn[1]}) == 8


def test_the_record_says_what_was_read_and_written_or_that_nobody_knows(run: Runner, backend: Backend) -> None:
    usage = run(
        "def tool():\n    open('f', 'wb').write(bytes(300_000))\n    return str(len(open('f', 'rb').read()))"
    ).usage

    assert usage.written_bytes is None or usage.written_bytes > 300_000
    assert usage.read_bytes is None or usage.read_bytes > 300_000
    assert backend.level is not Level.NAMESPACES or usage.read_bytes is not None


def test_the_record_counts_the_rows_that_came_back(run: Runner) -> None:
    tables = """
        import pandas as pd
        class Result(str):
            pass
        def tool(n):
            result = Result("")
            result.table = pd.DataFrame({"a": range(n)})
            return result
    """

    assert run(tables, {"n": 3}, {"n": 4}).usage.rows == 7
    assert run(tables, {"n": 0}).usage.rows == 0
    assert run("def tool(): return ''").usage.rows is None


def test_several_threads_may_run_jobs_at_once(backend: Backend, tmp_path: Path) -> None:
    (tmp_path / "tool.py").write_text("def tool(n): return str(n)", encoding="utf-8")

    with ThreadPoolExecutor(4) as pool:
        records = list(pool.map(lambda n: backend.run(Job(tmp_path, "tool", (Call({"n": n}),)), Policy()), range(8)))

    assert [record.answers[0].text for record in records] == [str(n) for n in range(8)]


def test_large_arguments_and_large_results_pass(run: Runner) -> None:
    record = run("def tool(text): return text", {"text": "ä" * 2_000_000})

    assert record.answers[0].text == "ä" * 2_000_000


def test_each_backend_says_the_level_of_its_layers() -> None:
    assert {name: ProcessBackend(layers=layers).level for name, (layers, _) in BACKENDS.items()} == {
        "level 1": Level.NAMESPACES,
        "level 1, always fresh": Level.NAMESPACES,
        "level 2": Level.LANDLOCK,
        "unconfined": Level.UNCONFINED,
    }
