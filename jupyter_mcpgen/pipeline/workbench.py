"""Runs a package in the sandbox with what it was granted, and checks each answer against the reference."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.data.bounds import require_bounded
from jupyter_mcpgen.model.figure import MOST as MOST_FIGURES
from jupyter_mcpgen.model.figure import Figure, figure_of, is_figure
from jupyter_mcpgen.model.package import CODE_FILES, Package
from jupyter_mcpgen.model.spec import DATA_PARAMETERS
from jupyter_mcpgen.notebook_values import Copies
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.capabilities import Material, granted, policy_for
from jupyter_mcpgen.sandbox.job import Answer, Call, Job, Outcome, Run
from jupyter_mcpgen.sandbox.jobs.tables import Bounds, read_table
from jupyter_mcpgen.sandbox.policy import Limits
from jupyter_mcpgen.sandbox.service import Sandbox

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class PlacedTool:
    """A tool whose files lie in a folder: which function it is, and the capabilities that it was given."""

    folder: Path
    function: str
    capabilities: tuple[str, ...]


@contextmanager
def unpacked(package: Package, workspace: Path) -> Iterator[Path]:
    """Lay the code of a package into a folder for as long as it is needed.

    Nothing else is laid there: a module that the fingerprint does not cover was approved by nobody, and a tool that
    finds one beside itself would import it in the place of the library's.
    """
    workspace.mkdir(parents=True, exist_ok=True, mode=0o700)
    with TemporaryDirectory(prefix="package-", dir=workspace) as name:
        folder = Path(name)
        for file in CODE_FILES:
            if file in package.files:
                (folder / file).write_text(package.files[file], encoding="utf-8", newline="\n")
        yield folder


def call_all(
    sandbox: Sandbox,
    tool: PlacedTool,
    arguments: tuple[Mapping[str, Any], ...],
    limits: Limits,
    cancel: Cancellation | None = None,
    *,
    other_seed: bool = False,
    copies: Copies | None = None,
) -> Run:
    """Call a tool once per set of arguments in one confined process, which may do what the tool's capabilities say.

    Of the files there are, it is offered the tables that the arguments name, no link followed: whoever named them
    followed the links and looked where they lead. Raises `DataTooLarge` for one beyond the limits,
    `DataTooSlow` for one that takes too long to count, `DataMoved` for a link. With `other_seed`
    words hash in another way than in other calls. `copies` are variables of a notebook that the tool's module has too.
    """
    paths = (a[name] for a in arguments for name in DATA_PARAMETERS if _is_file(a.get(name)))
    named = tuple(dict.fromkeys(map(Path, paths)))
    for path in named:
        require_bounded(path, limits.rows, limits.columns, limits.wall_seconds, most_bytes=limits.table_bytes)
    calls = tuple(Call(arguments=given) for given in arguments)
    copies = copies or Copies({}, {})
    frames = _laid_beside(tool.folder, copies.frames)
    job = Job(tool.folder, tool.function, calls, variables=copies.values, frames=frames)
    grants = granted(tool.capabilities)
    policy = policy_for(grants, Material(data=named, limits=limits))
    run = sandbox.run(job, replace(policy, follows_links=False, other_seed=other_seed), cancel)
    return (
        run if grants.writes_files else replace(run, artifacts=tuple(f for f in run.artifacts if is_figure(f.content)))
    )


def _laid_beside(folder: Path, frames: Mapping[str, bytes]) -> dict[str, str]:
    """Put data frames beside a tool, where its process can read them, and return their files by name."""
    for name, content in frames.items():
        (folder / f"{name}.arrow").write_bytes(content)
    return {name: f"{name}.arrow" for name in frames}


def figures_in(run: Run) -> tuple[Figure, ...]:
    """Return the first figures that a run left."""
    return tuple(figure_of(f.path, f.content) for f in run.artifacts if is_figure(f.content))[:MOST_FIGURES]


def kept_files(run: Run, workspace: Path) -> tuple[str, ...]:
    """Put what a tool left into a folder of its own, and return where each file is until the session ends."""
    if not run.artifacts:
        return ()
    folder = Path(mkdtemp(prefix="files-", dir=workspace))
    paths = []
    for artifact in run.artifacts:
        # the names are the tool's: as found in folders, so none leads out, but not always text
        path = folder / artifact.path.encode("utf-8", "replace").decode()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(artifact.content)
        paths.append(str(path))
    return tuple(paths)


def table_in(answer: Answer, limits: Limits) -> pd.DataFrame:
    """Return the table of an answer; raises `SandboxError` when it is no honest one, or larger than a run may give."""
    return read_table(answer.table or b"", Bounds(rows=limits.rows, columns=limits.columns))


def result_in(answer: Answer, limits: Limits) -> pd.DataFrame:
    """Return the table of an answer, or its value laid out as one; raises `SandboxError` for a dishonest table."""
    return frame_of(answer.value) if answer.has_value else table_in(answer, limits)


def frame_of(value: Any) -> pd.DataFrame:
    """Lay a JSON value out as a table: a list of objects by rows, an object by its names, anything else as one cell."""
    import pandas as pd  # deferred: 300 ms

    match value:
        case list() if value and all(isinstance(item, dict) for item in value):
            return pd.DataFrame(value).map(_cell)
        case dict():
            return pd.DataFrame({"name": list(map(str, value)), "value": list(map(_cell, value.values()))})
        case list():
            return pd.DataFrame({"value": list(map(_cell, value))})
        case _:
            return pd.DataFrame({"value": [_cell(value)]})


def _cell(value: Any) -> Any:
    """Return a value as one cell shows it."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def _is_file(path: object) -> bool:
    """Tell whether a file may be granted by this name; a folder would grant everything below it."""
    if path is None:
        return False
    try:
        return Path(str(path)).is_file()
    except (OSError, ValueError):
        return False


def what_went_wrong(run: Run, answer: Answer | None) -> str | None:
    """Say in words why there is no result, or return None when there is one."""
    if answer is None or (run.outcome is not Outcome.COMPLETED and not answer.ok):
        return run.reason or f"the run ended as {run.outcome.value.replace('_', ' ')}"
    failure = answer.details.get("error")
    if failure:  # what the tool reports itself; its text has markup and the path around it
        message = failure.get("message", "no reason given") if isinstance(failure, dict) else failure
        return " ".join(str(message).split())
    if not answer.ok:
        return f"{answer.error_type}: {answer.error_message}"
    if answer.table is None and not answer.has_value:
        return "the tool gave no result"
    return None
