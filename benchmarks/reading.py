"""What asking a language model adds to an answer, beside the time that the model itself takes.

The model is a server on this machine that replies at once with the right SQL. `python -m benchmarks.reading TABLE
REGISTRY ADDRESS` answers a question for each line of input, read by whom the line names, and prints a line after it.
"""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from benchmarks.asking import questions
from benchmarks.measure import Row, in_turns
from benchmarks.place import Place

REPEATS = 8
_FIGURES = {"total": "sum", "average": "avg", "median": "median"}
_ASKED = re.compile(r"Question: (\w+) (\w+) by (\w+) in crashes")


def rows(place: Place) -> Iterator[Row]:
    """Measure answers that a model reads beside answers that the planner reads, in one process."""
    with _replying() as address, _answering(place, address) as ask:
        for reader in ("model", "planner", "model"):
            ask(reader)
        by_model, by_planner = in_turns((lambda: ask("model"), lambda: ask("planner")), REPEATS)
    yield Row("question → answer, read by a model that replies at once", by_model, "read by the planner", by_planner)


class _Model(BaseHTTPRequestHandler):
    """Replies to a question of the benchmark with the SQL for it."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Reply at once."""
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = _ASKED.search(sent["messages"][-1]["content"])
        assert asked is not None
        figure, column, group = asked.groups()
        sql = (
            f'SELECT "{group}", {_FIGURES[figure]}("{column}") AS figure FROM "crashes" '  # noqa: S608  a reply, not run here
            f'WHERE "{group}" IS NOT NULL GROUP BY "{group}" ORDER BY figure DESC NULLS LAST'
        )
        reply = {"notes": "", "kind": "sql", "sql": sql, "reading": "a figure by group", "chart": None}
        content = json.dumps({**reply, "assumptions": [], "message": None, "options": [], "missing": []})
        choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
        body = json.dumps({"id": "1", "object": "chat.completion", "model": "instant", "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name of the base class
        """Print nothing."""


@contextmanager
def _replying() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Model) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()


@contextmanager
def _answering(place: Place, address: str) -> Iterator[Callable[[str], float]]:
    """Keep a process that answers another question at every call."""
    program = ("-m", "benchmarks.reading", str(place.table), str(place.new_folder("registry")), address)
    with place.kept(*program) as said:

        def once(reader: str) -> float:
            ((answer, milliseconds),) = said(reader, 1)
            assert answer == reader
            return milliseconds

        yield once


def _answer(table: str, registry: str, address: str) -> None:
    import pandas as pd  # deferred, with the product itself: this is the process that is measured

    from jupyter_mcpgen.readers import Reader
    from jupyter_mcpgen.runtime import build
    from jupyter_mcpgen.settings import load_settings

    settings = {"registry.path": registry, "llm.model": "instant", "llm.base_url": address}
    runtime = build(load_settings(overrides=settings).values)
    frame = pd.read_csv(table)
    for line, question in zip(sys.stdin, questions(), strict=False):
        computed = runtime.compute(question, runtime.reference("crashes", frame), reader=Reader(line.strip()))
        assert computed.intent.read_by == line.strip()
        print(line.strip(), flush=True)


if __name__ == "__main__":
    _answer(*sys.argv[1:])
