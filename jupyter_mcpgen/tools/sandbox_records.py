"""What the tools of the sandbox family take and give."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema
from pydantic.json_schema import JsonSchemaValue

from jupyter_mcpgen.model.fuel import MOST_FUEL
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.sandbox.execution.limits import DEFAULT_SECONDS
from jupyter_mcpgen.sandbox.execution.record import Status
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES
from jupyter_mcpgen.sandbox.runtime_kind import RuntimeKind
from jupyter_mcpgen.sandbox.runtimes import RuntimeState
from jupyter_mcpgen.tools.results import Metadata
from jupyter_mcpgen.tools.running import FileChange, FuelUnits, Runtimes

MOST_READ = 1_000_000
LanguageName = Annotated[str, WithJsonSchema({"type": "string", "enum": list(LANGUAGES)})]
_ID: JsonSchemaValue = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}
SessionId = Annotated[
    Any,
    WithJsonSchema({**_ID, "description": "a session of yours; without one nothing is kept"}),
]
NewSessionId = Annotated[
    Any, WithJsonSchema({**_ID, "description": "an id of your own; without one it gets a new one"})
]
KnownSession = Annotated[str, Field(description="of `create_session`")]
FilePath = Annotated[str, Field(description="relative to the workspace, without `..`")]
Encoding = Annotated[Literal["utf-8", "base64"], Field(description="`utf-8` for text, `base64` for any other bytes")]
Timeout = Annotated[
    float | None,
    WithJsonSchema(
        {
            "type": "integer",
            "minimum": 1,
            "maximum": 300,
            "description": "most seconds; a value outside 1 to 300 is brought inside",
        }
    ),
]
Code = Annotated[str | None, WithJsonSchema({"type": "string"})]


class ExecuteCode(Record):
    """What `execute_code` takes."""

    code: Code
    language: LanguageName = "python"
    timeout: Timeout = DEFAULT_SECONDS
    session_id: SessionId = None
    stdin: str | None = Field(default=None, description="standard input of the program")
    fuel_budget: int | None = Field(default=None, gt=0, le=MOST_FUEL, description="most fuel, in `fuel_unit`")
    fuel_unit: FuelUnits | None = Field(
        default=None,
        description="`cpu_ms` (the default): processor milliseconds. `events`, `lines`: Python, the same every time. "
        "`instructions`: `wasm`",
    )
    runtime: Runtimes = Field(default="native", description="`wasm`: Python or JavaScript with fuel as a hard limit")
    memory_bytes: int | None = Field(default=None, gt=0, description="most memory of a run without a session")


class SandboxResult(Record):
    """The record of a run; `success` is true only when the program ended with exit code 0."""

    stdout: str
    stderr: str
    exit_code: int
    execution_time_ms: float
    fuel_consumed: int | None = Field(
        description="in `fuel_unit`, by default `cpu_ms` (`instructions` in `wasm`); null if unknown"
    )
    success: bool
    status: Status
    error_message: str | None
    files_changed: tuple[FileChange, ...] = Field(description="in the session's workspace; empty without a session")
    metadata: Metadata


class CreateSession(Record):
    """What `create_session` takes."""

    language: LanguageName = "python"
    session_id: NewSessionId = None
    auto_persist_globals: bool = Field(default=False, description="keep plain variables in a file as well")
    keep_state: bool = Field(default=True, description="keep the interpreter between runs")
    memory_bytes: int | None = Field(default=None, gt=0, description="most memory of the session's programs")
    runtime: Runtimes = Field(
        default="native",
        description="`wasm`: JavaScript with fuel as a hard limit",
    )


class SessionMade(Record):
    """A session that was made."""

    session_id: str
    language: str
    runtime: Runtimes
    created_at: str
    auto_persist_globals: bool
    keeps_state: bool
    memory_bytes: int
    data_paths: tuple[str, ...] = Field(description="files and folders that code may read and not write")
    notes: tuple[str, ...] = ()


class Nothing(Record):
    """No arguments."""


class Session(Record):
    """One session of the caller."""

    session_id: str
    language: str
    runtime: Runtimes
    keeps_state: bool
    auto_persist_globals: bool
    execution_count: int
    age_seconds: float
    idle_seconds: float
    is_busy: bool


class SessionList(Record):
    """The caller's sessions, the oldest first."""

    sessions: tuple[Session, ...]


class OneSession(Record):
    """What names a session."""

    session_id: KnownSession


class SessionFile(Record):
    """One file or folder of a workspace."""

    path: str
    is_folder: bool
    size: int
    modified: str


class ListFiles(Record):
    """What `list_session_files` takes."""

    session_id: KnownSession
    path: str = Field(default=".", description="the folder to list, with all below it")


class FileList(Record):
    """The files of a workspace."""

    session_id: str
    files: tuple[SessionFile, ...]
    truncated: bool = Field(description="true when there are more than are listed: at most 10,000, fewer of long paths")


class ReadFile(Record):
    """What `read_session_file` takes."""

    session_id: KnownSession
    path: FilePath
    encoding: Encoding = "utf-8"
    offset: int = Field(default=0, ge=0, le=2**62, description="the first byte to return")
    limit: int = Field(default=MOST_READ, ge=1, le=MOST_READ, description="most bytes to return")


class FileContent(Record):
    """A file, or a part of it."""

    session_id: str
    path: str
    content: str
    encoding: str
    size: int = Field(description="bytes of the whole file")
    offset: int
    truncated: bool = Field(description="true when there is more after this part")


class WriteFile(Record):
    """What `write_session_file` takes."""

    session_id: KnownSession
    path: FilePath
    content: str = Field(description="the whole content")
    encoding: Encoding = "utf-8"


class FileWritten(Record):
    """A file that was written."""

    session_id: str
    path: str
    size: int


class OneFile(Record):
    """What names a file."""

    session_id: KnownSession
    path: FilePath


class Gone(Record):
    """What was removed."""

    session_id: str
    path: str | None = None


class RuntimeEntry(Record):
    """One way to run one language."""

    name: str
    language: str
    kind: RuntimeKind
    state: RuntimeState
    available: bool
    missing: str | None = Field(description="why it is not available at once, and what to do")
    version: str | None
    sandbox_level: int
    keeps_state: bool = Field(description="whether a session keeps its variables")
    has_pandas: bool
    compiled: bool
    file_extension: str
    fuel_units: tuple[str, ...]
    has_hard_fuel: bool
    reads_data: bool = Field(description="whether code sees the files and folders of `data_paths`")


class RuntimeList(Record):
    """The languages of this machine."""

    runtimes: tuple[RuntimeEntry, ...]
    data_paths: tuple[str, ...]
    usage_note: str


class Package(Record):
    """An installed package, by the name that code imports; what its first import takes, where that was measured."""

    name: str = Field(description="the name that code imports")
    distribution: str = Field(description="the name that it is installed by")
    version: str
    first_import_cpu_ms_least: int | None = Field(description="the lightest usual import")
    first_import_cpu_ms: int | None = Field(description="the heaviest usual import")
    usage: str | None = Field(description="one line that runs as it stands")


class Packages(Record):
    """The packages by language."""

    python: tuple[Package, ...]
    javascript: tuple[Package, ...] = Field(description="none: `usage_note` says what JavaScript has of its own")


class PackageList(Record):
    """What can be imported without installing anything."""

    packages: Packages
    usage_note: str
