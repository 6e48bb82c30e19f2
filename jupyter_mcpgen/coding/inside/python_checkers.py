"""The checkers of Python code. None of them runs the code, and none reads settings of the project."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import tokenize
from typing import Any

from .found import ERROR, INFO, WARNING, Checked, Files, Flaw, Found, Programs, by_file, too_complex

LINTED = "B,C4,E,F,PERF,PIE,PLE,PLW,RUF,SIM,UP,W"
LEFT_OUT = "E501,RUF001,RUF002,RUF003,RUF100"
WRONG = ("F5", "F6", "F7", "F82", "E9", "PLE", "invalid-syntax")
"""Rules of ruff for code that fails or does something else than it says; the ones below are about likely mistakes."""
DOUBTFUL = ("F", "B", "PLW", "E7")
CERTAIN_PERCENT = 90
LEAST_PERCENT = 60
PACKAGE = "project"
PACKAGES = ("/__init__.py", "/__init__.pyi")
"""How the file of a package ends."""
PAGE_OF_TYPES = "https://mypy.readthedocs.io/en/stable/_refs.html"
UNPARSED = Found(unchecked="it cannot be parsed")
TYPED = (
    "--config-file=", "--no-site-packages", "--ignore-missing-imports", "--follow-imports=silent",
    "--explicit-package-bases", "--namespace-packages", "--check-untyped-defs", "--no-error-summary",
    "--show-column-numbers", "--output=json",
)  # fmt: skip


def ruff(files: Files, programs: Programs) -> Checked:
    """Return what ruff finds, with the fix that it would make."""
    options = ("--isolated", "--no-cache", "--exit-zero", "--output-format=json")
    rules = (f"--select={LINTED}", f"--ignore={LEFT_OUT}", "--target-version=py311")
    command = [programs["ruff"], "check", *options, *rules, "--", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  # this is in the sandbox
    rows = [(os.path.relpath(row["filename"]), row) for row in json.loads(done.stdout)]
    unread = {file: row["message"] for file, row in rows if row["code"] == "E902" and _parsed(file) is not None}
    found = by_file([(file, _linted(row)) for file, row in rows if file not in unread])
    return {**found, **{file: Found(unchecked=why) for file, why in unread.items()}}  # Python reads other encodings


def _linted(row: dict[str, Any]) -> Flaw:
    rule = str(row["code"] or "invalid-syntax")
    severity = ERROR if rule.startswith(WRONG) else WARNING if rule.startswith(DOUBTFUL) else INFO
    if rule in ("F541", "F401", "F811", "F841"):
        severity = WARNING
    place, fix = row["location"], row["fix"] or {}
    suggestion = fix.get("message") or (f"See {row['url']}" if row["url"] else None)
    return Flaw(severity, place["row"], place["column"], rule, row["message"], suggestion)


def mypy(files: Files, programs: Programs) -> Checked:
    """Return the errors of types in files that can be parsed, seen together; imports that are not there are `Any`.

    A project may have a module of the name of one of the library, which mypy refuses; it is then checked as one package
    of another name, in which only relative imports are found.
    """
    unparsed = _unparsed(files)
    hidden = _hidden([file for file in files if file not in unparsed])
    parsed = [file for file in files if file not in unparsed and file not in hidden]
    if not parsed:
        return unparsed
    os.environ["MYPYPATH"] = "src"
    found = _typed_in(".", parsed)
    if isinstance(found, str):
        os.environ["MYPYPATH"] = ""
        place = os.path.join(os.environ["HOME"], "renamed")
        for file in parsed:
            os.makedirs(os.path.join(place, PACKAGE, os.path.dirname(file)), exist_ok=True)
            shutil.copyfile(file, os.path.join(place, PACKAGE, file))
        os.chdir(place)
        found = _typed_in(PACKAGE, parsed)
    typed = {file: Found(unchecked=found) for file in parsed} if isinstance(found, str) else found
    return {**typed, **{file: Found(unchecked=why) for file, why in hidden.items()}, **unparsed}


def _hidden(files: Files) -> dict[str, str]:
    """Return the files that another one hides from whoever imports their module, with what is checked instead."""
    modules: dict[str, list[str]] = {}
    for file in files:
        modules.setdefault(os.path.splitext(file)[0].removesuffix("/__init__"), []).append(file)
    found: dict[str, str] = {}
    for same in modules.values():
        first = min(same, key=lambda file: (not file.endswith(PACKAGES), not file.endswith(".pyi")))
        other = "its stub" if first.endswith(".pyi") else "the package of its name"
        found |= {file: f"{other} is checked in its place" for file in same if file != first}
    return found


def _typed_in(folder: str, files: Files) -> Checked | str:
    """Return what mypy finds in files of a folder, or why it does not check them."""
    from mypy.api import run

    cache = f"--cache-dir={os.environ['HOME']}/mypy"
    said, wrong, status = run([*TYPED, cache, "--", *(os.path.normpath(os.path.join(folder, file)) for file in files)])
    if status > 1:
        last = ((wrong or said).strip().splitlines() or ["mypy gave no answer"])[-1]
        return str(json.loads(last)["message"] if last.startswith("{") else last)[:500]
    rows = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    return by_file([(os.path.relpath(row["file"], folder), _typed(row)) for row in rows if row["severity"] == "error"])


def _typed(row: dict[str, Any]) -> Flaw:
    suggestion = row["hint"] or f"See {PAGE_OF_TYPES}#code-{row['code']}"
    return Flaw(ERROR, row["line"], row["column"] + 1, row["code"], row["message"], suggestion)


def bandit(files: Files, programs: Programs) -> Checked:
    """Return what bandit finds, each with a page about it."""
    from bandit.core.config import BanditConfig  # type: ignore[import-untyped]
    from bandit.core.docs_utils import get_url  # type: ignore[import-untyped]
    from bandit.core.manager import BanditManager  # type: ignore[import-untyped]

    manager = BanditManager(BanditConfig(), "file")
    manager.discover_files(list(files))
    manager.run_tests()
    severities = {"HIGH": ERROR, "MEDIUM": WARNING, "LOW": INFO}
    found = by_file([
        (
            os.path.relpath(issue.fname),
            Flaw(
                severities.get(issue.severity, INFO), issue.lineno, issue.col_offset + 1, issue.test_id, issue.text,
                f"See {get_url(issue.test_id)}",
            ),
        )
        for issue in manager.get_issue_list()
    ])  # fmt: skip
    passed_over = {os.path.relpath(file): Found(unchecked=why) for file, why in manager.get_skipped()}
    return {**found, **passed_over, **_unparsed(files)}


def radon(files: Files, programs: Programs) -> Checked:
    """Return the complexity of functions, and the maintainability index on radon's scale of 0 to 100."""
    from radon.complexity import cc_visit  # type: ignore[import-untyped]
    from radon.metrics import mi_visit  # type: ignore[import-untyped]

    found: dict[str, Found] = {}
    for file in files:
        code = _parsed(file)
        if code is None:
            found[file] = UNPARSED
            continue
        blocks = [block for block in cc_visit(code) if block.letter != "C"]
        flaws = [too_complex(block.fullname, block.lineno, block.complexity) for block in blocks]
        complexities = [float(block.complexity) for block in blocks]
        found[file] = Found([flaw for flaw in flaws if flaw], complexities, round(mi_visit(code, multi=True), 2))
    return found


