"""`option`: what a person switches on or off with a word; a server takes it up when it is started again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from jupyter_mcpgen.settings import Settings, load_settings, remember_option
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import UsageError

_ON, _OFF = "on", "off"
_DYNAMIC = "dynamic"


@dataclass(frozen=True)
class _Option:
    """One switch: the setting behind it, whether it is on, and the value that switches it."""

    key: str
    is_on: Callable[[Settings], bool]
    value: Callable[[Settings, bool], object]
    meaning: str


def _families(settings: Settings, wanted: bool) -> list[str]:
    others = [family for family in settings.server.families if family != _DYNAMIC]
    return [*others, *([_DYNAMIC] if wanted else [])]


OPTIONS: Mapping[str, _Option] = {
    "auto_correct_json": _Option(
        "server.auto_correct_json",
        lambda settings: settings.server.auto_correct_json,
        lambda settings, wanted: wanted,
        "malformed JSON that a client sends about its tool is corrected, and said to be",
    ),
    "dynamic_tools": _Option(
        "server.families",
        lambda settings: _DYNAMIC in settings.server.families,
        _families,
        "AI clients can offer tools of their own",
    ),
    "elicitation": _Option(
        "server.elicitation",
        lambda settings: settings.server.elicitation,
        lambda settings, wanted: wanted,
        "an AI client may ask you for consent in its own window; whoever writes that client could answer for you",
    ),
    "unsafe": _Option(
        "server.mode",
        lambda settings: settings.server.mode == "unsafe",
        lambda settings, wanted: "unsafe" if wanted else "safe",
        "tools of AI clients may ask for capabilities that write",
    ),
}


def option(words: Sequence[str]) -> Said:
    """List the options, or switch one: `option [NAME [on|off]]`. A name alone switches it on."""
    settings = load_settings().values
    if not words:
        lines = ["| option | | what it does |", "|---|---|---|"]
        lines += [f"| `{name}` | {_said(each.is_on(settings))} | {each.meaning} |" for name, each in OPTIONS.items()]
        return Said(text="\n".join(lines))
    name, *rest = words
    wanted = rest[0] if rest else _ON
    if name not in OPTIONS or wanted not in (_ON, _OFF) or len(rest) > 1:
        known = ", ".join(f"`{each}`" for each in OPTIONS)
        raise UsageError(f"There is no such option. `option NAME on|off`, with one of {known}.")
    chosen = OPTIONS[name]
    remember_option(chosen.key, chosen.value(settings, wanted == _ON))
    after = load_settings()
    if chosen.is_on(after.values) != (wanted == _ON):
        raise UsageError(f"`{chosen.key}` is set elsewhere, which counts more. `config` shows where.")
    return Said(text=f"`{name}` is {wanted}: {chosen.meaning}. For a running server: `%mcp_restart`.")


def _said(is_on: bool) -> str:
    return _ON if is_on else _OFF
