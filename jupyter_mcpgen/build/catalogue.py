"""A static catalogue of tools: one web page that lists and searches them, and loads nothing."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.plan.visible import visible

if TYPE_CHECKING:
    import jinja2

TITLE = "Tools"


def catalogue(tools: Sequence[PromotedTool], title: str = TITLE) -> bytes:
    """Return the page, the same bytes for the same tools: each with its documentation, parameters and a call."""
    script = files("jupyter_mcpgen.build").joinpath("templates", "catalogue.js").read_text(encoding="utf-8").strip()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    shown = [_shown(tool) for tool in sorted(tools, key=lambda tool: tool.name)]
    template = _environment().get_template("catalogue.html.jinja")
    return template.render(title=title, tools=shown, script=script, script_digest=digest).encode()


def _shown(tool: PromotedTool) -> Mapping[str, Any]:
    spec = tool.spec
    parts = {
        "When to use": spec.when_to_use,
        "What it does": spec.what_it_does,
        "Returns": spec.returns,
        "Prerequisites": spec.prerequisites,
    }
    arguments = {each.name: None if each.required else each.default for each in spec.parameters}
    call = {"tool_name": tool.name, "arguments": arguments}
    return {
        "tool": tool,
        "parts": {name: text for name, text in parts.items() if text},
        "call": json.dumps(call, indent=2, ensure_ascii=False),
    }


@cache
def _environment() -> jinja2.Environment:
    import jinja2  # deferred: 40 ms

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(str(files("jupyter_mcpgen.build").joinpath("templates"))),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"shown": visible, "in_lines": _in_lines}
    return environment


def _in_lines(text: str) -> str:
    """Return a text whose lines hold nothing that does not show."""
    return "\n".join(map(visible, text.splitlines()))
