"""The checkers: what each looks for in which languages, what it needs to be installed, and how much it must see."""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

from jupyter_mcpgen.errors import CheckerMissing, ToolchainMissing
from jupyter_mcpgen.model.analysis import LANGUAGE_OF, AnalysisType
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, Toolchain, find_toolchain

INSIDE = Path(__file__).with_name("inside")
"""What runs in the sandbox."""
_EXTRA = 'Install it with `pip install "jupyter-mcpgen[coding]"`.'
_OURS = "Install jupyter-mcpgen again: it comes with it."


@dataclass(frozen=True)
class Checker:
    """One checker; with `sees_all` it must see all files of its languages at once, and else each by itself.

    `library` is what it is as a package of Python, and `program` the tool of the language's toolchain that it asks.
    Files of the languages in `includes` are not checked but may be included.
    """

    name: str
    category: AnalysisType
    languages: frozenset[str]
    library: str | None = None
    program: str | None = None
    includes: frozenset[str] = frozenset()
    sees_all: bool = False
    cure: str = _OURS

    @property
    def reads_headers(self) -> bool:
        """Whether it includes files, also those of this machine: the same files may get another answer tomorrow."""
        return bool(self.includes)

    @property
    def fingerprint(self) -> str:
        """Return what changes when it may find something else in the same files."""
        release = version(self.library) if self.library else "|".join(map(_release, sorted(self.programs().values())))
        return f"{self.name} {release} {sys.version_info[:2]} {_source_digest()}"

    def require(self, category: str, otherwise: str = "") -> None:
        """Raise `CheckerMissing` where it is not installed; `otherwise` is what to do if it cannot be."""
        if self.library is not None and importlib.util.find_spec(self.library) is None:
            raise CheckerMissing(self.name, category, f"{self.cure}{otherwise}")
        if self.program is not None:
            try:
                found = self.programs().get(self.program)
            except ToolchainMissing as missing:
                raise CheckerMissing(self.program, category, f"{missing}{otherwise}") from missing
            if found is None:
                raise CheckerMissing(self.program, category, f"Install `{self.program}`.{otherwise}")

    def programs(self) -> dict[str, str]:
        """Return the paths of the programs that it asks."""
        if self.name == "ruff":
            from ruff.__main__ import find_ruff_bin  # type: ignore[import-untyped]  # deferred: missing is an answer

            return {"ruff": str(find_ruff_bin())}
        if self.program is None:
            return {}
        tools = dict(self._toolchain().tools)
        if self.program == "gofmt":
            beside = shutil.which("gofmt", path=str(Path(tools["go"]).parent))
            return {} if beside is None else {"gofmt": beside}
        return tools

    def toolchains(self) -> tuple[Toolchain, ...]:
        """Return what it needs to read and run: Python always, and its language where it asks a compiler."""
        python = find_toolchain(LANGUAGES["python"])
        return (python,) if self.program is None else (python, self._toolchain())

    def _toolchain(self) -> Toolchain:
        (language,) = self.languages
        return find_toolchain(LANGUAGES[language])


_PYTHON = frozenset({"python"})
_HEADERS = frozenset({"c", "cpp"})
CHECKERS = (
    Checker("ruff", AnalysisType.LINT, _PYTHON, library="ruff"),
    Checker("mypy", AnalysisType.TYPE, _PYTHON, library="mypy", sees_all=True),
    Checker("bandit", AnalysisType.SECURITY, _PYTHON, library="bandit"),
    Checker("radon", AnalysisType.COMPLEXITY, _PYTHON, library="radon", cure=_EXTRA),
    Checker("vulture", AnalysisType.DEAD_CODE, _PYTHON, library="vulture", sees_all=True, cure=_EXTRA),
    Checker(
        "lizard", AnalysisType.COMPLEXITY, frozenset({"c", "cpp", "go", "java", "javascript", "rust"}),
        library="lizard", cure=_EXTRA,
    ),
    Checker("bash", AnalysisType.LINT, frozenset({"bash"}), program="bash"),
    Checker("gcc", AnalysisType.LINT, frozenset({"c"}), program="gcc", includes=_HEADERS, sees_all=True),
    Checker("gxx", AnalysisType.LINT, frozenset({"cpp"}), program="g++", includes=_HEADERS, sees_all=True),
    Checker("gofmt", AnalysisType.LINT, frozenset({"go"}), program="gofmt"),
    Checker("javac", AnalysisType.LINT, frozenset({"java"}), program="javac"),
    Checker("node", AnalysisType.LINT, frozenset({"javascript"}), program="node"),
    Checker("rustc", AnalysisType.LINT, frozenset({"rust"}), program="rustc", sees_all=True),
)  # fmt: skip
"""Every checker, by what it checks."""


def checkers_for(languages: Iterable[str], types: Collection[AnalysisType]) -> tuple[Checker, ...]:
    """Return the checkers of some categories for some languages; raises `CheckerMissing` for the first that lacks."""
    there = set(languages)
    chosen = tuple(one for one in CHECKERS if one.category in types and one.languages & there)
    for checker in chosen:
        meant = checker.languages & there
        checker.require(f"`{checker.category.value}` of {' and '.join(sorted(meant))}", _leave_out(meant, there))
    return chosen


def _leave_out(languages: Collection[str], there: Collection[str]) -> str:
    """Say how the files of some languages are left out, where there are others."""
    patterns = ",".join(f"*{ending}" for ending, language in LANGUAGE_OF.items() if language in languages)
    if not set(there) - set(languages):
        return ""
    return f' Or leave these files out: `--exclude "{patterns}"`, over MCP `exclude_patterns`.'


def _release(program: str) -> str:
    """Return what changes when another release of a program is installed in the same place."""
    there = Path(program).stat()
    return f"{program} {there.st_size} {there.st_mtime_ns}"


@cache
def _source_digest() -> str:
    whole = hashlib.sha256()
    for path in sorted(INSIDE.glob("*.py")):
        whole.update(path.read_bytes())
    return whole.hexdigest()[:16]
