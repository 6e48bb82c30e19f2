"""`debug`: runs a program in the sandbox, and where it fails says why and how to fix it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from tokenize import detect_encoding

from jupyter_mcpgen.coding.debugging.debugger import Failed
from jupyter_mcpgen.coding.tree import SourceFile, read_file
from jupyter_mcpgen.errors import AnalysisError, DebuggingError
from jupyter_mcpgen.model.debugging import CodeDiagnosis, Debugged
from jupyter_mcpgen.model.guidance import ErrorType
from jupyter_mcpgen.plan.visible import as_code, fenced, visible, visible_code
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.sandbox.execution.record import Status
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import UsageError, split_options

_OF_THE_SANDBOX = frozenset({
    ErrorType.FILE_NOT_FOUND, ErrorType.MEMORY_EXHAUSTED, ErrorType.MISSING_PACKAGE, ErrorType.MISSING_VENDORED_PACKAGE,
    ErrorType.NETWORK_DENIED, ErrorType.OUT_OF_FUEL, ErrorType.OUTPUT_EXCEEDED, ErrorType.PATH_RESTRICTION,
    ErrorType.PERMISSION_DENIED, ErrorType.PROCESS_DENIED, ErrorType.TIMEOUT,
})  # fmt: skip
"""Failures for want of something that the program may have elsewhere; the advice is for code of the sandbox."""
_ALONE = (
    "`debug` runs the program by itself in the sandbox: without your other files, without a network, with the packages "
    "of this environment, and for a limited time. Where the program has what it needs, it may run."
)


def debug(words: Sequence[str], runtime: Runtime) -> Said:
    """Run a program, and show what is wrong with it and the fix as a diff: `debug PATH`. The file stays as it is."""
    typed = split_options(words, ())
    if len(typed.words) != 1:
        raise UsageError("Which program? `debug PATH`, with one file.")
    source = read_file(Path(typed.words[0]).expanduser())
    code = _decoded(source)
    run = runtime.executor.execute(source.language, code)
    if run.status is Status.SUCCESS:
        return Said(text=f"{as_code(visible(source.path))} ran to its end in the sandbox. There is nothing to fix.")
    if run.status is Status.SETUP_ERROR:
        return Said(text=run.error_message or "The program could not be run.", ok=False)
    try:
        found = runtime.debugger.debug(Failed(code, run.stderr, run.exit_code, run.stdout, source.language))
    except DebuggingError as error:
        return Said(text="\n\n".join(_not_fixed(error)), ok=False)
    return Said(text="\n\n".join(_fixed(found)))


def _decoded(source: SourceFile) -> str:
    """Return a program as text: without the mark of its encoding, and of Python in the encoding that it names."""
    try:
        encoding = detect_encoding(BytesIO(source.content).readline)[0] if source.language == "python" else "utf-8-sig"
        return source.content.decode(encoding)
    except (SyntaxError, UnicodeDecodeError) as error:
        raise AnalysisError(f"`{source.path}` cannot be read as text: {error}. Save it as UTF-8.") from error


def _fixed(found: Debugged) -> Iterator[str]:
    yield _cause(found.diagnosis)
    yield _in_words(found.patch_description)
    yield fenced(visible_code(found.patch), "diff")
    by = "a rule" if found.fixed_by == "rules" else "the language model"
    yield f"The fix is from {by}. The failure was seen by {found.verification.failure_reproduced}, and is gone with it."


def _not_fixed(error: DebuggingError) -> Iterator[str]:
    if isinstance(error.diagnosis, CodeDiagnosis):
        yield _cause(error.diagnosis)
        if error.diagnosis.category in _OF_THE_SANDBOX:
            yield _ALONE
        elif error.diagnosis.advice:
            yield "\n".join(f"- {_in_words(step)}" for step in error.diagnosis.advice)
    yield _in_words(str(error))


def _cause(diagnosis: CodeDiagnosis) -> str:
    line = f" on line {diagnosis.line_number}" if diagnosis.line_number else ""
    return f"**{diagnosis.error_type}**{line}: {as_code(visible(diagnosis.root_cause))}"


def _in_words(words: str) -> str:
    """Return a sentence that may quote code, with everything in it that does not show spelled out."""
    return visible(" ".join(words.split()))
