"""A Dask frame in a notebook, over a cluster of two processes: asked, approved, called, and what may go wrong."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.notebooks.kernels import Run, kernel

MOST_ROWS = 200_000
CLUSTER = """import os, pathlib, signal, time
import dask, dask.dataframe as dd, pandas as pd
from distributed import Client, LocalCluster
def cluster_of(workers):
    space = os.environ["SPACE"]
    return LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=space
    )

dask.config.set({"distributed.scheduler.allowed-failures": 1})
cluster = cluster_of(2)
client = Client(cluster)
at_first = set(client.scheduler_info()["workers"])
mark = pathlib.Path(os.environ["SPACE"], "mark")
orders = dd.from_pandas(
    pd.DataFrame({"region": list("NSSE") * 200, "amount": [n / 4 for n in range(800)]}), npartitions=8
)
by_hand = orders.groupby("region")["amount"].sum().compute().to_dict()

def kill_once(part, mark=mark):
    if part["amount"].min() == 100 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return part

def kill_always(part):
    if part["amount"].min() == 100:
        os.kill(os.getpid(), signal.SIGKILL)
    return part

def mark_it(part, mark=mark):
    mark.touch()
    return part

def wait_forever(part, mark=mark):
    mark.touch()
    while mark.exists():
        time.sleep(0.05)
    return part

def ten_thousand(number):
    return pd.DataFrame({"region": "N", "amount": [float(number)] * 10_000})

def the_same(rows, others):
    pd.testing.assert_frame_equal(rows, others, check_dtype=False)
    return True

def done_by(frame, what):
    return frame.map_partitions(what, meta=frame._meta)"""


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("dask")


@pytest.fixture(scope="module")
def run(space: Path, state: Path) -> Iterator[Run]:
    own = {"MCPGEN_REGISTRY__PATH": str(space / "registry"), "JUPYTER_DATA_DIR": str(state), "SPACE": str(space)}
    environment: Mapping[str, str] = {**os.environ, **own, "MCPGEN_SANDBOX__MAX_ROWS": str(MOST_ROWS)}
    with kernel(environment, space) as running:
        running("%load_ext jupyter_mcpgen", CLUSTER)
        yield running
        running("client.close()\ncluster.close()")


def test_a_dask_frame_is_asked_about_approved_and_called_like_any_table(run: Run) -> None:
    run("answer = %mcpgen sum of amount by region in orders")

    assert "True" in run("dict(answer.df.itertuples(index=False)) == by_hand")
    assert "True" in run("answer.is_sound")
    assert "True" in run("saved = answer.approve()", "dict(saved(orders).itertuples(index=False)) == by_hand")


@pytest.mark.soak
def test_the_code_of_an_answer_runs_on_the_dask_frame_itself(run: Run) -> None:
    run("answer = %mcpgen highest amount by region in orders")

    assert "True" in run("space = {'orders': orders}\nexec(answer.code, space)\nthe_same(space['result'], answer.df)")
    run(
        "from jupyter_mcpgen.runtime import current",
        "sql = current().plain_code(answer.card.card_id, globals()).sql",
        "opened, query = sql.rsplit('duckdb.sql(', 1)",
        "exec(opened)",
    )
    assert "duckdb.register('orders'" in run("print(sql)")
    assert "True" in run("the_same(eval('duckdb.sql(' + query), answer.df)")


def test_the_rows_of_a_frame_that_nobody_asked_about_are_not_computed(run: Run) -> None:
    run("mark.unlink(missing_ok=True)", "people = pd.DataFrame({'name': ['Ann']})", "marked = done_by(orders, mark_it)")

    assert "No answer" in run("%mcpgen average amount in people")
    assert "False" in run("mark.exists()")
    run("%mcpgen explore marked")
    assert "True" in run("mark.exists()")


@pytest.mark.soak
def test_a_worker_that_is_killed_in_the_middle_changes_nothing(run: Run) -> None:
    run("mark.unlink(missing_ok=True)")

    run("risky = done_by(orders, kill_once)", "answer = %mcpgen sum of amount by region in risky")

    assert "True" in run("mark.exists() and set(client.scheduler_info()['workers']) != at_first")
    assert "True" in run("dict(answer.df.itertuples(index=False)) == by_hand")


@pytest.mark.soak
def test_partitions_that_kill_every_worker_are_one_plain_sentence(run: Run) -> None:
    said = run("fatal = done_by(orders, kill_always)", "%mcpgen sum of amount by region in fatal")

    assert "`fatal` could not be computed by Dask: KilledWorker" in said
    assert "Traceback" not in said


@pytest.mark.soak
def test_a_frame_that_is_too_large_is_given_up_and_its_computation_cancelled(run: Run) -> None:
    said = run("many = dd.from_map(ten_thousand, range(40))", "%mcpgen sum of amount by region in many")

    assert f"the limits are {MOST_ROWS:,} rows" in said
    assert "True" in run("not client.futures")


def test_an_interrupt_cancels_what_the_cluster_computes(run: Run, space: Path) -> None:
    from nbclient.exceptions import CellExecutionError

    mark = space / "mark"
    run("mark.unlink(missing_ok=True)", "slow = done_by(orders, wait_forever)")
    process = int(run("print(os.getpid())"))

    def interrupt() -> None:
        while not mark.exists():
            time.sleep(0.05)
        os.kill(process, signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    try:
        cell = run.cell("%mcpgen sum of amount by region in slow")
    except CellExecutionError:
        cell = run.client.nb.cells[-1]

    assert "Stopped. Nothing was saved" in "".join(str(output) for output in cell.outputs)
    assert "True" in run("while client.futures:\n    time.sleep(0.05)", "mark.unlink()", "not client.futures")


@pytest.mark.soak
def test_a_cluster_that_is_closed_in_the_middle_is_one_plain_sentence(run: Run) -> None:
    said = run(
        "mark.unlink(missing_ok=True)\nslow = done_by(orders, wait_forever)",
        "import threading",
        "def close():\n    while not mark.exists():\n        time.sleep(0.05)\n    other.close()\n    mark.unlink()",
        "other = cluster_of(1)\nsecond = Client(other)\nthreading.Thread(target=close).start()",
        "%mcpgen sum of amount by region in slow",
    )

    assert "`slow` could not be computed by Dask: " in said
