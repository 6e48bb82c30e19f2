"""Builds packages, scripts and notebooks that run without this product, and makes new components.

`trigger_build` begins a build, `get_build_status` gives its status. `synthesize_component_from_spec` makes files of
a specification, `synthesize_component_from_prompt` of a wish in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jupyter_mcpgen.build.records import BuildStarted, BuildStatus
    from jupyter_mcpgen.build.synthesis.synthesis import FromPrompt, FromSpecification
    from jupyter_mcpgen.runtime import Runtime

__all__ = [
    "get_build_status",
    "synthesize_component_from_prompt",
    "synthesize_component_from_spec",
    "trigger_build",
]


def trigger_build(
    target: str,
    config: Mapping[str, Any] | None = None,
    output_path_suggestion: str | None = None,
    clean_build: bool = False,
    build_options: Mapping[str, Any] | None = None,
) -> BuildStarted:
    """Begin to build a target, such as `tool:NAME`, into a folder: `dist` here, or the one suggested.

    Returns at once, with the id for `get_build_status`. What cannot be built has the status `failure` and says why.
    """
    from jupyter_mcpgen.build.builds import folder_of_person  # deferred: loads the registry

    return _runtime().builds.trigger(
        target, lambda: folder_of_person(output_path_suggestion), config, build_options, clean=clean_build
    )


def get_build_status(build_id: str) -> BuildStatus:
    """Return the status of a build; it is `error` for an id that no build has."""
    return _runtime().builds.status(build_id)


def synthesize_component_from_spec(
    specification_file: str,
    language: str,
    target_directory: str,
    template_name: str | None = None,
    llm_assisted: bool = False,
    llm_config: Mapping[str, Any] | None = None,
    preview: bool = False,
) -> FromSpecification:
    """Make a component from a specification in a JSON or YAML file, and write it into a folder.

    With `preview` nothing is written. What cannot be made has the status `failure` and says why.
    """
    from jupyter_mcpgen.build.builds import folder_of_person  # deferred, as above

    return _runtime().synthesis.from_specification(
        lambda: folder_of_person(specification_file),
        language,
        lambda: folder_of_person(target_directory),
        template_name,
        is_preview=preview,
        llm_assisted=llm_assisted,
        llm_config=llm_config,
    )


def synthesize_component_from_prompt(
    prompt: str,
    language: str,
    target_directory: str,
    context_code: str | None = None,
    style_guide: str | None = None,
    llm_config: Mapping[str, Any] | None = None,
    preview: bool = False,
) -> FromPrompt:
    """Make a component of a wish, and write it into a folder.

    An analysis of data that the prompt names (`total price by region in sales.csv`) is made by the planner, without a
    model. All else the language model of the settings writes: the prompt, the code and the style guide are sent to it.
    With `preview` nothing is written.
    """
    from jupyter_mcpgen.build.builds import folder_of_person  # deferred, as above
    from jupyter_mcpgen.build.synthesis.modelled import Wish

    return _runtime().synthesis.from_prompt(
        Wish(prompt, context_code or "", style_guide or ""),
        language,
        lambda: folder_of_person(target_directory),
        folder_of_person,
        is_preview=preview,
        llm_config=llm_config,
    )


def _runtime() -> Runtime:
    """Return what is put together in this process; by name, because it knows this package."""
    runtime: Runtime = import_module("jupyter_mcpgen.runtime").current()
    return runtime
