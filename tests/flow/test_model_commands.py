"""A language model is connected, tried, asked and switched off in a terminal, over a real server that imitates one."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.cli import main
from tests.imitations.acts import listing, says, silent
from tests.imitations.server import Arrival, Imitation, Wire
from tests.products import own_place

KILNS = pd.DataFrame({"kiln": ["A", "A", "B", "B", "C"], "pots": [12, 9, 20, 4, 7], "cracked": [1, 0, 5, 0, 2]})
SQL = "SELECT kiln, sum(cracked) AS lost FROM kilns GROUP BY kiln ORDER BY lost DESC NULLS LAST"
PROGRAM = [sys.executable, "-c", "import sys; from jupyter_mcpgen.cli import main; sys.exit(main())"]
QUESTION = "which oven breaks the most ware"


def listed(wire: Wire) -> None:
    body = {"object": "list", "data": [{"id": "potter-7b", "object": "model", "owned_by": "imitation"}]}
    wire.send(200, "application/json", json.dumps(body).encode())


def asks_for_sql(arrival: Arrival) -> bool:
    return arrival.method == "POST" and "DuckDB SQL" in arrival.raw.decode()


def asks_to_add(arrival: Arrival) -> bool:
    return arrival.method == "POST" and "2 + 3" in arrival.raw.decode()


def reply(**other: str) -> str:
    fields = {
        "notes": "",
        "kind": "sql",
        "sql": SQL,
        "reading": "cracked pots by kiln",
        "chart": None,
        "assumptions": [],
    }
    return json.dumps({**fields, "message": None, "options": [], "missing": [], **other})


@pytest.fixture
def server() -> Iterator[Imitation]:
    with Imitation(((listing, listed), (asks_to_add, says('{"sum": 5}')), (asks_for_sql, says(reply())))) as imitation:
        yield imitation


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """Make a folder with a table, and settings and a registry that nobody else has."""
    KILNS.to_csv(tmp_path / "kilns.csv", index=False)
    with own_place(tmp_path, gates=False):
        yield tmp_path


def typed(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    done = main(list(words))
    out, err = capfd.readouterr()
    return done, out + err


def test_a_model_is_connected_tried_asked_and_switched_off(
    place: Path, server: Imitation, capfd: pytest.CaptureFixture[str]
) -> None:
    none = typed(capfd, "model")
    used = typed(capfd, "model", "use", server.address)
    tried = typed(capfd, "model", "test")
    answered = typed(capfd, "ask", "--csv", "--data", "kilns.csv", QUESTION)
    off = typed(capfd, "model", "off")
    after = typed(capfd, "ask", "--csv", "--data", "kilns.csv", QUESTION)

    assert "No language model is set up" in none[1]
    assert used[0] == 0
    assert "potter-7b" in used[1]
    assert "names and types of columns, and no values" in used[1]
    assert tried[0] == 0
    assert "answered in" in tried[1]
    assert answered[0] == 0, answered[1]
    assert "B,5" in answered[1]
    assert off[0] == 0
    assert after[0] != 0


def test_what_would_be_sent_is_shown_whole_and_not_sent(
    place: Path, server: Imitation, capfd: pytest.CaptureFixture[str]
) -> None:
    typed(capfd, "model", "use", server.address)

    done, said = typed(capfd, "preview", "--data", "kilns.csv", QUESTION)

    assert done == 0
    assert '- "cracked" BIGINT' in said
    assert QUESTION in said
    assert server.chats == []


def test_what_was_sent_is_what_the_preview_showed_and_is_in_the_log_without_its_text(
    place: Path, server: Imitation, capfd: pytest.CaptureFixture[str]
) -> None:
    typed(capfd, "model", "use", server.address)
    _, shown = typed(capfd, "preview", "--data", "kilns.csv", QUESTION)
    typed(capfd, "ask", "--data", "kilns.csv", QUESTION)

    sent = server.chats[0].body["messages"]
    log = "".join(path.read_text() for path in place.rglob("requests.jsonl"))

    assert all(line in " ".join(shown.split()) for line in [" ".join(m["content"].split()) for m in sent][1:])
    assert '"policy": "none"' in log or '"policy":"none"' in log
    assert "cracked" not in log


def test_a_wrong_address_is_one_plain_sentence_and_the_planner_goes_on(
    place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    typed(capfd, "model", "use", "http://127.0.0.1:9/v1", "potter-7b")

    tried = typed(capfd, "model", "test")
    refused = typed(capfd, "ask", "--data", "kilns.csv", QUESTION)
    sure = typed(capfd, "ask", "--csv", "--data", "kilns.csv", "total pots by kiln")

    assert tried[0] != 0
    assert "No model server answers at http://127.0.0.1:9" in tried[1]
    assert "The model was asked too" in " ".join(refused[1].split())
    assert "Traceback" not in refused[1]
    assert sure[0] == 0
    assert "A,21" in sure[1]


def test_a_project_cannot_choose_where_questions_go(
    place: Path, server: Imitation, capfd: pytest.CaptureFixture[str]
) -> None:
    (place / "mcpgen.yaml").write_text(f"llm:\n  model: potter-7b\n  base_url: {server.address}\n", encoding="utf-8")

    typed(capfd, "ask", "--data", "kilns.csv", QUESTION)

    assert server.arrivals == []


@pytest.mark.soak
def test_ctrl_c_ends_the_request_and_leaves_nothing_behind(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with Imitation(((asks_for_sql, silent),)) as server:
        typed(capfd, "model", "use", server.address, "potter-7b")
        server.begun.clear()
        command = [*PROGRAM, "ask", "--data", "kilns.csv", QUESTION]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert server.begun.wait(60)
            process.send_signal(signal.SIGINT)
            out, told = process.communicate(timeout=60)

        assert server.gone.wait(60)
    assert (process.returncode, out, told.strip()) == (130, "", "Stopped.")
    assert QUESTION not in typed(capfd, "list")[1]


@pytest.mark.soak
def test_a_terminal_shows_that_a_model_is_asked_and_a_pipe_does_not(
    place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ours, theirs = pty.openpty()
    command = [*PROGRAM, "ask", "--csv", "--data", "kilns.csv", QUESTION]
    refusal = says(reply(kind="refusal", message="Nobody wrote down which oven it was."))

    with Imitation(((listing, listed), (asks_for_sql, refusal))) as server:
        typed(capfd, "model", "use", server.address)
        piped = subprocess.run(command, capture_output=True, text=True, timeout=120)
        (place / "data").rename(place / "earlier")  # kept replies are not asked for again
        subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, timeout=120)
    os.close(theirs)

    shown = b""
    while piece := _read(ours):
        shown += piece
    assert "Language model: " in shown.decode()
    assert "Language model: " not in piped.stderr
    assert "Nobody wrote down which oven it was." in piped.stdout + piped.stderr


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # what a terminal says when nobody holds its other end
        return b""


@pytest.mark.soak
def test_what_the_model_alone_read_is_saved_by_the_command_that_the_refusal_prints(
    place: Path, server: Imitation, capfd: pytest.CaptureFixture[str]
) -> None:
    typed(capfd, "model", "use", server.address)
    typed(capfd, "ask", "--data", "kilns.csv", QUESTION)

    refused = typed(capfd, "approve")
    printed = re.search(r"jupyter mcpgen (approve \S+ --as-read)", " ".join(refused[1].split()))
    assert printed is not None, refused[1]
    saved = typed(capfd, *printed[1].split())

    assert refused[0] == 1
    assert "The model alone read the question, as “sum of cracked by kiln" in " ".join(refused[1].split())
    assert saved[0] == 0, saved[1]
    assert "is live" in saved[1]


def test_readings_that_differ_stand_beside_each_other_with_what_they_give(
    place: Path, server: Imitation, capfd: pytest.CaptureFixture[str]
) -> None:
    typed(capfd, "model", "use", server.address)

    done, said = typed(capfd, "ask", "--author", "both", "--data", "kilns.csv", "total pots by kiln")

    assert done != 0
    assert "read this differently" in said
    beside = [line for line in said.splitlines() if "(1)" in line and "(2)" in line]
    assert beside, said
    assert "24" in said  # the pots of kiln B
    assert re.search(r"\bB\s+│\s+5\b", said)  # its cracked ones
    assert "checked" not in said.casefold()
