"""The exceptions of jupyter-mcpgen: our own failures, never flaws in generated code.

McpgenError
├── SettingsError               a setting cannot be read
├── DataError                   the data cannot be used
│   ├── DataTooLarge            more rows or columns than the settings allow
│   ├── DataTooHeavy            more bytes, once unpacked, than a run may hold
│   ├── DataTooSlow             more bytes than can be counted in the time of a run
│   ├── UnknownData             no variable or file of that name
│   ├── UnreadableData          the file exists and cannot be read
│   ├── DataNotAllowed          a file that clients may not name
│   └── EmptyData               there is nothing to analyse
├── PlanError                   a plan that cannot be built
│   ├── UnknownColumn           a column the data does not have
│   ├── WrongType               an operation on a type it does not take
│   ├── NotExact                an engine that cannot compute a node exactly
│   └── ReferenceFailed         the reference computation did not finish
├── NotUnderstood               a request that cannot be read; carries the refusal
│   └── AskedBack               a request of several readings; a person picks one
├── SandboxError                the sandbox could not do its work
│   ├── DataMoved               a link, or no file, where the file was that somebody looked at
│   ├── SandboxUnavailable      nothing here enforces the level asked for
│   ├── JobNotBegun             a job did not run because its process could not be confined
│   ├── SandboxBusy             more jobs wait already than may wait
│   ├── SupervisorLost          what confined a run was killed, and nobody saw how the run ended
│   ├── ToolchainMissing        a language without its compiler or interpreter on this machine
│   ├── EngineUnavailable       no container engine here, or none that bounds what it runs
│   ├── ImageMissing            a container image that the engine does not have
│   ├── ContainerFailed         the engine could not make or start a container
│   ├── RuntimeNotReady         a WebAssembly runtime that is missing or not compiled yet
│   └── SessionError            a session that cannot do what was asked
│       ├── UnknownSession      no session of that id belongs to the caller
│       └── PathRefused         a path that is not inside the session's workspace
├── RegistryError               the registry could not do what was asked
│   ├── UnknownTool             no promoted tool of that name
│   ├── UnknownCandidate        no staged candidate of that id
│   │   └── AmbiguousCandidate  the beginning of several ids
│   ├── NameTaken               the name is reserved or belongs to another tool
│   ├── CorruptRegistry         a registry file cannot be read
│   ├── RegistryReadOnly        the registry folder cannot be written
│   ├── RegistryNotYours        the registry folder belongs to another user
│   ├── RegistryBusy            another process keeps the registry locked
│   └── TamperedTool            the files are not the ones approved
├── DecisionError               a decision that cannot be carried out
│   ├── UnsoundApproval         approval of a card whose evidence failed
│   ├── StaleApproval           approval of content that is no longer there
│   └── AlreadyDecided          the candidate was decided before
├── ToolFailed                  a tool ran and did not give a result
└── ServerError                 the MCP server could not start or stop
    └── PortTaken               another program listens on the port

Every message says what happened, to what (in backticks) and what to do next.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from jupyter_mcpgen.wording import in_seconds


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `" Did you mean `x`?"` for the nearest known name, or an empty string."""
    by_folded = {name.casefold(): name for name in known}
    near = get_close_matches(word.casefold(), by_folded, n=1, cutoff=0.6)
    return f" Did you mean `{by_folded[near[0]]}`?" if near else ""


class McpgenError(Exception):
    """The root of every failure that is ours."""


class SettingsError(McpgenError):
    """A setting has a value that cannot be used."""


class DataError(McpgenError):
    """The data named in a request cannot be used."""


class UnknownData(DataError):
    """No variable and no file has the name that was given; without a name, nothing says which table is meant."""

    def __init__(self, name: str | None, known: Iterable[str] = ()) -> None:
        known = tuple(known)
        listed = f" Tables here: {', '.join(f'`{k}`' for k in known[:8])}." if known else ""
        offer = (did_you_mean(name, known) if name else "") or listed
        trouble = f"There is no table and no file named `{name}`." if name else "Which table is meant was not said."
        say = "Name a DataFrame variable or a path to a CSV, Parquet, Feather or JSON file."
        super().__init__(f"{trouble}{offer} {say}")
        self.name = name


class UnreadableData(DataError):
    """A file exists and cannot be read as a table."""

    def __init__(self, path: Path | str, reason: str) -> None:
        super().__init__(f"`{path}` cannot be read as a table: {reason}")
        self.path = str(path)
        self.reason = reason


