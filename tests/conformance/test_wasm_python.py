"""What Python in WebAssembly may do and how it ends, from the user's own cache.

Its interpreter takes a minute or more to compile and is never compiled here: `jupyter-mcpgen prewarm` does it once.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("wasmtime", reason="the extra `wasm` is not installed")

from jupyter_mcpgen.errors import RuntimeNotReady
from jupyter_mcpgen.model.guidance import ErrorType
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.execution.output import Pages
from jupyter_mcpgen.sandbox.execution.record import Status
from jupyter_mcpgen.sandbox.fuel.import_costs import WASI_PYTHON
from jupyter_mcpgen.sandbox.wasm.execution import WasmExecution, WasmExecutor
from jupyter_mcpgen.sandbox.wasm.guest import FolderGrant
from jupyter_mcpgen.sandbox.wasm.parity import Parity
from jupyter_mcpgen.sandbox.wasm.python import why_not_ready

pytestmark = pytest.mark.skipif(why_not_ready() is not None, reason=why_not_ready() or "")


@pytest.fixture
def python(tmp_path: Path) -> Callable[..., WasmExecution]:
    executor = WasmExecutor(pages=Pages(tmp_path / "pages"))

    def run(code: str, **how: object) -> WasmExecution:
        try:
            return executor.execute("python", code, **how)  # type: ignore[arg-type]
        except RuntimeNotReady as error:
            pytest.skip(str(error))

    return run


@pytest.mark.soak
def test_python_fuel_is_the_same_every_time_and_pandas_within_a_thousandth(
    python: Callable[..., WasmExecution],
) -> None:
    plain = {python("print(1)").fuel.consumed for _ in range(3)}  # type: ignore[union-attr]
    pandas = [
        python("import pandas; print(pandas.DataFrame({'a': [1]}).sum().a)", fuel_budget=10**10) for _ in range(2)
    ]

    assert len(plain) == 1
    assert [run.execution.stdout for run in pandas] == ["1\n", "1\n"]
    used = [run.fuel.consumed or 0 for run in pandas if run.fuel is not None]
    assert abs(used[0] - used[1]) <= used[0] / 1_000


@pytest.mark.parametrize(
    ("code", "how", "kind"),
    [
        ("while True: pass", {"fuel_budget": 10**9}, ErrorType.OUT_OF_FUEL),
        ("import time; time.sleep(60)", {"timeout": 1}, ErrorType.TIMEOUT),
        ("import re; re.match('(a+)+$', 'a' * 40 + 'b')", {"timeout": 1, "fuel_budget": 10**15}, ErrorType.TIMEOUT),
        ("x = bytearray(1 << 30)", {}, ErrorType.MEMORY_EXHAUSTED),
        ("1", {"memory_bytes": 2**20}, ErrorType.MEMORY_EXHAUSTED),
        ("open('/etc/passwd')", {}, ErrorType.PATH_RESTRICTION),
    ],
)
def test_python_is_ended_or_refused_with_the_right_advice(
    python: Callable[..., WasmExecution], code: str, how: dict[str, int], kind: ErrorType
) -> None:
    run = python(code, **how)

    assert run.execution.status in (Status.ERROR, Status.TIMEOUT)
    assert run.guidance is not None
    assert run.guidance.error_type is kind


def test_python_has_no_network_no_process_and_only_granted_files(
    python: Callable[..., WasmExecution], tmp_path: Path
) -> None:
    (tmp_path / "data.txt").write_text("given", encoding="utf-8")
    (tmp_path / "link").symlink_to("/etc/passwd")
    code = """
import os, socket, subprocess
def tried(name, action):
    try: print(name, action())
    except BaseException as error: print(name, 'refused')
