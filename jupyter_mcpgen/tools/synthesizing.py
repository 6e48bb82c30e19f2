"""The building family, as far as it makes new components."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import Field

from jupyter_mcpgen.build.synthesis.modelled import Wish
from jupyter_mcpgen.build.synthesis.synthesis import FromPrompt, FromSpecification, Synthesis
from jupyter_mcpgen.folders import OpenFolders
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.tools.building import Keys
from jupyter_mcpgen.tools.offer import MAKES, Caller, Offer, Reply


class SynthesizeFromSpec(Record):
    """What `synthesize_component_from_spec` takes."""

    specification_file: str = Field(description="JSON or YAML")
    language: str = Field(description="`python`")
    target_directory: str = Field(description="Folder")
    template_name: str | None = Field(default=None, description="See the guide")
    llm_assisted: bool = Field(default=False, description="A model writes missing bodies")
    llm_config: Keys | None = Field(default=None, description="`model_name`")
    preview: bool = Field(default=False, description="Write nothing")


class SynthesizeFromPrompt(Record):
    """What `synthesize_component_from_prompt` takes."""

    prompt: str = Field(description="What to make")
    language: str = Field(description="`python`")
    target_directory: str = Field(description="Folder")
    context_code: str | None = Field(default=None, description="Code around it")
    style_guide: str | None = Field(default=None, description="Conventions")
    llm_config: Keys | None = Field(default=None, description="`model_name`")
    preview: bool = Field(default=False, description="Write nothing")


def offers(synthesis: Callable[[], Synthesis], sources: OpenFolders, outputs: OpenFolders) -> tuple[Offer[Any], ...]:
    """Return these tools; clients name specifications in `sources`, and have components written into `outputs`."""

    def from_specification(asked: SynthesizeFromSpec, caller: Caller) -> Reply:
        """Make a component, and return its files."""
        made = synthesis().from_specification(
            lambda: sources.allowed(asked.specification_file),
            asked.language,
            lambda: outputs.allowed(asked.target_directory),
            asked.template_name,
            is_preview=asked.preview,
            llm_assisted=asked.llm_assisted,
            llm_config=asked.llm_config,
            cancelled=caller.cancellation,
        )
        return _told(made, made.log_output)

    def from_prompt(asked: SynthesizeFromPrompt, caller: Caller) -> Reply:
        """Have the model write a component, and return its files."""
        made = synthesis().from_prompt(
            Wish(asked.prompt, asked.context_code or "", asked.style_guide or ""),
            asked.language,
            lambda: outputs.allowed(asked.target_directory),
            sources.allowed,
            is_preview=asked.preview,
            llm_config=asked.llm_config,
            cancelled=caller.cancellation,
        )
        return _told(made, made.explanation)

    return (
        Offer(
            "synthesize_component_from_spec", SynthesizeFromSpec, FromSpecification, MAKES, from_specification,
            refused=lambda why: _told(FromSpecification(status="failure", error_message=why)),
            administers=True,
        ),
        Offer(
            "synthesize_component_from_prompt", SynthesizeFromPrompt, FromPrompt, MAKES, from_prompt,
            refused=lambda why: _told(FromPrompt(status="failure", error_message=why)),
            administers=True,
        ),
    )  # fmt: skip


def _told(made: FromSpecification | FromPrompt, done: str = "") -> Reply:
    if made.status == "failure":
        return Reply(made.error_message, made, failed=True)
    return Reply("\n".join([done, *(f"- `{name}`" for name in made.generated_files)]), made)
