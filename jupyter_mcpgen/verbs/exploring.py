"""`explore`: a first look at a table, and questions that can be asked of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from jupyter_mcpgen.model.request import DataKind
from jupyter_mcpgen.overview_text import markdown
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.server.data_folders import remember_table
from jupyter_mcpgen.settings import state_folder
from jupyter_mcpgen.verbs.asking import read_so
from jupyter_mcpgen.verbs.finding import find_table
from jupyter_mcpgen.verbs.reading_options import READING_OPTIONS, reading_options
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import split_options


def explore(words: Sequence[str], runtime: Runtime, namespace: Mapping[str, object]) -> Said:
    """Show what the columns of a table hold, and questions to ask of it: `explore [--header LINE …] [NAME|PATH]`."""
    typed = split_options(words, READING_OPTIONS)
    found = find_table("", typed.text or None, namespace, runtime.latest_table, runtime.settings.planner.language)
    found = read_so(found, reading_options(typed.options), runtime)
    reference = runtime.reference(found.name, found.variable)
    if reference.kind is DataKind.FILE:
        remember_table(state_folder() / "server", Path(reference.origin))
    overview = runtime.explore(reference, f'"{found.name}"' if " " in found.name else found.name)
    return Said(text=markdown(overview), overview=overview)