class DataNotAllowed(DataError):
    """A client named a file outside the folders that are open to clients; says the same whether it exists or not."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"`{path}` is not in a folder that clients may read. The owner opens one with the setting "
            "`server.data_folders` (`MCPGEN_SERVER__DATA_FOLDERS`), or by asking a question of a file in it. "
            "Hidden files and Jupyter's own folders stay closed."
        )
        self.path = path


class EmptyData(DataError):
    """A table without columns or a file without content."""

    def __init__(self, name: Path | str) -> None:
        super().__init__(f"`{name}` is empty: it has no columns to analyse. Check that the right file was named.")


class DataTooLarge(DataError):
    """A table beyond the limits of the settings."""

    def __init__(self, name: str, rows: int, columns: int, most_rows: int, most_columns: int) -> None:
        super().__init__(
            f"`{name}` has {rows:,} rows and {columns:,} columns; the limits are {most_rows:,} and {most_columns:,}. "
            "Take a part of it, or raise `MCPGEN_SANDBOX__MAX_ROWS` or `MCPGEN_SANDBOX__MAX_COLUMNS`."
        )


class DataTooHeavy(DataError):
    """A table that takes more memory, once it is unpacked, than a run may hold, however small its file is."""

    def __init__(self, name: str, size: int, most: int) -> None:
        super().__init__(
            f"`{name}` takes at least {size:,} bytes of memory, however small its file is, and {most:,} are allowed: "
            "half of what a run has, because a table is there twice while it is read. "
            "Take a part of it, or raise `MCPGEN_SANDBOX__MEMORY_MB`."
        )


class DataTooSlow(DataError):
    """A table whose rows cannot be counted in the time that a run may take."""

    def __init__(self, name: str, size: int, seconds: float) -> None:
        super().__init__(
            f"`{name}` has {size:,} bytes, and its rows could not be counted in {in_seconds(seconds)}, which is all "
            "that a run may take. Take a part of it, store it as Parquet, or raise "
            "`MCPGEN_VALIDATION__SANDBOX_TIMEOUT_SECONDS`."
        )


class PlanError(McpgenError):
    """A plan that cannot be built over the schema it is for."""


class UnknownColumn(PlanError):
    """A plan names a column that the data does not have."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        known = tuple(known)
        offer = did_you_mean(name, known) or f" Columns: {', '.join(f'`{k}`' for k in known[:12])}."
        super().__init__(f"There is no column `{name}`.{offer}")
        self.name = name
        self.known = known


class WrongType(PlanError):
    """An operation on a column of a type that it does not take."""


class NotExact(PlanError):
    """An engine cannot compute a node with the meaning the plan gives it."""


class ReferenceFailed(PlanError):
    """The reference computation in SQL did not finish, so nothing can be said about agreement."""


