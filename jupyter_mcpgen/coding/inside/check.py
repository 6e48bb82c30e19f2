"""Runs one checker over some files of the current folder: a request comes on stdin, and the answer is on stdout.

Both are JSON. The request names the checker, the files and the programs that were found for it; the answer maps each
file to what was found in it. What a checker prints goes to stderr, so that no file can write the answer.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from importlib import import_module

from .found import Checked, Files, Found, Programs

MODULES = {
    "compilers": ("bash", "gcc", "gofmt", "gxx", "javac", "node", "rustc"),
    "complexity": ("lizard",),
    "python_checkers": ("bandit", "mypy", "radon", "ruff", "vulture"),
}
"""Where each checker is; a process loads the one that it needs."""


def main() -> None:
    """Answer one request."""
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    request = json.load(sys.stdin)
    found = check(request["checker"], request["files"], request["programs"])
    with answer:
        json.dump({file: asdict(one) for file, one in found.items()}, answer)


def check(checker: str, files: Files, programs: Programs) -> Checked:
    """Return what a checker finds in each file; a file that it could not check has the reason instead."""
    (module,) = (name for name, checkers in MODULES.items() if checker in checkers)
    ask = getattr(import_module(f"{__package__}.{module}"), checker)
    return {**{file: Found() for file in files}, **ask(files, programs)}
