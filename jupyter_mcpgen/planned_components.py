"""A component that is an analysis of named data: the files of the tool that would answer the question."""

from __future__ import annotations

from collections.abc import Callable

from jupyter_mcpgen.build.packaged import in_package
from jupyter_mcpgen.build.synthesis.synthesis import Locate, Planned
from jupyter_mcpgen.data.named_files import paths_in, without_paths, without_table
from jupyter_mcpgen.errors import AnsweredAlready, NotUnderstood
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.validation import is_sound
from jupyter_mcpgen.pipeline.draft import Computed, Reused

MOST_TABLES = 2
Compute = Callable[..., Computed | Reused]
"""Computes the answer to a question about a table, and another as `other`; `Runtime.compute` does."""
Reference = Callable[[str], DataRef]
"""Refers to the table in a file; `Runtime.reference` does."""


def planned_component(compute: Compute, reference: Reference, wish: str, locate: Locate) -> Planned | None:
    """Return the code of an analysis with its helpers, as a package.

    None where the wish names no file of a table, or is not understood, or where what was computed does not hold. The
    data is read to compute the answer; raises why it cannot be, or `AnsweredAlready` with the tool that answers it.
    """
    paths = paths_in(wish)
    if not 1 <= len(paths) <= MOST_TABLES:
        return None
    named = [(without_table(path), path) for path in paths]
    first, *rest = (reference(f"{locate(file)}{path.removeprefix(file)}") for file, path in named)
    try:
        computed = compute(without_paths(wish), first, other=next(iter(rest), None))
    except NotUnderstood:
        return None  # the model may understand it
    if not is_sound(computed.trial.evidence):
        return None
    if isinstance(computed, Reused):
        raise AnsweredAlready(computed.reuse.tool.name)
    name = computed.draft.contract.spec.tool_name
    modules = {file: text for file, text in computed.draft.package.files.items() if file.endswith(".py")}
    files = {f"{name}/{file}": in_package(text, name) for file, text in modules.items()}
    return Planned(files, f"Read as: {computed.intent.reading}. Computed twice on your data, with the same result.")
