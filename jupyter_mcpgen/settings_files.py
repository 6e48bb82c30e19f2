"""Reads settings: YAML in a file or in a variable, and the JSON with comments that JupyterLab writes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jupyter_mcpgen.errors import SettingsError


def read_value(name: str, text: str) -> Any:
    """Return the value of a variable; raises `SettingsError` that names it."""
    import yaml  # deferred: most people set nothing

    try:
        return yaml.safe_load(text) if text.strip() else text
    except yaml.YAMLError as error:
        raise SettingsError(f"The value of `{name}` cannot be read: {_place_of(error)}. Put it in quotes.") from error


def read_file(path: Path) -> Mapping[str, Any]:
    """Return what a file sets, by section; raises `SettingsError` that names it."""
    import yaml  # deferred: most people set nothing

    try:
        tree = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except RecursionError as error:
        raise SettingsError(f"`{path}` is nested too deeply for settings. Correct it, or delete the file.") from error
    except yaml.YAMLError as error:
        raise SettingsError(
            f"`{path}` is not valid YAML: {_place_of(error)}. Correct it, or delete the file."
        ) from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"`{path}` cannot be read as settings: it is not UTF-8 text.") from error
    except OSError as error:
        raise SettingsError(f"`{path}` cannot be read as settings: {error.strerror or error}.") from error
    if not isinstance(tree, Mapping):
        raise SettingsError(f"`{path}` must hold sections of keys, such as `registry:` with `path: …` below it.")
    return _in_sections(tree)


def read_json5(path: Path) -> Mapping[str, Any]:
    """Return what JupyterLab keeps of its settings page; raises `SettingsError` that names the file."""
    import json5  # deferred: most people set nothing

    try:
        tree = json5.loads(path.read_text(encoding="utf-8") or "{}")
    except (ValueError, OSError, RecursionError) as error:
        why = " ".join(str(error).split())
        raise SettingsError(f"`{path}` cannot be read as settings of JupyterLab: {why}. Delete it.") from error
    if not isinstance(tree, Mapping):
        raise SettingsError(f"`{path}` must hold sections of keys. Delete it, and set them again in JupyterLab.")
    return tree


def _in_sections(tree: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return settings with the seed's two names of models, which stand outside of any section, in theirs."""
    loose = {key: tree[key] for key in ("primary_model", "fallback_model") if isinstance(tree.get(key), str)}
    if not loose:
        return tree
    named = {"model" if key == "primary_model" else key: name for key, name in loose.items()}
    rest = {key: value for key, value in tree.items() if key not in loose}
    llm = rest.get("llm")
    return {**rest, "llm": {**named, **(llm if isinstance(llm, Mapping) else {})}}


def _place_of(error: Exception) -> str:
    """Say in one line what is wrong with a YAML text, and where."""
    problem, mark = getattr(error, "problem", None), getattr(error, "problem_mark", None)
    where = f" in line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""
    return f"{problem or 'it holds a character that YAML forbids'}{where}"
