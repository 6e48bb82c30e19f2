"""Copies of a kernel's variables over a socket that only its user may open."""

from __future__ import annotations

import io
import json
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pandas as pd
import pytest

from jupyter_mcpgen.notebook_values import Copies, NotCopied, ValueServer, copies_of_notebook


class _Broken:
    def tolist(self) -> list[Any]:
        """Fail as an object of any library may."""
        raise RuntimeError("not on this device")


KERNEL = """
import sys, time
from pathlib import Path
from jupyter_mcpgen.notebook_values import ValueServer

server = ValueServer(Path(sys.argv[1]), lambda: {"rate": 1})
print("ready", flush=True)
time.sleep(600)
"""


@pytest.fixture
def variables() -> dict[str, Any]:
    return {"rate": 1.5, "names": ["a", "b"], "array": np.array([1, 2]), "table": pd.DataFrame({"x": [1]})}


@pytest.fixture
def kernel(tmp_path: Path, variables: dict[str, Any]) -> Iterator[ValueServer]:
    server = ValueServer(tmp_path / "kernels", lambda: variables)
    yield server
    server.close()


def test_variables_are_copied_as_they_are_now(kernel: ValueServer, tmp_path: Path, variables: dict[str, Any]) -> None:
    assert copies_of_notebook(tmp_path / "kernels", ["rate", "names", "array"]).values == {
        "rate": 1.5, "names": ["a", "b"], "array": [1, 2],
    }  # fmt: skip
    variables["rate"] = 2
    assert copies_of_notebook(tmp_path / "kernels", ["rate"]).values == {"rate": 2}


def test_a_data_frame_is_copied_with_its_index_types_and_gaps(
    kernel: ValueServer, tmp_path: Path, variables: dict[str, Any]
) -> None:
    stops = pd.DataFrame(
        {"n": pd.array([1, None], dtype="Int64"), "day": pd.to_datetime(["2024-01-05", None])},
        index=pd.Index(["Ost", "West"], name="pier"),
    )
    variables["stops"] = stops

    found = copies_of_notebook(tmp_path / "kernels", ["stops", "rate"])

    pd.testing.assert_frame_equal(pd.read_feather(io.BytesIO(found.frames["stops"])), stops)
    assert found.values == {"rate": 1.5}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("missing", "`missing` is not defined in the notebook"),
        ("made", "`made` is a `object`, which JSON does not have"),
        ("long", "more than 4 MB as JSON"),
        ("wide", "more than 4 MB as JSON"),
        ("endless", "`endless` cannot be copied \\(RecursionError\\)"),
        ("broken", "`broken` cannot be copied \\(RuntimeError\\)"),
        ("huge", "`huge` takes more than 32 MB"),
        ("mixed", "`mixed` cannot be copied \\(Arrow"),
    ],
)
def test_what_cannot_be_copied_is_named(
    kernel: ValueServer, tmp_path: Path, variables: dict[str, Any], name: str, told: str
) -> None:
    endless: list[Any] = []
    endless.append(endless)
    wide = np.broadcast_to(np.zeros(1), (10**12,))  # as a list it would not fit into any memory
    variables |= {"made": object(), "long": "x" * 5_000_000, "wide": wide, "endless": endless, "broken": _Broken()}
    variables["huge"] = pd.DataFrame({"x": np.zeros(20_000_000)})
    variables["mixed"] = pd.DataFrame({"x": [1, "a", object()]})

    with pytest.raises(NotCopied, match=told):
        copies_of_notebook(tmp_path / "kernels", [name])
    assert copies_of_notebook(tmp_path / "kernels", ["rate"]).values == {"rate": 1.5}


@pytest.mark.parametrize("line", [b"[]\n", b"{}\n", b'{"names": 3}\n', b'{"names": [[]]}\n', b"no JSON\n"])
def test_a_question_that_is_none_leaves_the_kernel_answering(kernel: ValueServer, tmp_path: Path, line: bytes) -> None:
    (path,) = (tmp_path / "kernels").glob("*.sock")

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(str(path))
        connection.sendall(line)
        assert connection.recv(10) == b""

    assert copies_of_notebook(tmp_path / "kernels", ["rate"]).values == {"rate": 1.5}


def test_the_socket_is_the_users_alone(kernel: ValueServer, tmp_path: Path) -> None:
    (path,) = (tmp_path / "kernels").glob("*.sock")

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_place_that_is_long_serves_as_well(tmp_path: Path) -> None:
    folder = tmp_path / ("deep" * 30) / "kernels"
    server = ValueServer(folder, lambda: {"rate": 1})

    found = copies_of_notebook(folder, ["rate"])
    server.close()

    assert found.values == {"rate": 1}
    assert list(folder.glob("*.sock")) == []


def test_a_kernel_that_was_killed_is_passed_over(tmp_path: Path) -> None:
    with pytest.raises(NotCopied, match="no notebook is open"):
        copies_of_notebook(tmp_path / "kernels", ["rate"])
    command = [sys.executable, "-c", KERNEL, str(tmp_path / "kernels")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as kernel:
        assert kernel.stdout is not None
        assert kernel.stdout.readline() == "ready\n"
        before = copies_of_notebook(tmp_path / "kernels", ["rate"])
        kernel.kill()

    assert before.values == {"rate": 1}
    with pytest.raises(NotCopied, match="no notebook is open"):
        copies_of_notebook(tmp_path / "kernels", ["rate"])


@pytest.mark.parametrize(
    ("answer", "given"),
    [
        ({"values": {"rate": 1, "tool": 2}, "frames": {"../escaped": "QQ=="}}, Copies({"rate": 1}, {})),
        ({"values": {"rate": 1}, "frames": []}, Copies({"rate": 1}, {})),
        ({"values": {}, "frames": {"rate": 3}}, None),
        ({"values": 7}, None),
    ],
)
def test_what_a_kernel_answers_beside_what_was_asked_for_counts_nothing(
    tmp_path: Path, answer: dict[str, Any], given: Copies | None
) -> None:
    folder = tmp_path / "kernels"
    folder.mkdir()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(folder / "1.sock"))
        listener.listen()

        def tell() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(json.dumps(answer).encode() + b"\n")

        thread = Thread(target=tell)
        thread.start()
        if given is None:
            with pytest.raises(NotCopied, match="cannot be read"):
                copies_of_notebook(folder, ["rate"])
        else:
            assert copies_of_notebook(folder, ["rate"]) == given
        thread.join()
