"""Analyzes a file or a project: reads it once, asks every checker about what changed, and adds up what they say."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from jupyter_mcpgen.coding.checkers import Checker, checkers_for
from jupyter_mcpgen.coding.checking import Checked, Checking
from jupyter_mcpgen.coding.kept import Kept
from jupyter_mcpgen.coding.tree import SourceFile, SourceTree, read_file, read_tree
from jupyter_mcpgen.errors import AnalysisError
from jupyter_mcpgen.model.analysis import (
    MOST_ISSUES,
    MOST_TOP_ISSUES,
    SEVERITIES,
    AnalysisType,
    CodeMetrics,
    FileAnalysis,
    Issue,
    ProjectAnalysis,
    ProjectMetrics,
    Unchecked,
    counted,
)
from jupyter_mcpgen.model.validation import Severity
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox

FILES_AT_ONCE = 500
"""How many files one process is asked about, where each is checked by itself."""
Progress = Callable[[int, int], None]
"""Hears how many checks are done, of how many."""


def unheard(done: int, of: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class Whole:
    """Everything that was found, before it is cut to what a client or a report shows."""

    tree: SourceTree
    issues: tuple[Issue, ...]
    checkers: tuple[str, ...]
    unchecked: tuple[Unchecked, ...]
    complexities: Mapping[str, tuple[float, ...]]
    maintainability: Mapping[str, float]


@dataclass(frozen=True)
class Analyst:
    """Analyzes code in a sandbox, and keeps what checkers said of each content."""

    sandbox: ProgramSandbox
    kept: Kept = field(default_factory=lambda: Kept(None))
    workers: int = os.cpu_count() or 1

    def file(
        self,
        path: Path,
        types: Collection[AnalysisType] = tuple(AnalysisType),
        threshold: Severity = Severity.INFO,
        cancellation: Cancellation | None = None,
        named: str | None = None,
    ) -> FileAnalysis:
        """Return what is found in one file, down to a severity; `named` is what the answer calls it.

        Raises `SourceMissing`, `UnsupportedLanguage`, `CheckerMissing` or `AnalysisError`.
        """
        source = read_file(path)
        found = self._whole(SourceTree((source,)), types, cancellation or Cancellation(), unheard)
        wanted = SEVERITIES[: SEVERITIES.index(threshold) + 1]
        called = named or str(path)
        issues = tuple(issue.replace(file=called) for issue in found.issues if issue.severity in wanted)
        return FileAnalysis(
            file_path=called,
            language=source.language,
            issues=issues[:MOST_ISSUES],
            left_out=max(0, len(issues) - MOST_ISSUES),
            metrics=_metrics(source, found),
            issue_counts=counted(issues),
            checkers=found.checkers,
            unchecked=tuple(one.replace(file=called) for one in found.unchecked),
        )

    def whole(
        self,
        path: Path,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        cancellation: Cancellation | None = None,
        progress: Progress = unheard,
    ) -> Whole:
        """Return all that is found in a project, or in one file.

        Raises `FolderMissing`, `UnsupportedLanguage`, `CheckerMissing` or `AnalysisError`.
        """
        tree = SourceTree((read_file(path),)) if path.is_file() else read_tree(path, include, exclude)
        return self._whole(tree, tuple(AnalysisType), cancellation or Cancellation(), progress)

    def _whole(
        self, tree: SourceTree, types: Collection[AnalysisType], cancellation: Cancellation, progress: Progress
    ) -> Whole:
        checkers = checkers_for({file.language for file in tree.files}, types)
        checking = Checking(self.sandbox)
        said: dict[str, dict[str, Checked]] = {checker.name: {} for checker in checkers}
        waiting: list[_Part] = []
        for checker in checkers:
            theirs = tuple(file for file in tree.files if file.language in checker.languages)
            included = _included(checker, tree)
            said[checker.name].update(self.kept.find(checker, theirs, tree.package, included))
            fresh = tuple(file for file in theirs if file.path not in said[checker.name])
            parts = [theirs] if checker.sees_all and fresh else _parts(fresh, self.workers)
            waiting += [_Part(checker, part, tree.package, included) for part in parts]

        def check(part: _Part) -> None:
            known = said[part.checker.name]
            for answer in _answers(checking, part, cancellation):
                if isinstance(answer, Unanswered):
                    known.update(answer.as_unchecked)
                else:
                    self.kept.keep(part.checker, part.files, answer, part.package, part.included)
                    known.update(answer)

        with ThreadPoolExecutor(max(1, min(self.workers, len(waiting)))) as pool:
            try:
                for done, _ in enumerate(pool.map(check, waiting), 1):
                    progress(done, len(waiting))
            except BaseException:  # also what a person interrupts: the checks that run are ended, and no other begins
                cancellation.cancel()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return _together(tree, checkers, said)


def summarize(whole: Whole, path: str) -> ProjectAnalysis:
    """Return a project's analysis as clients read it, with the worst issues in place of all."""
    files = whole.tree.files
    counts = counted(whole.issues)
    lines = sum(file.lines for file in files)
    complexities = [each for found in whole.complexities.values() for each in found]
    return ProjectAnalysis(
        path=path,
        files_analyzed=len(files),
        total_issues=len(whole.issues),
        issue_summary=counts,
        quality_score=quality_score(counts, lines),
        metrics=ProjectMetrics(
            total_loc=lines,
            avg_complexity=_mean(complexities) if whole.complexities else None,
            avg_maintainability=_mean(whole.maintainability.values()) if whole.maintainability else None,
        ),
        top_issues=whole.issues[:MOST_TOP_ISSUES],
        files_with_issues=tuple(sorted({issue.file for issue in whole.issues})),
        languages=Counter(file.language for file in files),
        checkers=whole.checkers,
        unchecked=whole.unchecked,
        skipped=whole.tree.skipped,
    )


