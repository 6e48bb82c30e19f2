"""Asks the language model for a fix, where one is configured; the code and its error are sent to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from jupyter_mcpgen.coding.debugging.diagnosing import Failure
from jupyter_mcpgen.coding.debugging.patch import Patch
from jupyter_mcpgen.llm.model import CancelToken, Model
from jupyter_mcpgen.llm.prompt import Message, Prompt, whole
from jupyter_mcpgen.llm.prompt_files import PromptFiles
from jupyter_mcpgen.plan.visible import fenced, visible, visible_code

_PROMPTS = PromptFiles(__package__)
_TEXT = {"type": "string"}
REPLY: Mapping[str, Any] = {
    "type": "object",
    "properties": {"cause": _TEXT, "change": _TEXT, "code": _TEXT},
    "required": ["cause", "change", "code"],
    "additionalProperties": False,
}
_LAST_WORDS = 5_000
"""How much of standard error is sent: an interpreter says last what matters."""


def ask_for_patch(
    model: Model, source: str, stderr: str, failure: Failure, tried: Sequence[tuple[Patch, str]], cancelled: CancelToken
) -> Patch:
    """Return what the model proposes; raises a `ModelError` where it gave no answer, or the code is too long for it."""
    (reply, *_) = model.ask(debug_prompt(source, stderr, failure, tried), cancelled=cancelled)
    value = reply.value or {}
    code = str(value.get("code", ""))
    return Patch(code if code.endswith("\n") else f"{code}\n", str(value.get("change", "")), by="model")


def debug_prompt(source: str, stderr: str, failure: Failure, tried: Sequence[tuple[Patch, str]]) -> Prompt:
    """Return what is sent: the code, the end of what it wrote to standard error, and the fixes that did not hold."""
    language = failure.diagnosis.language
    told = _PROMPTS.filled(
        "failed",
        code=fenced(visible_code(whole(source, "The code")), language),
        error=fenced(visible_code(stderr)[-_LAST_WORDS:]),
        tried=[(visible(patch.description), visible(why)) for patch, why in tried],
    )
    messages = (Message("system", _PROMPTS.filled("debug", language=language)), Message("user", told))
    return Prompt(name="debug", messages=messages, schema=REPLY)
