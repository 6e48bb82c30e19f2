"""Runs mypy, pylint and bandit over one file in the sandbox, where it is loaded once for many looks.

None of the three runs the code they look at. They see the standard library and the file alone: what pandas is made of
would take them half a minute to read, and says nothing about a tool.
Each look is made in a process of its own, forked from one that has loaded this file: pylint keeps what a file says
about a library, and would hold it against the next one.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

# mypy would count processors, and a job has no `/proc`; pylint cannot find isort where it looks, and asks for it then
sys.modules["psutil"] = None  # type: ignore[assignment]
import isort  # noqa: E402, F401
from bandit.core.config import BanditConfig  # type: ignore[import-untyped]  # noqa: E402
from bandit.core.manager import BanditManager  # type: ignore[import-untyped]  # noqa: E402
from mypy.api import run  # noqa: E402
from pylint.lint import PyLinter  # noqa: E402
from pylint.reporters.json_reporter import JSON2Reporter  # noqa: E402

UNSEEN = ("import-error", "no-member", "no-name-in-module")
"""What pylint says of every library that it cannot see."""
OF_TASTE = (
    "duplicate-code", "line-too-long", "missing-module-docstring", "too-many-arguments", "too-many-locals",
    "too-many-positional-arguments",
)  # fmt: skip
"""What follows from the parameters of a tool, and what ruff says better."""
ALONE = ("--config-file=", "--no-site-packages", "--ignore-missing-imports", "--follow-imports=skip")
"""How mypy finds things: nothing but the file and the standard library."""
STRICT = ("--strict", "--no-warn-return-any", "--allow-untyped-decorators", "--allow-any-generics")
"""How mypy looks: strictly, but for what comes from libraries without types."""
SAMPLE = Path(__file__).with_name("sample.py")
LOOKED_AT, CACHE = "looked_at.py", "cache"


def look(code: str) -> dict[str, object]:
    """Return what each of the linters says of some code, or why it could not be asked."""
    os.environ["HOME"] = os.getcwd()
    Path(LOOKED_AT).write_text(code, encoding="utf-8", newline="\n")
    asked: dict[str, Callable[[str], object]] = {"bandit": bandit, "mypy": mypy, "pylint": pylint}
    return {name: _answered(ask, LOOKED_AT) for name, ask in asked.items()}


def _answered(ask: Callable[[str], object], file: str) -> object:
    try:
        return ask(file)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def bandit(file: str) -> list[dict[str, object]]:
    """Return what bandit finds: a rule, a line, how severe it is, and words."""
    manager = BanditManager(BanditConfig(), "file", ignore_nosec=True)
    manager.discover_files([file])
    manager.run_tests()
    return [
        {"rule": issue.test_id, "line": issue.lineno, "says": issue.text, "weighs": issue.severity}
        for issue in manager.get_issue_list()
    ]


def mypy(file: str) -> list[dict[str, object]]:
    """Return what mypy finds: a rule, a line and words."""
    for name, content in _READ.items():
        place = Path(CACHE, name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    said, wrong, status = run([*ALONE, *STRICT, "--output=json", f"--cache-dir={CACHE}", file])
    if status > 1 or wrong:
        raise RuntimeError(wrong or said)
    rows = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    return [
        {"rule": row["code"], "line": row["line"], "says": row["message"]} for row in rows if row["severity"] == "error"
    ]


def pylint(file: str) -> dict[str, object]:
    """Return what pylint finds, and its score from 0 to 10."""
    written = io.StringIO()
    linter = PyLinter()
    linter.load_default_plugins()
    linter.set_reporter(JSON2Reporter(written))
    for rule in (*UNSEEN, *OF_TASTE):
        linter.disable(rule)
    everything = sys.path[:]
    sys.path[:] = [place for place in everything if "site-packages" not in place]
    try:
        linter.check([file])
        linter.generate_reports()
    finally:
        sys.path[:] = everything
    report = json.loads(written.getvalue())
    found = [{"rule": row["symbol"], "line": row["line"], "says": row["message"]} for row in report["messages"]]
    return {"found": found, "score": report["statistics"]["score"]}


def _read_ahead() -> dict[str, bytes]:
    """Return what mypy keeps of the standard library, as files: to read it takes a second, to read these does not."""
    with TemporaryDirectory() as folder:
        run([*ALONE, *STRICT, f"--cache-dir={folder}", str(SAMPLE)])
        files = [path for path in Path(folder).rglob("*") if path.is_file()]
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


_READ = _read_ahead()
for _linter in (bandit, pylint):
    _linter(str(SAMPLE))
