"""What a tool of an AI client may do is what it asked for and a person allowed, in the real sandbox."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jupyter_mcpgen.errors import SchemaValidationError, ToolFailed
from jupyter_mcpgen.model.answer import ToolAnswer
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.consent import ConsentDecision
from jupyter_mcpgen.model.offered import Offering, ToolLimits
from jupyter_mcpgen.runtime import Runtime
from tests.products import new_runtime

READS = """
from helpers import load_csv_data_with_types

def cars_in(file_path: str, column: str = "cars"):
    return int(load_csv_data_with_types(file_path)[column].sum())
"""
WRITES = "import pandas as pd\n\ndef written():\n    pd.DataFrame({'pier': ['Ost']}).to_csv('piers.csv')\n    return 1"
DRAWS = "import matplotlib.pyplot as plt\n\ndef drawn(n: int):\n    plt.plot(range(n))\n    return n"
FITS = """
import numpy as np
from scipy.optimize import curve_fit

def slope(xs: list[float], ys: list[float]):
    best, _ = curve_fit(lambda x, a: a * x, np.array(xs), np.array(ys))
    return round(float(best[0]), 6)
"""

Live = Callable[..., Callable[..., ToolAnswer]]


def allowed(runtime: Runtime, **offered: Any) -> Callable[..., ToolAnswer]:
    """Offer a tool, have a person allow it, and return what calls it."""
    card = runtime.client_tools.register(Offering(**offered), "Claude")
    request = runtime.consents.request(card.card_id)
    runtime.consents.decide(request.request_id, request.token, ConsentDecision.ALLOW, [Confirms.UNCHECKED])
    return lambda **arguments: runtime.call_tool(offered["name"], arguments)


@pytest.fixture
def live(tmp_path: Path) -> Live:
    runtime = new_runtime(tmp_path, **{"server.client_call_seconds": 30})  # a busy machine imports slowly
    return lambda **offered: allowed(runtime, **offered)


@pytest.mark.soak
def test_a_file_is_read_where_the_call_names_it_and_the_tool_may(live: Live, tmp_path: Path) -> None:
    (tmp_path / "ferries.csv").write_text("pier,cars\nOst,14\nWest,9\n")

    call = live(name="cars_in", source_code=READS, capabilities=("cap:data.read",))

    assert call(file_path=str(tmp_path / "ferries.csv")).structured["result"] == 23
    assert call(file_path=str(tmp_path / "ferries.csv"), column="boats").failed
    with pytest.raises(SchemaValidationError, match=r"takes `file_path`.*`cap:data\.read`"):
        live(name="cars_in_too", source_code=READS.replace("cars_in", "cars_in_too"))


@pytest.mark.soak
def test_packages_beside_pandas_and_numpy_are_asked_for(live: Live) -> None:
    with pytest.raises(SchemaValidationError, match=r"`cap:python\.scipy`"):
        live(name="slope", source_code=FITS, capabilities=("cap:numpy",))

    assert live(name="slope", source_code=FITS, capabilities=("cap:numpy", "cap:scipy"))(
        xs=[1, 2, 3], ys=[2, 4, 6]
    ).structured == {"status": "success", "result": 2.0}


@pytest.mark.soak
def test_figures_come_back_beside_the_value(live: Live) -> None:
    answer = live(name="drawn", source_code=DRAWS, capabilities=("cap:matplotlib",))(n=3)

    assert answer.structured["result"] == 3
    assert [figure.type for figure in answer.figures] == ["image/png"]


def test_a_table_comes_back_as_its_rows(live: Live) -> None:
    code = "import pandas as pd\n\ndef squares(n: int):\n    return pd.DataFrame({'x': [i * i for i in range(n)]})"

    answer = live(name="squares", source_code=code, returns={"type": "array", "description": "The rows"})(n=3)

    assert answer.structured["result"] == [{"x": 0}, {"x": 1}, {"x": 4}]


def test_writing_needs_the_capability_and_a_server_in_unsafe_mode(live: Live, tmp_path: Path) -> None:
    with pytest.raises(SchemaValidationError, match=r"`cap:files\.write`"):
        live(name="written", source_code=WRITES)
    with pytest.raises(SchemaValidationError, match="this server is in safe mode"):
        live(name="written", source_code=WRITES, capabilities=("cap:files.write",))
    unsafe = new_runtime(tmp_path / "unsafe", **{"server.mode": "unsafe"})

    answer = allowed(unsafe, name="written", source_code=WRITES, capabilities=("cap:files.write",))()

    (path,) = [Path(part.strip("`")) for part in answer.text.split() if part.endswith("piers.csv`")]
    assert path.read_text().splitlines()[0] == ",pier"
    safe_again = new_runtime(tmp_path / "safe", unsafe.registry.root)
    with pytest.raises(ToolFailed, match=r"may write .* this server is in safe mode"):
        safe_again.call_tool("written", {})


@pytest.mark.parametrize(
    ("capability", "sentence"),
    [
        ("cap:qcodes.write", "Nothing here can do that yet, so it grants nothing."),
        ("cap:database.read", "Nothing here can do that yet, so it grants nothing."),
        ("cap:python.builtin", "It grants nothing more."),
        ("cap:something.else", "It grants nothing."),
    ],
)
def test_what_nothing_enforces_is_said_to_grant_nothing(tmp_path: Path, capability: str, sentence: str) -> None:
    runtime = new_runtime(tmp_path, **{"server.mode": "unsafe"})
    card = runtime.client_tools.register(
        Offering(name="one", source_code="def one():\n    return 1", capabilities=(capability,)), "Claude"
    )

    (told,) = runtime.consents.request(card.card_id).capabilities

    assert (told.grants, sentence in told.sentence) == (False, True)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("def tried():\n    while True:\n        pass", "stopped after 1 second"),
        ("def tried():\n    return len([0] * 10**9)", "MB of memory"),
        ("import os\n\ndef tried():\n    return os.environ", "`os` is not a module"),
        ("def tried():\n    return (1).__class__.__mro__", "leads from data to Python's machinery"),
        ("def tried():\n    return open('/etc/passwd').read()", "`open` can run code, read files"),
    ],
)
def test_what_breaks_a_rule_or_a_limit_is_never_offered_to_a_person(live: Live, code: str, told: str) -> None:
    limits = ToolLimits(timeout_seconds=1 if "while True" in code else 30)

    with pytest.raises(SchemaValidationError, match=told):
        live(name="tried", source_code=code, resource_limits=limits)


def test_an_example_that_fails_and_a_result_of_another_type_are_refused(live: Live) -> None:
    code = "def ratio(a: float, b: float):\n    return a / b"

    with pytest.raises(SchemaValidationError, match=r"The example `ratio\(a=1, b=0\)` fails: ZeroDivisionError"):
        live(name="ratio", source_code=code, examples=("ratio(a=1, b=0)",))
    with pytest.raises(SchemaValidationError, match=r"`returns` says `string`, and `ratio\(a=1, b=2\)` gave 0.5"):
        live(name="ratio", source_code=code, examples=("ratio(1, 2)",), returns={"type": "string", "description": "It"})
