"""The building family: approved tools become packages, scripts and notebooks that stand without this product."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from jupyter_mcpgen.build.builds import DEFAULT_FOLDER, Builds
from jupyter_mcpgen.build.records import BuildStarted, BuildStatus, State
from jupyter_mcpgen.folders import OpenFolders
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.tools.offer import MAKES, READS, Caller, Offer, Reply

Keys = Annotated[dict[str, Any], WithJsonSchema({"type": "object"})]
"""Whatever it holds is looked at where it is used."""


class TriggerBuild(Record):
    """What `trigger_build` takes."""

    target: str = Field(description="Such as `tool:NAME`; see the guide")
    config: Keys = Field(default_factory=dict, description="`profile`, `version`, `tools`")
    output_path_suggestion: str | None = Field(default=None, description="Folder")
    clean_build: bool = Field(default=False, description="Build it anew")
    build_options: Keys = Field(default_factory=dict, description="See the guide")


class GetBuildStatus(Record):
    """What `get_build_status` takes."""

    build_id: str = Field(description="From `trigger_build`")


def offers(builds: Callable[[], Builds], sources: OpenFolders, outputs: OpenFolders) -> tuple[Offer[Any], ...]:
    """Return the family; clients name modules in `sources`, and have artifacts written into `outputs` only."""
    family = _Building(builds, sources, outputs)
    return (
        # What is built is a program outside the sandbox, so that not every token may have it made.
        Offer(
            "trigger_build", TriggerBuild, BuildStarted, MAKES, family.trigger_build,
            refused=lambda why: _started(BuildStarted(status="failure", message="Not built.", error_message=why)),
            administers=True,
        ),
        Offer("get_build_status", GetBuildStatus, BuildStatus, READS, family.get_build_status),
    )  # fmt: skip


class _Building:
    """The tools of the family, a few lines each."""

    def __init__(self, builds: Callable[[], Builds], sources: OpenFolders, outputs: OpenFolders) -> None:
        self._builds = builds
        self._sources = sources
        self._outputs = outputs

    def trigger_build(self, asked: TriggerBuild, _: Caller) -> Reply:
        """Begin a build into a folder that is open to clients."""

        def place() -> Path:
            return self._outputs.allowed(asked.output_path_suggestion or DEFAULT_FOLDER)

        started = self._builds().trigger(
            asked.target,
            place,
            asked.config,
            asked.build_options,
            clean=asked.clean_build,
            source=self._sources.allowed,
        )
        return _started(started)

    def get_build_status(self, asked: GetBuildStatus, _: Caller) -> Reply:
        """Give the status of a build; for a build that failed, this call is no success."""
        status = self._builds().status(asked.build_id)
        lines = [
            f"{status.status} ({status.progress_percentage} %): {status.message}",
            status.error_details,
            *(f"- `{each.path}`, sha256 {each.sha256}" for each in status.artifacts),
        ]
        failed = status.status in (State.FAILURE, State.ERROR)
        return Reply("\n".join(filter(None, lines)), status, failed=failed)


def _started(started: BuildStarted) -> Reply:
    lines = [
        started.message,
        started.error_message,
        f"Ask `get_build_status` for `{started.build_id}`." if started.status == "pending" else "",
        *(f"- `{path}`" for path in started.artifact_paths),
    ]
    return Reply("\n".join(filter(None, lines)), started, failed=started.status == "failure")