def vulture(files: Files, programs: Programs) -> Checked:
    """Return code that nothing in these files uses; what only other projects use looks the same, so it is a hint."""
    from vulture.core import Vulture  # type: ignore[import-untyped]

    looking = Vulture()
    for file in files:
        code = _parsed(file)
        if code is not None:
            looking.scan(code, filename=file)
    found = by_file([
        (
            str(item.filename),
            Flaw(
                WARNING if item.confidence >= CERTAIN_PERCENT else INFO, item.first_lineno, 1, f"unused-{item.typ}",
                f"{item.message} ({item.confidence} % sure)", "Remove it if nothing else uses it.",
            ),
        )
        for item in looking.get_unused_code(min_confidence=LEAST_PERCENT)
        if item.typ != "import"  # ruff says it better
    ])  # fmt: skip
    return {**found, **_unparsed(files)}


def _unparsed(files: Files) -> dict[str, Found]:
    """Return the files that Python cannot parse; a checker that reads the tree of a file has nothing to say of them."""
    return {file: UNPARSED for file in files if _parsed(file) is None}


def _parsed(file: str) -> str | None:
    """Return the text of a file that Python can parse."""
    try:
        with tokenize.open(file) as stream:
            code = stream.read()
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None  # ruff says where and why
    return code


sys.setrecursionlimit(10_000)
