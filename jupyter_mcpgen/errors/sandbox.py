"""A sandbox, a container engine or a session that could not do its work."""

from __future__ import annotations

from jupyter_mcpgen.errors.root import McpgenError

_LONGEST_ID = 64
"""No session has a longer id, and an answer repeats no more of what a client sent."""


class SandboxError(McpgenError):
    """The sandbox itself failed; says nothing about the code that was to run."""


class DataMoved(SandboxError):
    """Where a file was looked at, there is something else by now."""

    def __init__(self, path: object, why: str = "a link leads from there to another place") -> None:
        super().__init__(
            f"`{path}` cannot be given to a tool: {why}. "
            "Name the file itself. If somebody is changing the folder, try again."
        )


class SandboxUnavailable(SandboxError):
    """No backend on this machine enforces the level that the settings ask for."""


class JobNotBegun(SandboxError):
    """The process of a job could not be started or confined; nothing of the job ran, so it may be tried again."""


class SupervisorLost(SandboxError):
    """What confined a run was killed from outside: the run is over, and nobody saw how far it came."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"The supervisor of a {what} was killed from outside, so the {what} stopped and its outcome is unknown. "
            "It can only have changed its own folder. Run it again. If it happens again, check this machine for a "
            "memory limit."
        )


class SandboxBusy(SandboxError):
    """As many jobs wait for their turn as may wait; nothing of this one ran, so it may be tried again."""


class ToolchainMissing(SandboxError):
    """A language cannot be used here because a tool of it is not installed."""

    def __init__(self, language: str, tool: str, install: str) -> None:
        super().__init__(f"`{language}` cannot be run here: `{tool}` was not found. To use it, {install}.")
        self.language = language
        self.tool = tool


class EngineUnavailable(SandboxError):
    """No container engine can be used: none is there, or it would not bound what it runs."""


class ImageMissing(SandboxError):
    """A container image is not on the engine; nothing is ever fetched by itself."""

    def __init__(self, image: str) -> None:
        super().__init__(
            f"The image `{image}` is not on this machine's container engine, and images are not downloaded. "
            f"Run `docker pull {image}`, or use another image of the list."
        )
        self.image = image


class ContainerFailed(SandboxError):
    """The engine refused to make or to start a container; nothing of the program ran."""


class RuntimeNotReady(SandboxError):
    """A WebAssembly runtime is not installed, not compiled yet, or the machine has too little memory to compile it."""


class SessionError(SandboxError):
    """A session cannot be made or used; the others are as they were."""


class UnknownSession(SessionError):
    """No session of that id belongs to the caller, whether or not it belongs to somebody else."""

    def __init__(self, session_id: object) -> None:
        super().__init__(
            f"There is no session `{str(session_id)[:_LONGEST_ID]}`: it never existed, was destroyed, or was "
            "idle for too long. Create one with `create_session`."
        )


class PathRefused(SessionError):
    """A path leads out of a session's workspace, or to something in it that is no ordinary file."""

    def __init__(self, path: object, reason: str) -> None:
        super().__init__(f"`{path}` was refused: {reason}. Give a relative path to a file inside the workspace.")
