"""What a language model writes of a component: all of it, or the bodies that a specification leaves out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from jupyter_mcpgen.analysis.layout import formatted
from jupyter_mcpgen.build.synthesis.component import Component
from jupyter_mcpgen.build.synthesis.unfit import unfit
from jupyter_mcpgen.errors import McpgenError, UnusableAnswer
from jupyter_mcpgen.llm.model import CancelToken, Model
from jupyter_mcpgen.llm.prompt import Message, Prompt, whole
from jupyter_mcpgen.llm.prompt_files import PromptFiles
from jupyter_mcpgen.plan.visible import fenced, visible_code

MOST_FILES, MOST_CHARACTERS = 20, 200_000
_PATH = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}/){0,4}[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}")
_PROMPTS = PromptFiles(__package__)
_TEXT = {"type": "string"}


def _records(*fields: str) -> Mapping[str, Any]:
    record = {"type": "object", "properties": dict.fromkeys(fields, _TEXT), "required": list(fields)}
    return {"type": "array", "items": {**record, "additionalProperties": False}}


FILES: Mapping[str, Any] = {
    "type": "object",
    "properties": {"files": _records("path", "content"), "explanation": _TEXT},
    "required": ["files", "explanation"],
    "additionalProperties": False,
}
BODIES: Mapping[str, Any] = {
    "type": "object",
    "properties": {"bodies": _records("name", "body")},
    "required": ["bodies"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Wish:
    """What a component is to be, in words, with the code around it and how code is written there."""

    request: str
    context: str = ""
    style: str = ""


def ask_for_files(model: Model, wish: Wish, flaw: str, cancelled: CancelToken) -> tuple[Mapping[str, str], str]:
    """Return the files that the model wrote and what it says of them; raises where they are none that can be written.

    `flaw` is what is wrong with its last answer.
    """
    (reply, *_) = model.ask(component_prompt(wish, flaw), cancelled=cancelled)
    value = reply.value or {}
    files = {str(each["path"]): str(each["content"]) for each in value.get("files", ())}
    if not 0 < len(files) <= MOST_FILES or sum(map(len, files.values())) > MOST_CHARACTERS:
        raise UnusableAnswer(f"it has no file, or more than {MOST_FILES}, or too long ones")
    unfit = next((path for path in files if not _PATH.fullmatch(path)), None)
    if unfit is not None:
        raise UnusableAnswer("it names a file whose path leads elsewhere")
    return {path: _laid_out(path, text) for path, text in sorted(files.items())}, str(value.get("explanation", ""))


def component_prompt(wish: Wish, flaw: str = "") -> Prompt:
    """Return what is sent for a component."""
    told = _PROMPTS.filled(
        "request",
        request=fenced(visible_code(whole(wish.request, "`prompt`"))),
        context=fenced(visible_code(whole(wish.context, "`context_code`")), "python") if wish.context else "",
        style=fenced(visible_code(whole(wish.style, "`style_guide`"))) if wish.style else "",
        flaw=flaw,
    )
    messages = (Message("system", _PROMPTS.filled("component", most=MOST_FILES)), Message("user", told))
    return Prompt(name="component", messages=messages, schema=FILES)


def with_bodies(model: Model, component: Component, cancelled: CancelToken) -> Component:
    """Return a component whose functions all have a body; raises where the model gave none that can be used."""
    missing = _missing(component)
    if not missing:
        return component
    (reply, *_) = model.ask(bodies_prompt(component), cancelled=cancelled)
    bodies = {str(each["name"]): str(each["body"]) for each in (reply.value or {}).get("bodies", ())}
    unwritten = [name for name in missing if name not in bodies]
    if unwritten:
        raise UnusableAnswer(f"it has no body for `{unwritten[0]}`")
    try:
        functions = tuple(
            each.replace(body=bodies[each.name]) if each.body is None else each for each in component.functions
        )
    except ValidationError as error:
        raise UnusableAnswer(unfit(error)) from error
    return component.replace(functions=functions)


def bodies_prompt(component: Component) -> Prompt:
    """Return what is sent for the bodies that a specification leaves out."""
    specified = fenced(visible_code(whole(component.model_dump_json(indent=2), "The specification")), "json")
    told = _PROMPTS.filled("missing", component=specified, names=_missing(component))
    messages = (Message("system", _PROMPTS.filled("bodies")), Message("user", told))
    return Prompt(name="bodies", messages=messages, schema=BODIES)


def _missing(component: Component) -> list[str]:
    return [each.name for each in component.functions if each.body is None]


def _laid_out(path: str, text: str) -> str:
    """Return Python in the field's layout; what cannot be read stays as it is, for the checks to say why."""
    if not path.endswith(".py"):
        return text
    try:
        return formatted(text)
    except McpgenError:
        return text
