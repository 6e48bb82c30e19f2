"""`config`: what is set."""

from __future__ import annotations

from jupyter_mcpgen.settings import LoadedSettings
from jupyter_mcpgen.verbs.said import Said


def config(loaded: LoadedSettings) -> Said:
    """Show each setting, its value and where it came from."""
    rows = [f"| `{key}` | `{value}` | {origin} |" for key, value, origin in loaded.rows()]
    table = "\n".join(["| setting | value | from |", "|---|---|---|", *rows])
    return Said(text=f"{table}\n\nRegistry: `{loaded.values.registry_path}`")
