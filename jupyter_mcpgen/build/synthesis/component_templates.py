"""The templates of components: folders of files, those that come with us and those of the person.

A file `__name__.py.jinja` becomes `text_stats.py` for a component of that name. A template can call nothing but what is
handed to it: it is rendered in jinja's sandbox, and a person may have taken it from somebody else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from jupyter_mcpgen.analysis.layout import formatted
from jupyter_mcpgen.build.source_text import indented
from jupyter_mcpgen.build.synthesis.component import Component
from jupyter_mcpgen.build.templating import docstring, one_line, prose, toml
from jupyter_mcpgen.errors import McpgenError, UnknownTemplate, UnusableTemplate

if TYPE_CHECKING:
    import jinja2

_ENDING = ".jinja"
_NAME = "__name__"
_OURS = "mcpgen"
"""Begins the address of what our templates share; those of a person may use it too."""
_MOST_FILES = 100


@dataclass(frozen=True)
class Templates:
    """The templates that there are; one of the person's own goes before one of ours of the same name."""

    own: Path | None = None

    def names(self) -> tuple[str, ...]:
        """Return the names of all templates."""
        return tuple(sorted({path.name for folder in self._folders() for path in folder.iterdir() if path.is_dir()}))

    def render(self, name: str, component: Component) -> Mapping[str, str]:
        """Return the files of a component by path; raises `UnknownTemplate`, or `UnusableTemplate` with the reason."""
        for folder in self._folders():
            if name in {path.name for path in folder.iterdir() if path.is_dir()}:
                return dict(sorted(_rendered(folder / name, component)))
        raise UnknownTemplate(one_line(name), self.names())

    def _folders(self) -> tuple[Path, ...]:
        ours = Path(str(files("jupyter_mcpgen.build").joinpath("templates", "components")))
        return tuple(folder for folder in (self.own, ours) if folder is not None and folder.is_dir())


def _rendered(folder: Path, component: Component) -> Iterator[tuple[str, str]]:
    import jinja2  # deferred: 40 ms

    environment = _environment(folder)
    mine = (path.relative_to(folder).as_posix() for path in sorted(folder.rglob(f"*{_ENDING}")))
    for template in islice(mine, _MOST_FILES):
        path = template.removesuffix(_ENDING).replace(_NAME, component.name)
        try:
            text = environment.get_template(template).render(component=component)
            yield path, formatted(text) if path.endswith(".py") else text
        except (jinja2.TemplateError, McpgenError, TypeError, ValueError, ArithmeticError) as error:
            raise UnusableTemplate(folder.name, template, f"{type(error).__name__}: {error}") from error


def _environment(folder: Path) -> jinja2.Environment:
    import jinja2
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    parts = jinja2.FileSystemLoader(str(files("jupyter_mcpgen.build").joinpath("templates", "component_parts")))
    environment = ImmutableSandboxedEnvironment(
        loader=jinja2.ChoiceLoader([jinja2.FileSystemLoader(folder), jinja2.PrefixLoader({_OURS: parts})]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "literal": repr,
        "expected": _expected,
        "toml": toml,
        "docstring": docstring,
        "prose": prose,
        "line": one_line,
        "code": indented,
    }
    return environment


def _expected(value: object) -> str:
    """Return what a result is compared with: numbers that may differ in their last digits are, wherever they are."""
    match value:
        case float():
            return f"pytest.approx({value!r})"
        case list():
            return f"[{', '.join(map(_expected, value))}]"
        case dict():
            return f"{{{', '.join(f'{key!r}: {_expected(each)}' for key, each in value.items())}}}"
        case _:
            return repr(value)
