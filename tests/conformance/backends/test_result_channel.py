"""On every backend, only a complete answer on the result channel counts, whatever a tool does to its streams."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.sandbox.job import Outcome
from tests.conformance.backends.process_backends import Runner

pytestmark = pytest.mark.every_run(backend=["level 1", "level 2"])


def test_a_tool_may_close_its_streams(run: Runner) -> None:
    assert run("import sys\ndef tool():\n    sys.stdout.close()\n    return ''").outcome is Outcome.COMPLETED


def test_a_copy_of_the_result_channel_that_stays_open_keeps_nobody_waiting(run: Runner) -> None:
    record = run("import os\ndef tool():\n    os.dup(3)\n    return 'done'")

    assert (record.outcome, record.answers[0].text) == (Outcome.COMPLETED, "done")


def test_a_crash_is_reported_with_its_signal(run: Runner) -> None:
    record = run("import ctypes\ndef tool(): ctypes.string_at(0)")

    assert (record.outcome, record.reason) == (Outcome.CRASHED, "The job was killed by SIGSEGV.")


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
