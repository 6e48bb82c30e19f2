"""What the labels on a tool mean for its sandbox: pure functions from labels to a policy.

A label that is not known here is a tag: it describes the tool and grants nothing. Without `cap:data.read` no data is
readable, whatever was named; without `cap:files.write` nothing that a tool writes leaves its scratch folder.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from jupyter_mcpgen.model.tool import CHANGES, FIGURES
from jupyter_mcpgen.sandbox.policy import Limits, Policy

DATA_READ = "cap:data.read"
FILES_WRITE = "cap:files.write"
_PYTHON = "cap:python."
_SHORT = {"cap:numpy": f"{_PYTHON}numpy"}

ALWAYS_IMPORTABLE = frozenset({"fastmcp", "numpy", "pandas", "pyarrow", "pydantic"})
"""What every tool and its `helpers.py` may import beside the standard library."""
_STOOD_IN_FOR = "fastmcp"
"""What a tool imports to be served; in the sandbox a stand-in of a few lines is there instead."""


@dataclass(frozen=True)
class Grants:
    """The labels of a tool, read: what it may do, and what merely describes it."""

    reads_data: bool = False
    writes_files: bool = False
    draws_figures: bool = False
    changes: bool = False
    modules: frozenset[str] = frozenset()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Material:
    """What a person named for one run."""

    data: tuple[Path, ...] = ()
    limits: Limits = field(default_factory=Limits)


def granted(labels: Iterable[str]) -> Grants:
    """Return what a set of labels grants."""
    known = [_SHORT.get(label, label) for label in labels]
    modules = frozenset(label.removeprefix(_PYTHON) for label in known if _is_module(label))
    plain = {DATA_READ, FILES_WRITE, FIGURES, CHANGES}
    return Grants(
        reads_data=DATA_READ in known,
        writes_files=FILES_WRITE in known,
        draws_figures=FIGURES in known,
        changes=CHANGES in known,
        modules=modules,
        tags=tuple(label for label in known if label not in plain and not _is_module(label)),
    )


def policy_for(grants: Grants, material: Material) -> Policy:
    """Return what one run of a tool may do with what was named for it."""
    return Policy(
        read=material.data if grants.reads_data else (),
        limits=material.limits,
        modules=_importable(grants),
        keeps_files=grants.writes_files or grants.draws_figures,
    )


def sentences(grants: Grants) -> tuple[str, ...]:
    """Return what `policy_for` lets a tool do, for a person, one sentence each."""
    *most, last = (f"`{name}`" for name in sorted(_importable(grants) - {_STOOD_IN_FOR}))
    return (
        "It reads the data that is named in the call." if grants.reads_data else "It reads no data.",
        _left(grants),
        f"It imports {', '.join(most)} and {last}.",
        *(["The same call may give another result: it reads the clock or draws numbers."] if grants.changes else []),
    )


def _left(grants: Grants) -> str:
    if grants.writes_files:
        return "It leaves files, which are kept until the session ends."
    return "It leaves the figures that it draws, and no other files." if grants.draws_figures else "It leaves no files."


def _importable(grants: Grants) -> frozenset[str]:
    return ALWAYS_IMPORTABLE | {name.partition(".")[0] for name in grants.modules}


def _is_module(label: str) -> bool:
    name = label.removeprefix(_PYTHON)
    return label.startswith(_PYTHON) and all(part.isidentifier() for part in name.split("."))
