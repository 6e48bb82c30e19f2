"""From a specification to files: read, rendered, checked, and written only if all of it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field

from jupyter_mcpgen.analysis.lint import check_lint
from jupyter_mcpgen.build.output import Output
from jupyter_mcpgen.build.synthesis.component import Component, read_component
from jupyter_mcpgen.build.synthesis.component_templates import Templates
from jupyter_mcpgen.errors import McpgenError, UnfitSpecification
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.validation import Severity
from jupyter_mcpgen.plan.visible import visible

LANGUAGE = "python"
DEFAULT_TEMPLATE = "python_module"
_ASSERTED = "S101"
_UNUSED = ("F401", "F841")
"""An import or a variable that nothing uses does no harm."""
_LONGEST_SHOWN = 100


class FromSpecification(Record):
    """What `synthesize_component_from_spec` gives back: the files by path, whether they were written or only shown."""

    status: Literal["success", "failure"]
    generated_files: dict[str, str] = Field(default_factory=dict)
    log_output: str = ""
    error_message: str = ""


@dataclass(frozen=True)
class Synthesis:
    """Makes components from templates."""

    templates: Templates

    def from_specification(
        self,
        specification: Callable[[], Path],
        language: str,
        target: Callable[[], Path],
        template_name: str | None = None,
        *,
        is_preview: bool = False,
        llm_assisted: bool = False,
    ) -> FromSpecification:
        """Make a component, and write it unless it is only to be shown; what goes wrong is said and nothing is raised.

        `specification` and `target` return the file and the folder, or raise why they may not be used. A file that is
        there is never overwritten, but for one with the same content.
        """
        try:
            if llm_assisted:
                raise UnfitSpecification(
                    "llm_assisted",
                    "no model fills in templates yet; write the `body` of each function, or leave it out",
                )
            folder, path = target(), specification()
            component = read_component(path)
            _refuse_other_languages(language, component)
            template = template_name or component.template or DEFAULT_TEMPLATE
            files = self.templates.render(template, component)
            _refuse_broken(files)
            if not is_preview:
                Output(folder).write({name: text.encode() for name, text in files.items()}, lambda each: ())
        except McpgenError as error:
            return FromSpecification(status="failure", error_message=str(error))
        done = "would be written" if is_preview else "written"
        told = [
            f"Template `{template}`, specification `{visible(path.name)}`: {len(files)} files {done} to `{folder}`.",
            *(
                f"`{each.name}` has no body yet: it raises NotImplementedError."
                for each in component.functions
                if each.body is None
            ),
        ]
        return FromSpecification(status="success", generated_files=dict(files), log_output="\n".join(told))


def _refuse_other_languages(language: str, component: Component) -> None:
    for said in (language, component.language or LANGUAGE):
        if said.casefold() != LANGUAGE:
            shown = visible(said[:_LONGEST_SHOWN])
            raise UnfitSpecification(shown, f"there are templates for `{LANGUAGE}` only")


def _refuse_broken(files: Mapping[str, str]) -> None:
    """Raise where generated code does not hold: what names nothing, or what a linter takes for unsafe."""
    for name, rule, message in _flaws(files):
        raise UnfitSpecification(name, f"the code made of it fails a check ({rule}): {message}")


def _flaws(files: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for name, text in files.items():
        if not name.endswith(".py"):
            continue
        for finding in check_lint({"code.py": text}):
            is_meant = finding.rule == _ASSERTED and Path(name).name.startswith("test_")
            if finding.severity is Severity.ERROR and finding.rule not in _UNUSED and not is_meant:
                yield name, finding.rule, finding.message
