"""Runs a package in the sandbox over tables, and checks each answer against the reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jupyter_mcpgen.data.engine import Engine
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.pipeline.agreement import first_difference
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.sandbox.job import Answer, Call, Job, Outcome, Run
from jupyter_mcpgen.sandbox.policy import Limits, Policy
from jupyter_mcpgen.sandbox.service import Sandbox
from jupyter_mcpgen.sandbox.tables import read_table


@contextmanager
def unpacked(package: Package, workspace: Path) -> Iterator[Path]:
    """Lay the files of a package into a folder for as long as it is needed."""
    workspace.mkdir(parents=True, exist_ok=True, mode=0o700)
    with TemporaryDirectory(prefix="package-", dir=workspace) as name:
        folder = Path(name)
        for file, text in package.files.items():
            (folder / file).write_text(text, encoding="utf-8", newline="\n")
        yield folder


def call_all(
    sandbox: Sandbox, package: Path, function: str, arguments: tuple[Mapping[str, Any], ...], limits: Limits
) -> Run:
    """Call a tool once per set of arguments in one confined process that may read the tables named in them."""
    tables = tuple(dict.fromkeys(Path(a["file_path"]) for a in arguments if _is_file(a["file_path"])))
    calls = tuple(Call(arguments=given) for given in arguments)
    return sandbox.run(Job(package=package, function=function, calls=calls), Policy(read=tables, limits=limits))


def _is_file(path: object) -> bool:
    """Tell whether a file may be granted by this name; a folder would grant everything below it."""
    try:
        return Path(str(path)).is_file()
    except (OSError, ValueError):
        return False


def what_went_wrong(run: Run, answer: Answer | None) -> str | None:
    """Say in words why there is no result, or return None when there is one."""
    if answer is None or (run.outcome is not Outcome.COMPLETED and not answer.ok):
        return run.reason or f"the run ended as {run.outcome.value.replace('_', ' ')}"
    if not answer.ok:
        return f"{answer.error_type}: {answer.error_message}"
    failure = answer.details.get("error")
    if failure:
        return str(failure.get("message", "no reason given") if isinstance(failure, dict) else failure)
    if answer.table is None:
        return "the tool gave no table"
    return None


def difference_from_reference(answer: Answer, plan: Plan, engine: Engine) -> str | None:
    """Return the first difference between an answer and the reference computation, or None when they agree."""
    return first_difference(read_table(answer.table or b""), engine.table(plan))
