"""Every backend brings back what the tool gave, in order and whole, and tells an error of the tool from its own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.errors import SandboxError
from jupyter_mcpgen.sandbox.backend import Backend
from jupyter_mcpgen.sandbox.job import Artifact, Call, Job, Outcome
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.jobs.tables import read_table
from jupyter_mcpgen.sandbox.policy import Level, Limits, Policy
from tests.conformance.backends.process_backends import BACKENDS, Runner

pytestmark = pytest.mark.every_run(backend=["level 1", "level 2"])


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


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("3", 3),
        ("'Käse'", "Käse"),
        ("None", None),
        ("{'a': [1, 2.5, True, None]}", {"a": [1, 2.5, True, None]}),
        ("__import__('numpy').float64(2.5)", 2.5),
        ("float('nan')", None),
        ("__import__('datetime').date(2024, 2, 3)", "2024-02-03"),
    ],
)
def test_any_value_that_json_has_is_a_result(run: Runner, written: str, value: object) -> None:
    answer = run(f"def tool(): return {written}").answers[0]

    assert (answer.has_value, answer.value, answer.error_type) == (True, value, None)


def test_a_frame_is_a_result_as_a_table(run: Runner) -> None:
    answer = run("import pandas as pd\ndef tool(): return pd.DataFrame({'a': [1]})").answers[0]

    assert answer.table is not None
    assert not answer.has_value


@pytest.mark.parametrize("written", ["{1, 2}", "object()", "lambda: 1", "(lambda a: (a.append(a), a)[1])([])"])
def test_a_result_that_json_does_not_have_is_an_error(run: Runner, written: str) -> None:
    assert run(f"def tool(): return {written}").answers[0].error_type == "TypeError"


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