class NotUnderstood(McpgenError):
    """A request that could not be turned into a plan; the message is the honest refusal or the question back.

    `missing` names what was asked for and cannot be computed by anything here.
    """

    def __init__(self, message: str, missing: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.missing = missing


class AskedBack(NotUnderstood):
    """A request that can be read in several ways; `question_id` names the open question to pick one of."""

    def __init__(self, message: str, question_id: str) -> None:
        super().__init__(message)
        self.question_id = question_id


class SandboxError(McpgenError):
    """The sandbox itself failed; says nothing about the code that was to run."""


class DataMoved(SandboxError):
    """Where a file was looked at, there is something else by now."""

    def __init__(self, path: object, why: str = "a link leads from there to another place") -> None:
        super().__init__(
            f"`{path}` cannot be given to a tool: {why}. "
            "Name the file itself, and where somebody changes the folder meanwhile, try again."
        )


class SandboxUnavailable(SandboxError):
    """No backend on this machine enforces the level that the settings ask for."""


class JobNotBegun(SandboxError):
    """The process of a job could not be started or confined; nothing of the job ran, so it may be tried again."""


class SupervisorLost(SandboxError):
    """What confined a run was killed from outside: the run is over, and nobody saw how far it came."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"The supervisor of a {what} was killed from outside, and the {what} with it: how far it came is not "
            "known. It can have changed nothing but its own folder. Run it again; if it happens again, look for a "
            "memory limit on this machine."
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
            f"The image `{image}` is not on this machine's container engine, and none is fetched by itself. "
            f"Run `docker pull {image}`, or name another image of the list."
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
            f"There is no session `{session_id}`: it was never made here, was destroyed, or was idle for too long. "
            "Make one with `create_session`."
        )


class PathRefused(SessionError):
    """A path leads out of a session's workspace, or to something in it that is no ordinary file."""

    def __init__(self, path: object, reason: str) -> None:
        super().__init__(f"`{path}` was refused: {reason}. Give a relative path to a file inside the workspace.")


class RegistryError(McpgenError):
    """The registry could not do what was asked; nothing was changed."""


class UnknownTool(RegistryError):
    """No promoted tool has that name."""

    def __init__(self, name: str, known: Iterable[str] = ()) -> None:
        super().__init__(
            f"No tool named `{name}` is registered.{did_you_mean(name, known)} `%mcpgen list` shows all of them."
        )
        self.name = name


class UnknownCandidate(RegistryError):
    """No staged candidate has that id."""

    def __init__(self, tool_id: str, known: Iterable[str] = ()) -> None:
        super().__init__(
            f"No staged tool has the id `{tool_id}`.{did_you_mean(tool_id, known)} "
            "`%mcpgen list` shows what is waiting."
        )
        self.tool_id = tool_id


class AmbiguousCandidate(UnknownCandidate):
    """The beginning of an id that several candidates share."""

    def __init__(self, tool_id: str, matches: Iterable[str]) -> None:
        RegistryError.__init__(
            self,
            f"`{tool_id}` is the beginning of several ids: {', '.join(f'`{m}`' for m in matches)}. Give more of it.",
        )
        self.tool_id = tool_id


class NameTaken(RegistryError):
    """A tool name that is reserved, or belongs to a different tool."""


class CorruptRegistry(RegistryError):
    """A registry file cannot be read; it was left as it is."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"`{path}` cannot be read ({reason}). It was left untouched. "
            "Restore it from version control or a backup, or call `rebuild()` on the registry, which keeps the broken "
            "file aside and lists the tool folders anew."
        )
        self.path = path
        self.reason = reason


class RegistryReadOnly(RegistryError):
    """The registry folder cannot be written."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"The registry at `{path}` cannot be written ({reason}). "
            "Choose a folder of yours with `MCPGEN_REGISTRY__PATH`, or ask for write access."
        )
        self.path = path


class RegistryNotYours(RegistryError):
    """The registry folder belongs to another user, who could put other tools into it."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"The registry at `{path}` belongs to another user, so what lies there cannot be trusted. "
            "Take a copy that is yours (a clone of a shared registry, for example), or choose another folder with "
            "`MCPGEN_REGISTRY__PATH`."
        )
        self.path = path


class RegistryBusy(RegistryError):
    """Another process keeps the registry locked."""

    def __init__(self, path: Path, seconds: float) -> None:
        super().__init__(
            f"The registry at `{path}` was locked by another process for {in_seconds(seconds)}. "
            "Try again; if it stays locked, close the other kernel or server that uses it."
        )
        self.path = path


class TamperedTool(RegistryError):
    """The files of a promoted tool are not the ones a person approved."""

    def __init__(self, name: str, change: str = "its files changed after the approval") -> None:
        super().__init__(
            f"`{name}` is not what was approved: {change}, so it does not run. "
            "Undo the change, or ask the question again and approve the new version."
        )
        self.name = name


class DecisionError(McpgenError):
    """A decision that cannot be carried out; the candidate stays as it was."""


class UnsoundApproval(DecisionError):
    """An approval of a card whose checks failed."""

    def __init__(self, name: str, reasons: Iterable[str] = ()) -> None:
        why = " ".join(reasons) or "its checks did not pass."
        super().__init__(f"`{name}` cannot be approved: {why} Reject it with a reason, or ask again.")


class StaleApproval(DecisionError):
    """An approval of content that is no longer what is staged."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"`{name}` was not approved: the staged files are not the ones that were shown. Ask the question again."
        )


class AlreadyDecided(DecisionError):
    """A second decision about a candidate that has one."""

    def __init__(self, name: str, decision: str) -> None:
        super().__init__(f"`{name}` is already {decision.lower()}; there is nothing left to decide.")


class ToolFailed(McpgenError):
    """A tool ran in the sandbox and gave no result; the message says why."""


class ServerError(McpgenError):
    """The MCP server could not start or stop."""


class PortTaken(ServerError):
    """Another program already listens on the port."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(
            f"Port {port} on `{host}` is in use by another program. "
            "Choose another with `%mcpgen serve --port N`, or `--port 0` for a free one."
        )
        self.port = port
