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
NOTEBOOK_READ = "cap:notebook.read"
_PYTHON = "cap:python."
_SHORT = {f"cap:{name}": f"{_PYTHON}{name}" for name in ("numpy", "scipy", "matplotlib")}
_BUILTIN = f"{_PYTHON}builtin"
"""What every tool may use anyway."""
_NOT_ENFORCED = {
    "cap:notebook.write": "change cells and variables of the notebook",
    "cap:database.read": "read a database",
    "cap:database.write": "write to a database",
    "cap:qcodes.read": "read instruments",
    "cap:qcodes.write": "set instruments",
}
"""Labels of the specification (seed 002) that nothing here can grant yet, and what they would be for."""
WRITES = frozenset({FILES_WRITE, "cap:notebook.write", "cap:database.write", "cap:qcodes.write"})
"""What a server in safe mode refuses."""

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
    reads_notebook: bool = False
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
    plain = {DATA_READ, FILES_WRITE, NOTEBOOK_READ, FIGURES, CHANGES, _BUILTIN}
    return Grants(
        reads_data=DATA_READ in known,
        writes_files=FILES_WRITE in known,
        draws_figures=FIGURES in known,
        reads_notebook=NOTEBOOK_READ in known,
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
        *(["It reads variables of the notebook."] if grants.reads_notebook else []),
        _left(grants),
        f"It imports {', '.join(most)} and {last}.",
        *(["The same call may give another result: it reads the clock or draws numbers."] if grants.changes else []),
    )


@dataclass(frozen=True)
class Told:
    """One label in plain words: what it lets a tool do, whether that is dangerous, and whether it grants anything."""

    label: str
    sentence: str
    is_dangerous: bool = False
    grants: bool = True


def told(labels: Iterable[str]) -> tuple[Told, ...]:
    """Return what each label of a tool means, for the person who decides about it."""
    return tuple(map(_told, labels))


def _told(label: str) -> Told:
    name = _SHORT.get(label, label)
    if name in _NOT_ENFORCED:
        wanted = _NOT_ENFORCED[name]
        return Told(
            label, f"Asks to {wanted}. Nothing here can do that yet, so it grants nothing.", name in WRITES, False
        )
    match name:
        case "cap:data.read":
            return Told(label, "Reads the data files that a call names.")
        case "cap:files.write":
            return Told(label, "Leaves files, which are kept until the session ends.", is_dangerous=True)
        case "cap:notebook.read":
            return Told(label, "May read copies of variables of your notebook.", is_dangerous=True)
        case "cap:figures":
            return Told(label, "Draws figures, which come back beside its result.")
        case "cap:python.builtin":
            return Told(label, "Uses Python's own functions, as every tool may. It grants nothing more.", grants=False)
    if name == CHANGES:
        return Told(label, "The same call may give another result.", grants=False)
    if _is_module(name):
        return Told(label, f"Imports `{name.removeprefix(_PYTHON)}`.")
    return Told(label, "A label that describes the tool. It grants nothing.", grants=False)


def _left(grants: Grants) -> str:
    if grants.writes_files:
        return "It leaves files, which are kept until the session ends."
    return "It leaves the figures that it draws, and no other files." if grants.draws_figures else "It leaves no files."


def _importable(grants: Grants) -> frozenset[str]:
    return ALWAYS_IMPORTABLE | {name.partition(".")[0] for name in grants.modules}


def _is_module(label: str) -> bool:
    name = label.removeprefix(_PYTHON)
    return label.startswith(_PYTHON) and label != _BUILTIN and all(part.isidentifier() for part in name.split("."))
