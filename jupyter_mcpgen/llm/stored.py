"""Replies as JSON on disk, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from jupyter_mcpgen.llm.reply import Reply, Usage


def to_record(reply: Reply) -> dict[str, Any]:
    """Return a reply for a file."""
    return {
        "model": reply.model,
        "text": reply.text,
        "value": None if reply.value is None else dict(reply.value),
        "usage": asdict(reply.usage),
        "seconds": round(reply.seconds, 3),
    }


def from_record(record: Any, *, cached: bool) -> Reply | None:
    """Return the reply of a file, or `None` for what is none."""
    if not isinstance(record, Mapping):
        return None
    text, model, value, usage = (record.get(key) for key in ("text", "model", "value", "usage"))
    if not isinstance(text, str) or not isinstance(model, str) or not isinstance(value, Mapping | None):
        return None
    known = dict(usage) if isinstance(usage, Mapping) else {}
    try:
        return Reply(text, model, value, Usage(**known), float(record.get("seconds", 0.0)), cached)
    except (TypeError, ValueError):
        return None
