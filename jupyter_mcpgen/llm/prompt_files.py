"""Fills the files that prompts are written in: Markdown with Jinja, in the folder `prompts` of a package."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jinja2


@dataclass(frozen=True)
class PromptFiles:
    """The prompts of one package, which is given by its name."""

    package: str

    def filled(self, name: str, **variables: object) -> str:
        """Return the text of a prompt; raises `jinja2.UndefinedError` for a variable that it wants and does not get."""
        return self._environment.get_template(f"{name}.md").render(variables).strip()

    @cached_property
    def _environment(self) -> jinja2.Environment:
        import jinja2  # deferred: 40 ms

        return jinja2.Environment(  # noqa: S701  a prompt is no HTML
            loader=jinja2.FileSystemLoader(str(files(self.package).joinpath("prompts"))),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
