"""Fills the templates of what is built; no text of a tool can become code, markup or another field of metadata."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from jupyter_mcpgen.plan.visible import visible, without_pictures

if TYPE_CHECKING:
    import jinja2


BODY = "# body\n"
"""Ends the imports of a template that is filled into a file with imports of its own."""


@cache
def environment() -> jinja2.Environment:
    """Return the templates with what they may call."""
    import jinja2  # deferred: 40 ms

    folder = str(files("jupyter_mcpgen.build").joinpath("templates"))
    environment = jinja2.Environment(  # noqa: S701  no HTML is written; each text goes through one of the filters
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"literal": repr, "toml": toml, "docstring": docstring, "prose": prose}
    return environment


def filled(template: str, **values: object) -> str:
    """Return a template with its values."""
    return environment().get_template(template).render(**values)


def one_line(text: str) -> str:
    """Return a text as one line in which every sign shows."""
    return visible(" ".join(text.split()))


def toml(text: str) -> str:
    """Write a text as a string of TOML."""
    return json.dumps(one_line(text), ensure_ascii=False)


def prose(text: str) -> str:
    """Write a text within a line of Markdown, where it can be no picture, no HTML and no other block."""
    return without_pictures(one_line(text))


def docstring(text: str) -> str:
    """Write a text in one line of a docstring, which nothing in it can end."""
    return one_line(text).replace("\\", "\\\\").replace('"', '\\"')
