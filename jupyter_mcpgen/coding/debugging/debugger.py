"""Debugs code that failed: diagnosis, the failure seen again, fixes by rules and by the model, each tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from jupyter_mcpgen.coding.checkers import CHECKERS
from jupyter_mcpgen.coding.checking import Checking
from jupyter_mcpgen.coding.debugging import python_patches
from jupyter_mcpgen.coding.debugging.diagnosing import Failure, diagnose, ends_of
from jupyter_mcpgen.coding.debugging.languages import language_of
from jupyter_mcpgen.coding.debugging.model_patches import ask_for_patch
from jupyter_mcpgen.coding.debugging.patch import Patch, diff, edited
from jupyter_mcpgen.coding.debugging.trying import Held, Reproduced, Trials
from jupyter_mcpgen.coding.tree import SourceFile
from jupyter_mcpgen.errors import (
    AnalysisError,
    DiagnosisError,
    ModelError,
    PatchGenerationError,
    UnsupportedLanguage,
    VerificationError,
)
from jupyter_mcpgen.llm.model import Model
from jupyter_mcpgen.model.debugging import Debugged
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.guidance.rules.stderr import raised_in
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES

_COMPILERS = {"c": "gcc", "cpp": "gxx", "rust": "rustc"}
"""The compilers that say how they would mend something."""
MOST_RETRIES = 10


@dataclass(frozen=True)
class Failed:
    """Code that failed, with what its run wrote and how it ended; without a language it is found out.

    Where nothing says why it failed, it is run.
    """

    source: str
    stderr: str = ""
    exit_code: int = 1
    stdout: str = ""
    language: str | None = None

    def complaint(self, language: str) -> str:
        """Return what says why it failed: standard error, or standard output where only that names an exception."""
        is_on_stdout = not self.stderr.strip() and raised_in(self.stdout, language) is not None
        return self.stdout if is_on_stdout else self.stderr


@dataclass(frozen=True)
class Debugger:
    """Fixes code; `model` is there where a language model is configured."""

    executor: Executor
    model: Callable[[], Model] | None = None

    def debug(self, failed: Failed, retries: int = 3, cancellation: Cancellation | None = None) -> Debugged:
        """Return fixed code, verified against the failure.

        At most `retries` fixes are tried. Raises `DiagnosisError`, `PatchGenerationError` or `VerificationError`, each
        with what is known of the failure.
        """
        language = self._language(failed)
        trials = Trials(self.executor, language, cancellation or Cancellation())
        if failed.complaint(language).strip():
            failure = diagnose(failed.source, failed.complaint(language), failed.exit_code, language)
        else:
            run, failure = trials.fail(failed.source)
            failed = replace(failed, stderr=run.stderr, exit_code=run.exit_code, stdout=run.stdout)
        attempt = _Attempt(failed.source, trials.reproduce(failed.source, failure))
        for number in range(1, max(1, min(retries, MOST_RETRIES)) + 1):
            patch = self._next(attempt, failed, trials)
            if patch is None:
                break
            verdict = trials.holds(patch.code, attempt.reproduced)
            if isinstance(verdict, Held):
                words = " ".join((*attempt.done, patch.description))
                return Debugged(
                    fixed_code=patch.code,
                    diagnosis=failure.diagnosis,
                    patches_attempted=number,
                    patch_description=words,
                    patch=diff(failed.source, patch.code),
                    fixed_by="model" if attempt.used_model or patch.by == "model" else "rules",
                    verification=verdict.verification,
                )
            attempt = attempt.after(patch, verdict.why, verdict.left)
        raise self._no_fix(failure, attempt)

    def _language(self, failed: Failed) -> str:
        language = failed.language if failed.language not in (None, "", "auto") else None
        language = language or language_of(failed.source, ends_of(failed.stderr))
        if language is None:
            raise DiagnosisError("Nothing tells in which language this code is. Pass `language`.")
        if language not in LANGUAGES:
            raise UnsupportedLanguage(language, ", ".join(f"`{name}`" for name in LANGUAGES))
        return language

    def _next(self, attempt: _Attempt, failed: Failed, trials: Trials) -> Patch | None:
        """Return the next fix to try: of the rules first, and of the model where they have none left."""
        by_rule = next((patch for patch in self._by_rules(attempt, trials) if patch.code not in attempt.codes), None)
        if by_rule is not None or self.model is None:
            return by_rule
        try:
            patch = ask_for_patch(
                self.model(),
                attempt.source,
                failed.complaint(trials.language)
                if attempt.source == failed.source
                else attempt.reproduced.failure.diagnosis.root_cause,
                attempt.reproduced.failure,
                attempt.tried,
                trials.cancellation,
            )
        except ModelError as error:
            attempt.unanswered.append(str(error))
            return None
        return patch if patch.code.strip() and patch.code not in attempt.codes else None

    def _by_rules(self, attempt: _Attempt, trials: Trials) -> Iterator[Patch]:
        if trials.language == "python":
            yield from python_patches.patches(attempt.source, attempt.reproduced.failure)
        elif trials.language in _COMPILERS and attempt.reproduced.failure.name == "CompileError":
            yield from self._by_compiler(attempt.source, trials)

    def _by_compiler(self, source: str, trials: Trials) -> Iterator[Patch]:
        """Yield what a compiler would mend itself: a missing semicolon, a misspelt name."""
        checker = next(one for one in CHECKERS if one.name == _COMPILERS[trials.language])
        file = SourceFile(f"main{LANGUAGES[trials.language].extension}", trials.language, source.encode())
        try:
            (checked,) = Checking(self.executor.sandbox).check(checker, (file,), trials.cancellation).values()
        except AnalysisError:
            return  # the compiler broke on it; there may be other fixes
        for flaw in checked.flaws:
            if flaw.edits:
                yield Patch(edited(source, flaw.edits), f"Line {flaw.line}: {flaw.message}; as the compiler suggests.")

    def _no_fix(self, failure: Failure, attempt: _Attempt) -> PatchGenerationError | VerificationError:
        if attempt.tried:
            patch, why = attempt.tried[-1]
            count = "The one fix" if len(attempt.tried) == 1 else f"None of the {len(attempt.tried)} fixes"
            held = "does not hold" if len(attempt.tried) == 1 else "holds"
            return VerificationError(
                f"{count} that was tried {held}. The last one: {patch.description} Then: {why}", failure.diagnosis
            )
        no_model = "no language model is configured" if self.model is None else "the language model gave none"
        told = f" ({attempt.unanswered[-1]})" if attempt.unanswered else ""
        return PatchGenerationError(
            f"No fix was found: no rule knows a safe one, and {no_model}{told}. The cause: "
            f"{failure.diagnosis.error_type}: {failure.diagnosis.root_cause}",
            failure.diagnosis,
        )


@dataclass(frozen=True)
class _Attempt:
    """How far debugging is: the code so far, the failure that is left, and what was tried."""

    source: str
    reproduced: Reproduced
    tried: tuple[tuple[Patch, str], ...] = ()
    done: tuple[str, ...] = ()
    used_model: bool = False
    unanswered: list[str] = field(default_factory=list)

    @property
    def codes(self) -> frozenset[str]:
        """Return the codes that need not be tried again."""
        return frozenset({self.source, *(patch.code for patch, _ in self.tried)})

    def after(self, patch: Patch, why: str, left: Failure | None) -> _Attempt:
        """Return the attempt after a fix that did not hold: where it led to a later failure, it goes on from there."""
        tried = (*self.tried, (patch, why))
        goes_on = self.reproduced.by == "run" and left is not None and _is_progress(self.reproduced.failure, left)
        if left is None or not goes_on:
            return _Attempt(self.source, self.reproduced, tried, self.done, self.used_model, self.unanswered)
        used_model = self.used_model or patch.by == "model"
        done = (*self.done, patch.description)
        later = replace(self.reproduced, failure=left)
        return _Attempt(patch.code, later, tried, done, used_model, self.unanswered)


def _is_progress(before: Failure, left: Failure) -> bool:
    """Return whether another failure is left: of another kind or cause, and no worse one that a change brought in."""
    came_in = left.name in ("SyntaxError", "IndentationError", "CompileError") and left.name != before.name
    same = (before.name, before.diagnosis.root_cause) == (left.name, left.diagnosis.root_cause)
    return not same and not came_in
