"""How an ending becomes an outcome: the supervisor's facts come before the job's words."""

from __future__ import annotations

import os
import signal

from jupyter_mcpgen.sandbox.job import Outcome
from jupyter_mcpgen.sandbox.jobs.channel import Received
from jupyter_mcpgen.sandbox.jobs.launch import Ending
from jupyter_mcpgen.sandbox.policy import Limits
from jupyter_mcpgen.wording import in_seconds

_MEGABYTE = 1024 * 1024
_NEARLY_ALL = 0.9


def judge(ending: Ending, received: Received, limits: Limits) -> tuple[Outcome, str | None]:
    """Return how a job ended and why; the job's own word is taken only where it speaks against itself."""
    if ending.cancelled:
        return Outcome.CANCELLED, "The job was cancelled while it ran."
    if ending.overflow is not None:
        return Outcome.OUTPUT_EXCEEDED, f"The job was stopped because {ending.overflow}."
    if ending.timed_out:
        return Outcome.TIMED_OUT, f"The job was stopped after {in_seconds(limits.wall_seconds)}."
    if os.WIFSIGNALED(ending.status):
        return _judge_signal(os.WTERMSIG(ending.status), ending, limits)
    if any(answer.error_type == "MemoryError" for answer in (received.load_error, *received.answers) if answer):
        return Outcome.MEMORY_EXCEEDED, f"The job asked for more than {limits.memory_mb} MB of memory."
    if received.load_error is not None:
        error = received.load_error
        return Outcome.FAILED, f"`tool.py` could not be loaded: {error.error_type}: {error.error_message}"
    code = os.WEXITSTATUS(ending.status)
    if code != 0 or received.problem is not None:
        return Outcome.FAILED, f"The job ended with exit code {code}. {received.problem or ''}".rstrip()
    return Outcome.COMPLETED, None


def _judge_signal(number: int, ending: Ending, limits: Limits) -> tuple[Outcome, str]:
    # At the soft limit the kernel sends SIGXCPU, which the first process of a namespace ignores,
    # at the hard one SIGKILL.
    if number == signal.SIGXCPU or (number == signal.SIGKILL and ending.cpu_seconds >= limits.cpu_seconds):
        return Outcome.CPU_EXCEEDED, f"The job used more than {in_seconds(limits.cpu_seconds)} of processor time."
    if ending.peak_memory_bytes >= _NEARLY_ALL * limits.memory_mb * _MEGABYTE:
        return Outcome.MEMORY_EXCEEDED, f"The job died with nearly all of its {limits.memory_mb} MB of memory in use."
    return Outcome.CRASHED, f"The job was killed by {signal.Signals(number).name}."
