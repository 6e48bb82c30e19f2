"""`config`: what is set."""

from __future__ import annotations

from jupyter_mcpgen.settings import LoadedSettings
from jupyter_mcpgen.verbs.said import Said


def config(loaded: LoadedSettings) -> Said:
    """Show each setting, its value and where it came from; then what has no effect, and what was ignored."""
    rows = [f"| `{key}` | `{value}` | {origin} |" for key, value, origin in loaded.rows()]
    table = "\n".join(["| setting | value | from |", "|---|---|---|", *rows])
    lines = [f"Registry: `{loaded.values.registry_path}`", *_without_effect(loaded), *loaded.ignored]
    return Said(text="\n\n".join([table, *lines]))


def _without_effect(loaded: LoadedSettings) -> list[str]:
    """Say in one line which keys that are set change nothing here, and why."""
    by_reason: dict[str, list[str]] = {}
    for key, why in loaded.without_effect():
        by_reason.setdefault(why, []).append(f"`{key}`")
    parts = [f"{', '.join(keys)} ({why})" for why, keys in by_reason.items()]
    return [f"No effect here: {'; '.join(parts)}."] if parts else []
