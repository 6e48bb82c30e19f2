"""Writes the product's part of JupyterLab's settings page: `python docs/make_settings_page.py`.

The keys are those that a project may set, because whatever runs in a page may write what the page may write. Their
types and bounds come from `jupyter_mcpgen.settings`, their meaning from `docs/settings.md`. What is about the page
itself, and menus and keys, is written by hand in the same file.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jupyter_mcpgen.settings import PROJECT_MAY_SET, WITHOUT_EFFECT, Settings

ROOT = Path(__file__).parents[1]
SCHEMA = ROOT / "labextension" / "schema" / "card.json"
_BY_HAND = "page"
_TITLES = {
    "planner": "Planner",
    "feedback": "Pending answers",
    "validation": "Checks",
    "sandbox": "Sandbox",
    "server": "MCP server",
    "guidance": "Advice on failed code",
    "fuel_analysis": "Fuel analysis",
    "gap": "Reuse of tools",
    "llm": "Language model",
}
"""The sections in the order of the page."""
_KEPT = ("type", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "default", "items")
_SIMPLE = ("string", "integer", "number", "boolean")
_WHEN = (
    "Read by kernels and commands of this machine when they start. A project's `mcpgen.yaml` and `MCPGEN_*` variables "
    "count more; `%mcpgen config` shows what counts."
)
_NULL = {"type": "null"}


def schema() -> str:
    """Return the schema of the settings page as it should be."""
    page = json.loads(SCHEMA.read_text(encoding="utf-8"))
    page["properties"] = {_BY_HAND: page["properties"][_BY_HAND], **dict(_sections())}
    return json.dumps(page, indent=2, ensure_ascii=False) + "\n"


def _sections() -> Iterator[tuple[str, dict[str, Any]]]:
    definitions = Settings.model_json_schema()
    for section, title in _TITLES.items():
        allowed = PROJECT_MAY_SET[section]
        name = definitions["properties"][section]["$ref"].rpartition("/")[2]
        keys = {
            key: described
            for key, shape in definitions["$defs"][name]["properties"].items()
            if (allowed is None or key in allowed) and f"{section}.{key}" not in WITHOUT_EFFECT
            if (described := _described(section, key, shape)) is not None
        }
        about = {"title": title, "description": _WHEN, "additionalProperties": False, "default": {}}
        yield section, {"type": "object", **about, "properties": keys}


def _described(section: str, key: str, shape: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return how a key is shown; None for one that no field of a form holds."""
    choices = [each for each in shape.get("anyOf", []) if each != _NULL]
    plain = {**shape, **choices[0]} if choices else dict(shape)
    is_list = plain.get("type") == "array" and "enum" in plain.get("items", {})
    if plain.get("type") not in _SIMPLE and not is_list:
        return None
    kept = {name: plain[name] for name in _KEPT if plain.get(name) is not None}
    unique = {"uniqueItems": True} if is_list else {}
    return {"title": _title(key), "description": meaning(f"{section}.{key}"), **kept, **unique}


def _title(key: str) -> str:
    words = key.replace("_mb", "_(MB)").replace("_seconds", "_(seconds)").split("_")
    return " ".join([words[0].capitalize(), *words[1:]])


def meaning(key: str) -> str:
    """Return what `docs/settings.md` says of a key, without links."""
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\|[^|]*`{re.escape(key)}`[^|]*\|[^|]*\| (.+) \|$", page, re.MULTILINE)
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", row)
    return f"{plain[0].upper()}{plain[1:].rstrip('.')}."


if __name__ == "__main__":
    sys.stdout.write(f"{SCHEMA}\n")
    SCHEMA.write_text(schema(), encoding="utf-8")
