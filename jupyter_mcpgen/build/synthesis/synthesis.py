"""From a specification or a prompt to files: made, checked, and written only if all of it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from jupyter_mcpgen.analysis.lint import check_lint
from jupyter_mcpgen.build.output import Output
from jupyter_mcpgen.build.synthesis.component import read_component
from jupyter_mcpgen.build.synthesis.component_templates import Templates
from jupyter_mcpgen.build.synthesis.modelled import Wish, ask_for_files, with_bodies
from jupyter_mcpgen.errors import BrokenCode, McpgenError, NoModel, SynthesisError, UnusableAnswer
from jupyter_mcpgen.llm.model import NEVER, CancelToken, Model
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.validation import Severity
from jupyter_mcpgen.plan.visible import unobeyed, visible

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


class FromPrompt(Record):
    """What `synthesize_component_from_prompt` gives back."""

    status: Literal["success", "failure"]
    generated_files: dict[str, str] = Field(default_factory=dict)
    explanation: str = ""
    error_message: str = ""


@dataclass(frozen=True)
class Planned:
    """The files of an analysis that was understood without a model, and how it was understood."""

    files: Mapping[str, str]
    explanation: str


Locate = Callable[[str], Path]
"""Returns the file of a table that a wish names, links followed, or raises why it may not be read."""


@dataclass(frozen=True)
class Synthesis:
    """Makes components, from templates, by the planner, and with the language model where there is one.

    Everywhere, `target` returns the folder to write into, or raises why it may not be written. A file that is there is
    never overwritten, but for one with the same content. What goes wrong is said, and nothing is raised.
    """

    templates: Templates
    model: Callable[[], Model] | None = None
    model_name: str = ""
    planner: Callable[[str, Locate], Planned | None] | None = None
    """Makes a wish that is an analysis of named data; None where it is none, or was not understood."""

    def from_specification(
        self,
        specification: Callable[[], Path],
        language: str,
        target: Callable[[], Path],
        template_name: str | None = None,
        *,
        is_preview: bool = False,
        llm_assisted: bool = False,
        llm_config: Mapping[str, Any] | None = None,
        cancelled: CancelToken = NEVER,
    ) -> FromSpecification:
        """Make a component of a specification, whose file is returned by `specification`, or raised why it is not.

        With `llm_assisted` the model writes the bodies that it leaves out.
        """
        try:
            folder, path = target(), specification()
            component = read_component(path)
            for said in (language, component.language or LANGUAGE):
                _refuse_other_language(said)
            if llm_assisted:
                component = with_bodies(self._asked(llm_config), component, cancelled)
            template = template_name or component.template or DEFAULT_TEMPLATE
            files = self.templates.render(template, component)
            _refuse_broken(files)
            told = _put(files, folder, is_preview=is_preview)
        except McpgenError as error:
            return FromSpecification(status="failure", error_message=str(error))
        bare = [each.name for each in component.functions if each.body is None]
        lines = [
            f"Template `{template}`, specification `{visible(path.name)}`: {told}",
            *(f"`{name}` has no body yet: it raises NotImplementedError." for name in bare),
        ]
        return FromSpecification(status="success", generated_files=dict(files), log_output="\n".join(lines))

    def from_prompt(
        self,
        wish: Wish,
        language: str,
        target: Callable[[], Path],
        locate: Locate,
        *,
        is_preview: bool = False,
        llm_config: Mapping[str, Any] | None = None,
        cancelled: CancelToken = NEVER,
    ) -> FromPrompt:
        """Make a component of a wish: by the planner where it is an analysis of named data, else by the model.

        An answer of the model that fails a check is sent back once.
        """
        try:
            if not wish.request.strip():
                raise SynthesisError("`prompt` is empty. Say what is to be made.")
            _refuse_other_language(language)
            folder = target()
            planned = None if self.planner is None else self.planner(wish.request, locate)
            if planned is not None:
                files, explanation = planned.files, planned.explanation
                _refuse_broken(files)
            else:
                files, explanation = self._checked(self._asked(llm_config), wish, cancelled)
            told = _put(files, folder, is_preview=is_preview)
        except McpgenError as error:
            return FromPrompt(status="failure", error_message=str(error))
        return FromPrompt(
            status="success", generated_files=dict(files), explanation=f"{unobeyed(explanation)}\n{told}".strip()
        )

    def write(self, files: Mapping[str, str], folder: Path) -> str:
        """Write files that were shown before, and say so; raises a `BuildError` for one that is in the way."""
        return _put(files, folder, is_preview=False)

    def _checked(self, model: Model, wish: Wish, cancelled: CancelToken) -> tuple[Mapping[str, str], str]:
        try:
            files, explanation = ask_for_files(model, wish, "", cancelled)
            _refuse_broken(files)
        except (UnusableAnswer, BrokenCode) as flaw:
            files, explanation = ask_for_files(model, wish, str(flaw), cancelled)
            _refuse_broken(files)
        return files, explanation

    def _asked(self, llm_config: Mapping[str, Any] | None) -> Model:
        """Return the model of the settings; a call may name that one, and no other."""
        if self.model is None:
            raise NoModel
        if dict(llm_config or {}) not in ({}, {"model_name": self.model_name}):
            raise SynthesisError(
                f"`llm_config` chooses no other model than that of the settings, `{self.model_name}`. Leave it out."
            )
        return self.model()


def _put(files: Mapping[str, str], folder: Path, *, is_preview: bool) -> str:
    """Write files, unless they are only to be shown, and say what was done."""
    count = "1 file" if len(files) == 1 else f"{len(files)} files"
    if is_preview:
        return f"{count} would be written to `{folder}`."
    Output(folder).write({name: text.encode() for name, text in files.items()}, lambda each: ())
    return f"{count} written to `{folder}`."


def _refuse_other_language(said: str) -> None:
    if said.casefold() != LANGUAGE:
        shown = visible(said[:_LONGEST_SHOWN])
        raise SynthesisError(f"`{shown}`: there are templates and checks for `{LANGUAGE}` only. Ask for that.")


def _refuse_broken(files: Mapping[str, str]) -> None:
    """Raise where generated code does not hold: what names nothing, or what a linter takes for unsafe."""
    for name, rule, message in _flaws(files):
        raise BrokenCode(name, rule, message)


def _flaws(files: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for name, text in files.items():
        if not name.endswith(".py"):
            continue
        for finding in check_lint({"code.py": text}):
            is_meant = finding.rule == _ASSERTED and Path(name).name.startswith("test_")
            if finding.severity is Severity.ERROR and finding.rule not in _UNUSED and not is_meant:
                yield name, finding.rule, finding.message
