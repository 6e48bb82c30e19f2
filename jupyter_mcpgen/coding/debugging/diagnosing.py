"""Why code failed: the error that it ended with, its line and its cause, by the rules of the guide to errors."""

from __future__ import annotations

import re
from dataclasses import dataclass

from jupyter_mcpgen.errors import DiagnosisError
from jupyter_mcpgen.model.debugging import CodeDiagnosis
from jupyter_mcpgen.sandbox.execution.verdict import complaint
from jupyter_mcpgen.sandbox.guidance.guide import guide
from jupyter_mcpgen.sandbox.guidance.rules.compiled import COMPILED
from jupyter_mcpgen.sandbox.guidance.rules.ending import Ending
from jupyter_mcpgen.sandbox.guidance.rules.stderr import Raised, raised_in
from jupyter_mcpgen.sandbox.job import Outcome
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES

_FRAME = re.compile(r'^[ \t]*File "[^"]*", line (?P<line>\d+), in (?P<function>[\w<>.]+)', re.MULTILINE)
_LINE = re.compile(r"^(?:\S+?:)(\d+)(?::\d+)?:|^\S*: line (\d+):|--> {1,20}\S{1,400}?:(\d+):", re.MULTILINE)
_BASH = re.compile(r"^\S*: line (?P<line>\d+): (?P<says>.+)$", re.MULTILINE)
_FOLDER = re.compile(r"\S*/(?=[^/\s]+:\d)")
"""The folder before a place in a file, which is one of the sandbox."""
_SIGNALS = {134: "Aborted", 136: "FloatingPointException", 137: "Killed", 139: "SegmentationFault", 143: "Terminated"}
_TIMED_OUT = 124
_LONGEST = 500
_FIRST_WORDS = _LAST_WORDS = 10_000
"""How much of a long standard error is read: a compiler says first what matters, and an interpreter last."""


@dataclass(frozen=True)
class Failure:
    """How code failed: the diagnosis, the exception that it raised if it did, and the function that raised it."""

    diagnosis: CodeDiagnosis
    raised: Raised | None
    function: str | None = None

    @property
    def name(self) -> str:
        """Return what two failures of the same kind have in common."""
        return self.diagnosis.error_type


def diagnose(source: str, stderr: str, exit_code: int, language: str) -> Failure:
    """Return why a program failed; raises `DiagnosisError` where nothing was wrong, or nothing says what."""
    stderr = ends_of(stderr)
    raised = raised_in(stderr, language)
    if exit_code == 0 and raised is None:
        raise DiagnosisError(
            "Nothing says that this code failed: its exit code is 0, and there is no error on standard error. Pass "
            "both as the run gave them."
        )
    if raised is not None:
        return Failure(_of_exception(raised, source, stderr, exit_code, language), raised, _function(raised, stderr))
    refused = language in COMPILED and re.search(LANGUAGES[language].compile_error, stderr, re.MULTILINE)
    compiler = complaint(LANGUAGES[language], stderr, "compiler") if refused else ""
    if compiler:
        compiler = _FOLDER.sub("", compiler)
        diagnosis = CodeDiagnosis(
            error_type="CompileError", line_number=_line(compiler) or _line(stderr), root_cause=compiler[:_LONGEST],
            language=language, **_guided(source, stderr, exit_code, language, is_uncompiled=True),
        )  # fmt: skip
        return Failure(diagnosis, None)
    told = _of_shell(stderr, language) or _of_ending(stderr, exit_code, language)
    if told is None:
        raise DiagnosisError(
            f"The code ended with exit code {exit_code}, and nothing on standard error says why. Pass all of what the "
            "run wrote there."
        )
    return Failure(told, None)


def ends_of(stderr: str) -> str:
    """Return the beginning and the end of what a program wrote, where that is long."""
    if len(stderr) <= _FIRST_WORDS + _LAST_WORDS:
        return stderr
    return f"{stderr[:_FIRST_WORDS]}\n{stderr[-_LAST_WORDS:]}"


def _of_exception(raised: Raised, source: str, stderr: str, exit_code: int, language: str) -> CodeDiagnosis:
    cause = raised.message.strip() or f"`{raised.short_name}` was raised"
    where = f"; the line is `{raised.source}`" if raised.source else ""
    return CodeDiagnosis(
        error_type=raised.short_name,
        line_number=raised.line,
        root_cause=f"{cause[:_LONGEST]}{where}",
        language=language,
        **_guided(source, stderr, exit_code, language),
    )


def _guided(
    source: str, stderr: str, exit_code: int, language: str, *, is_uncompiled: bool = False
) -> dict[str, object]:
    """Return what the guide to errors says of a failure."""
    ending = Ending(
        Outcome.FAILED, exit_code or 1, stderr=stderr, code=source, language=language, is_uncompiled=is_uncompiled
    )
    found = guide(ending)
    return {} if found is None else {"category": found.error_type, "advice": found.actionable_guidance}


def _of_shell(stderr: str, language: str) -> CodeDiagnosis | None:
    found = next(_BASH.finditer(stderr), None) if language == "bash" else None
    if found is None:
        return None
    says = found["says"]
    kinds = {"command not found": "CommandNotFound", "syntax error": "SyntaxError", "No such file": "FileNotFound"}
    kind = next((name for part, name in kinds.items() if part in says), "ShellError")
    return CodeDiagnosis(error_type=kind, line_number=int(found["line"]), root_cause=says[:_LONGEST], language=language)


def _of_ending(stderr: str, exit_code: int, language: str) -> CodeDiagnosis | None:
    kind = "Timeout" if exit_code == _TIMED_OUT else _SIGNALS.get(exit_code) or _SIGNALS.get(128 - exit_code)
    lines = stderr.strip().splitlines()
    if kind is None and not lines:
        return None
    says = lines[-1][:_LONGEST] if lines else f"the program was ended: {kind}"
    return CodeDiagnosis(error_type=kind or "RuntimeError", line_number=None, root_cause=says, language=language)


def _function(raised: Raised, stderr: str) -> str | None:
    frames = [frame for frame in _FRAME.finditer(stderr) if raised.line is None or int(frame["line"]) == raised.line]
    name = frames[-1]["function"] if frames else ""
    return name if name.isidentifier() else None


def _line(text: str) -> int | None:
    found = _LINE.search(text)
    return None if found is None else int(next(group for group in found.groups() if group))