def quality_score(counts: Mapping[Severity, int], lines: int) -> float:
    """Return a score from 0 to 100; `ProjectAnalysis` says how it is made."""
    flaws = 5 * counts[Severity.ERROR] + counts[Severity.WARNING]
    return round(max(0.0, 100 - 100 * flaws / max(lines, 1)), 2)


@dataclass(frozen=True)
class _Part:
    """Files that one process of a checker is asked about, with what they may include."""

    checker: Checker
    files: tuple[SourceFile, ...]
    package: str | None
    included: tuple[SourceFile, ...]


@dataclass(frozen=True)
class Unanswered:
    """Files that a checker gave no answer about, such as one that it broke on; nothing of it is kept."""

    files: tuple[SourceFile, ...]
    why: str

    @property
    def as_unchecked(self) -> dict[str, Checked]:
        """Return that these files were not checked."""
        return {file.path: Checked(unchecked=self.why) for file in self.files}


def _answers(
    checking: Checking, part: _Part, cancellation: Cancellation
) -> Iterator[Mapping[str, Checked] | Unanswered]:
    """Yield what a checker says of files; where it breaks, the file that it breaks on is looked for, and named."""
    try:
        yield checking.check(part.checker, part.files, cancellation, part.package, part.included)
    except AnalysisError as error:
        if part.checker.sees_all or len(part.files) == 1:
            yield Unanswered(part.files, str(error))
            return
        middle = len(part.files) // 2
        for half in (part.files[:middle], part.files[middle:]):
            yield from _answers(checking, replace(part, files=half), cancellation)


def _included(checker: Checker, tree: SourceTree) -> tuple[SourceFile, ...]:
    return tuple(one for one in tree.files if one.language in checker.includes - checker.languages)


def _parts(files: tuple[SourceFile, ...], workers: int) -> Iterator[tuple[SourceFile, ...]]:
    """Yield files in parts that keep every worker busy, and no process for too long."""
    size = max(1, min(FILES_AT_ONCE, math.ceil(len(files) / workers)))
    for begin in range(0, len(files), size):
        yield files[begin : begin + size]


def _together(tree: SourceTree, checkers: Sequence[Checker], said: Mapping[str, Mapping[str, Checked]]) -> Whole:
    issues: list[Issue] = []
    unchecked: list[Unchecked] = []
    complexities: dict[str, tuple[float, ...]] = {}
    maintainability: dict[str, float] = {}
    for checker in checkers:
        for path, checked in said[checker.name].items():
            issues += _issues(checker, path, checked)
            if checked.unchecked is not None:
                unchecked.append(Unchecked(file=path, checker=checker.name, why=checked.unchecked))
            elif checker.category is AnalysisType.COMPLEXITY:
                complexities[path] = checked.complexities
            if checked.maintainability is not None:
                maintainability[path] = checked.maintainability
    return Whole(
        tree=tree,
        issues=tuple(sorted(issues, key=lambda issue: issue.rank)),
        checkers=tuple(checker.name for checker in checkers),
        unchecked=tuple(sorted(unchecked, key=lambda one: (one.file, one.checker))),
        complexities=complexities,
        maintainability=maintainability,
    )


def _issues(checker: Checker, path: str, checked: Checked) -> Iterator[Issue]:
    for flaw in checked.flaws:
        yield Issue(
            file=path,
            severity=flaw.severity,
            line=flaw.line,
            column=flaw.column,
            message=flaw.message,
            rule=flaw.rule,
            category=checker.category,
            suggestion=flaw.suggestion,
            checker=checker.name,
        )


def _metrics(file: SourceFile, found: Whole) -> CodeMetrics:
    measured = found.complexities.get(file.path)
    return CodeMetrics(
        lines_of_code=file.lines,
        cyclomatic_complexity=None if measured is None else _mean(measured),
        maintainability_index=found.maintainability.get(file.path),
    )


def _mean(values: Iterable[float]) -> float:
    """Return the mean, or 0 of nothing: code without functions branches nowhere."""
    listed = list(values)
    return round(sum(listed) / len(listed), 2) if listed else 0.0