tried('read', lambda: open('/app/data.txt').read())
tried('link', lambda: open('/app/link').read())
tried('up', lambda: open('/app/../etc/passwd').read())
tried('write', lambda: open('/app/new', 'w'))
tried('socket', lambda: socket.create_connection(('127.0.0.1', 9)))
tried('process', lambda: subprocess.run(['/bin/true']))
tried('fork', lambda: os.fork())
"""

    run = python(code, grants=(FolderGrant(tmp_path, "/app"),))

    refused = "".join(f"{name} refused\n" for name in ("link", "up", "write", "socket", "process", "fork"))
    assert run.execution.stdout == "read given\n" + refused


def test_a_planted_overflow_of_32_bits_is_caught_by_comparing_and_never_called_equal() -> None:
    right = "import pandas as pd; print(int(pd.DataFrame({'a': [2_000_000_000] * 2}).a.sum()))"
    wrong = "import numpy as np; print(int(np.array([2_000_000_000] * 2).sum()))"
    guest, native = WasmExecutor(), Executor()

    alone = guest.execute("python", wrong)
    equal = guest.execute_compared(right, native, fuel_budget=10**10)
    different = guest.execute_compared(wrong, native)

    assert (alone.parity.parity, alone.execution.stdout) == (Parity.NOT_COMPARED, "-294967296\n")
    assert "line 1: `np.array(…)`" in " ".join(alone.execution.notes)
    assert (equal.parity.parity, equal.execution.stdout) == (Parity.EQUAL, "4000000000\n")
    assert different.parity.parity is Parity.DIFFERENT
    assert different.execution.notes[-1] == different.parity.reason


@pytest.mark.soak
@pytest.mark.parametrize(
    "work",
    [
        "df.groupby('key').amount.agg(['sum', 'mean', 'count', 'median'])",
        "df.sort_values(['amount', 'key'], ascending=[False, True]).head(5)",
        "df.merge(df.groupby('key', as_index=False).amount.max(), on='key', suffixes=('', '_most')).head(5)",
        "df.pivot_table(index='key', columns='odd', values='amount', aggfunc='sum')",
        "df.assign(rank=df.groupby('key').amount.rank(), total=df.amount.cumsum()).tail(5)",
        "df[['amount', 'share']].describe()",
        "df.amount.astype('int64').sum()",
    ],
)
def test_work_on_data_frames_beyond_32_bits_is_equal_to_the_native_one(work: str) -> None:
    code = f"""
import pandas as pd
amount = [2_000_000_000 + 7919 * n % 1_000_003 for n in range(1_000)]
df = pd.DataFrame({{
    "key": ["abcde"[n % 5] for n in range(1_000)],
    "odd": [n % 2 for n in range(1_000)],
    "amount": amount,
    "share": [n / 3 for n in range(1_000)],
}})
pd.set_option("display.width", 200, "display.max_columns", 20)
print(({work}).round(6) if hasattr({work}, 'round') else {work})
"""

    run = WasmExecutor().execute_compared(code, Executor(), fuel_budget=5 * 10**10, timeout=120)

    assert (run.execution.error_message, run.parity.parity) == (None, Parity.EQUAL)


MODULES = {"statsmodels": "statsmodels.api"}


@pytest.mark.every_run("networkx", "openpyxl")
@pytest.mark.parametrize("package", WASI_PYTHON)
def test_a_first_import_costs_what_is_said_of_it(python: Callable[..., WasmExecution], package: str) -> None:
    budget = 60 * 10**9
    nothing = python("pass", fuel_budget=budget).fuel
    imported = python(f"import {MODULES.get(package, package)}", fuel_budget=budget, timeout=300).fuel

    cost = WASI_PYTHON[package]
    assert 0.99 * cost.least <= imported.consumed - nothing.consumed <= 1.01 * cost.most


def test_numpy_is_there_and_light(python: Callable[..., WasmExecution]) -> None:
    run = python("import numpy", fuel_budget=10**10)

    assert (run.execution.status, run.fuel.consumed < 10**9) == (Status.SUCCESS, True)
