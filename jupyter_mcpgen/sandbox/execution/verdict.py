"""Judges how a program ended, by its supervisor's word, and says it to the person who sent it."""

from __future__ import annotations

import os
import re
import signal

from jupyter_mcpgen.sandbox.execution.limits import ExecutionLimits
from jupyter_mcpgen.sandbox.execution.record import Reason
from jupyter_mcpgen.sandbox.inside.program_report import Stop
from jupyter_mcpgen.sandbox.programs.languages import Language
from jupyter_mcpgen.sandbox.programs.program import MEGABYTE, Ending
from jupyter_mcpgen.wording import in_seconds

_TIMED_OUT_CODE, _SIGNALLED_CODE = 124, 128
_NEARLY_ALL = 0.9
_FIRST_WORDS = _LAST_WORDS = 10_000


def judged(
    language: Language, ending: Ending, limits: ExecutionLimits, stderr: str, step: str
) -> tuple[Reason, str | None]:
    """Return what ended a program or a compiler, and a sentence about it where it is no success."""
    match ending.stop:
        case Stop.EXITED if step == "compiler" and ending.status == 0:
            return Reason.COMPILE_ERROR, "The compiler made no program: there is no `main` to start."
        case Stop.EXITED:
            return _judged_exit(language, ending, limits, stderr, step)
        case Stop.KILLED | Stop.ENDED_BY_HOST:
            return _judged_signal(language, ending, limits, stderr, step)
        case Stop.MAPPINGS_EXCEEDED as stop:
            return Reason.MEMORY_EXCEEDED, _EXCESS[stop].format(step=step)
        case stop:
            seconds = in_seconds(limits.time_seconds)
            return Reason(stop.value), _EXCESS[stop].format(step=step, seconds=seconds, limits=limits)


_EXCESS = {
    Stop.TIMED_OUT: "The {step} was stopped because its time was up: {seconds}.",
    Stop.CPU_EXCEEDED: "The {step} was stopped: it used up its processor time of {limits.cpu_budget_seconds:g} s.",
    Stop.MEMORY_EXCEEDED: "The {step} was stopped: it held more than its {limits.memory_mb} MB of memory.",
    Stop.MAPPINGS_EXCEEDED: "The {step} was stopped: it mapped memory or files in more pieces than can be looked at.",
    Stop.TASKS_EXCEEDED: "The {step} was stopped because it started too many processes or threads.",
    Stop.OUTPUT_EXCEEDED: "The {step} was stopped because it wrote more output than can be kept.",
    Stop.SCRATCH_EXCEEDED: "The {step} was stopped because it filled its folder beyond its quota.",
}


def _judged_exit(
    language: Language, ending: Ending, limits: ExecutionLimits, stderr: str, step: str
) -> tuple[Reason, str | None]:
    code = os.WEXITSTATUS(ending.status)
    if code == 0:
        return Reason.FINISHED, None
    last = complaint(language, stderr, step)
    if step == "program" and _admits_lack_of_memory(language, stderr):
        return Reason.MEMORY_EXCEEDED, f"The program ran out of its {limits.memory_mb} MB of memory: {last[:500]}"
    reason = Reason.RUNTIME_ERROR if step == "program" else Reason.COMPILE_ERROR
    return reason, f"The {step} ended with exit code {code}{': ' + last[:500] if last else '.'}"


def complaint(language: Language, stderr: str, step: str) -> str:
    """Return the line that says what was wrong: where the language has one for it, and else the last one."""
    pattern = language.compile_error if step == "compiler" else language.run_error
    found = re.search(pattern, stderr[:_FIRST_WORDS], re.MULTILINE) if pattern else None
    if found is not None:
        return " ".join(found[0].split())
    said = stderr.rstrip()
    return said[max(said.rfind("\n"), said.rfind("\r")) + 1 :].strip()


def _admits_lack_of_memory(language: Language, stderr: str) -> bool:
    # The program's own word is believed here, because it speaks against itself.
    return any(word in stderr[-_LAST_WORDS:] for word in language.out_of_memory)


def _judged_signal(
    language: Language, ending: Ending, limits: ExecutionLimits, stderr: str, step: str
) -> tuple[Reason, str]:
    if step == "program" and _admits_lack_of_memory(language, stderr):
        return Reason.MEMORY_EXCEEDED, f"The program ran out of its {limits.memory_mb} MB of memory and ended."
    if ending.peak_memory_bytes >= _NEARLY_ALL * limits.memory_mb * MEGABYTE:
        return Reason.MEMORY_EXCEEDED, f"The {step} died with nearly all of its {limits.memory_mb} MB of memory in use."
    name = signal.Signals(os.WTERMSIG(ending.status)).name if os.WIFSIGNALED(ending.status) else "its supervisor"
    return Reason.KILLED, f"The {step} was killed by {name}."


def exit_code(ending: Ending) -> int:
    """Return the exit code as a shell would tell it."""
    if ending.stop in (Stop.TIMED_OUT, Stop.CPU_EXCEEDED):
        return _TIMED_OUT_CODE
    if os.WIFSIGNALED(ending.status):
        return _SIGNALLED_CODE + os.WTERMSIG(ending.status)
    return os.WEXITSTATUS(ending.status)
