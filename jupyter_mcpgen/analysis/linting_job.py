"""Runs mypy, pylint and bandit over one file, in the sandbox: it is laid there as the code of a job of its own.

None of the three runs the code they look at. They see the standard library and the file alone: what pandas is made of
would take them half a minute to read, and says nothing about a tool.
"""

from __future__ import annotations

import io
import json
import os
import sys
import tokenize
from collections.abc import Callable
from pathlib import Path

UNSEEN = ("import-error", "no-member", "no-name-in-module")
"""What pylint says of every library that it cannot see."""
OF_TASTE = (
    "duplicate-code", "line-too-long", "missing-module-docstring", "too-many-arguments", "too-many-locals",
    "too-many-positional-arguments",
)  # fmt: skip
"""What follows from the parameters of a tool, and what ruff says better."""
STRICT = ("--strict", "--no-warn-return-any", "--allow-untyped-decorators", "--allow-any-generics")
"""How mypy looks: strictly, but for what comes from libraries without types."""


def look(code: str) -> dict[str, object]:
    """Return what each of the linters says of some code, or why it could not be asked."""
    sys.modules["psutil"] = None  # type: ignore[assignment]  # mypy would count processors, and there is no /proc here
    os.environ["HOME"] = os.getcwd()
    file = Path("looked_at.py")
    file.write_text(without_comments(code), encoding="utf-8", newline="\n")
    asked: dict[str, Callable[[str], object]] = {"bandit": bandit, "mypy": mypy, "pylint": pylint}
    return {name: _answered(ask, str(file)) for name, ask in asked.items()}


def without_comments(code: str) -> str:
    """Return code without its comments, each line in its place: no comment may tell a linter to look away."""
    lines = code.splitlines()
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):
        return code  # the linters say what is wrong with it
    for token in tokens:
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    return "\n".join(lines) + "\n"


def _answered(ask: Callable[[str], object], file: str) -> object:
    try:
        return ask(file)
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def bandit(file: str) -> list[dict[str, object]]:
    """Return what bandit finds: a rule, a line, how severe it is, and words."""
    from bandit.core.config import BanditConfig  # type: ignore[import-untyped]
    from bandit.core.manager import BanditManager  # type: ignore[import-untyped]

    manager = BanditManager(BanditConfig(), "file", ignore_nosec=True)
    manager.discover_files([file])
    manager.run_tests()
    return [
        {"rule": issue.test_id, "line": issue.lineno, "says": issue.text, "weighs": issue.severity}
        for issue in manager.get_issue_list()
    ]


def mypy(file: str) -> list[dict[str, object]]:
    """Return what mypy finds: a rule, a line and words."""
    from mypy.api import run

    alone = ("--config-file=", "--no-incremental", "--cache-dir=/dev/null", "--no-site-packages")
    libraries = ("--ignore-missing-imports", "--follow-imports=skip")
    said, wrong, status = run([*alone, *libraries, *STRICT, "--output=json", file])
    if status > 1 or wrong:
        raise RuntimeError(wrong or said)
    rows = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    return [
        {"rule": row["code"], "line": row["line"], "says": row["message"]} for row in rows if row["severity"] == "error"
    ]


def pylint(file: str) -> dict[str, object]:
    """Return what pylint finds, and its score from 0 to 10."""
    import isort  # noqa: F401  pylint imports it when it looks, and then it cannot be found any more
    from pylint.lint import PyLinter
    from pylint.reporters.json_reporter import JSON2Reporter

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
