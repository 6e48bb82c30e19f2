"""The building family, as far as it makes new components from a specification."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import Field

from jupyter_mcpgen.build.synthesis.synthesis import FromSpecification, Synthesis
from jupyter_mcpgen.folders import OpenFolders
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.tools.offer import MAKES, Caller, Offer, Reply


class SynthesizeFromSpec(Record):
    """What `synthesize_component_from_spec` takes."""

    specification_file: str = Field(description="JSON or YAML")
    language: str = Field(description="`python`")
    target_directory: str = Field(description="Folder for the files")
    template_name: str | None = Field(default=None, description="See the guide")
    llm_assisted: bool = Field(default=False, description="Not supported yet")
    llm_config: dict[str, Any] | None = Field(default=None, description="Not supported yet")
    preview: bool = Field(default=False, description="Write nothing")


def offers(synthesis: Callable[[], Synthesis], sources: OpenFolders, outputs: OpenFolders) -> tuple[Offer[Any], ...]:
    """Return these tools; clients name specifications in `sources`, and have components written into `outputs`."""

    def from_specification(asked: SynthesizeFromSpec, _: Caller) -> Reply:
        """Make a component, and return its files."""
        made = synthesis().from_specification(
            lambda: sources.allowed(asked.specification_file),
            asked.language,
            lambda: outputs.allowed(asked.target_directory),
            asked.template_name,
            is_preview=asked.preview,
            llm_assisted=asked.llm_assisted or bool(asked.llm_config),
        )
        return _told(made)

    return (
        Offer(
            "synthesize_component_from_spec", SynthesizeFromSpec, FromSpecification, MAKES, from_specification,
            refused=lambda why: _told(FromSpecification(status="failure", error_message=why)),
            administers=True,
        ),
    )  # fmt: skip


def _told(made: FromSpecification) -> Reply:
    if made.status == "failure":
        return Reply(made.error_message, made, failed=True)
    return Reply("\n".join([made.log_output, *(f"- `{name}`" for name in made.generated_files)]), made)
