"""Corrects malformed JSON that a client sent, on a person's wish: by rules, else once by the language model.

The answer to the client names the change, and the person who decides sees the corrected value.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.authors.modelled.prompting import json_prompt
from jupyter_mcpgen.errors import ModelError

if TYPE_CHECKING:
    from jupyter_mcpgen.llm.model import Model

LISTS = frozenset({"parameters", "capabilities", "examples", "tags"})
"""The fields that hold a list; the others hold an object."""
_WORD = re.compile(r"[\w.+-]+")


@dataclass(frozen=True)
class Correction:
    """One field that was no JSON, as it was sent and as it was taken."""

    field: str
    original: str
    value: Any

    @property
    def told(self) -> str:
        """What the log says of it."""
        return f"`{self.field}` was corrected from {self.original!r} to {json.dumps(self.value, ensure_ascii=False)}"


@dataclass(frozen=True)
class Corrector:
    """Corrects one text; `model` is there where a language model is set up."""

    model: Callable[[], Model] | None = None

    def correct(self, field: str, text: str, flaw: str) -> Correction | None:
        """Return the correction of a field, or None where nothing sound came of it."""
        value = _by_rules(text)
        if not _is_sound(field, text, value) and self.model is not None:
            value = _by_model(field, text, flaw, self.model())
        return Correction(field, text, value) if _is_sound(field, text, value) else None


def _by_rules(text: str) -> Any:
    from json_repair import repair_json  # deferred: only where something is malformed

    return repair_json(text, return_objects=True)


def _by_model(field: str, text: str, flaw: str, model: Model) -> Any:
    try:
        (reply,) = model.ask(json_prompt(field, text, flaw))
        return json.loads(str((reply.value or {}).get("corrected", "")))
    except (ModelError, ValueError):
        return None


def _is_sound(field: str, text: str, value: Any) -> bool:
    """Tell whether a value has the kind that the field needs, and every word of the text, each as often."""
    is_of_kind = isinstance(value, list) if field in LISTS else isinstance(value, Mapping)
    words = _words(text)
    return is_of_kind and bool(words) and words == _words(json.dumps(value, ensure_ascii=False))


def _words(text: str) -> Counter[str]:
    same = {"True": "true", "False": "false", "None": "null"}
    return Counter(same.get(word, word) for word in _WORD.findall(text))
