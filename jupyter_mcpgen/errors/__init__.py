"""The exceptions of jupyter-mcpgen: our own failures, never flaws in generated code.

McpgenError
├── SettingsError               a setting cannot be read
├── DataError                   the data cannot be used
│   ├── DataTooLarge            more rows or columns than the settings allow
│   ├── DataTooHeavy            more bytes, once unpacked, than a run may hold
│   ├── DataTooSlow             more bytes than can be counted in the time of a run
│   ├── LazyTooLarge            a lazy table that became too large while it was computed
│   ├── NotComputed             a Dask frame whose computation failed
│   ├── UnknownData             no variable or file of that name
│   ├── UnreadableData          the file exists and cannot be read
│   ├── SeveralTables           a file with several tables, and none was named
│   ├── AddressesNotAllowed     a file of the web, where nothing may be fetched
│   ├── DataNotAllowed          a file that clients may not name
│   └── EmptyData               there is nothing to analyze
├── PlanError                   a plan that cannot be built
│   ├── UnknownColumn           a column the data does not have
│   ├── WrongType               an operation on a type it does not take
│   └── ReferenceFailed         the reference computation did not finish
├── UnusableCode                written code that no tool can be made of
├── NotUnderstood               a request that cannot be read; carries the refusal
│   ├── AskedBack               a request of several readings; a person picks one
│   ├── NearlyUnderstood        a refused request with something near to it that a person may pick
│   └── FoundNothing            an understood request that no row, or no value, answers
├── QuestionStopped             a person stopped a question; nothing of it was kept
├── ModelError                  the language model gave no usable answer
│   ├── NoModel                 a model was to read a question, and none is set up
│   ├── ModelDown               nothing answers at the address of the model server
│   ├── Offline                 the address cannot be found from this machine
│   ├── NotAModelServer         something else answers at the address
│   ├── ModelServerFailed       the model server reported an error
│   ├── ModelTooSlow            the model took longer than it may
│   ├── WrongKey                the key was refused, or there is none
│   ├── NoKey                   the environment variable with the key is not set
│   ├── NoSuchModel             the server has no model of that name
│   ├── EmptyReply              a reply without content
│   ├── UnreadableReply         a reply without the one JSON object asked for
│   ├── TruncatedReply          a reply that ended too early
│   ├── ModelRefused            the model, or a filter, declined to answer
│   ├── RateLimited             the server takes no more requests for now
│   ├── AccountSpent            the account at the provider has no credit
│   ├── BudgetSpent             a request that would exceed the budget; not sent
│   ├── AskCancelled            the person cancelled
│   ├── ContextTooSmall         the model cannot hold the prompt
│   ├── RequestNotLogged        the log of requests cannot be written; not sent
│   ├── TooLongToSend           a text would have to be cut; not sent
│   ├── NoEmbeddings            the server gave no embeddings of texts
│   └── NoRecording             no reply was recorded for a prompt
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
│   ├── UnknownVersion          a tool has no such version
│   ├── UnknownCandidate        no staged candidate of that id
│   │   └── AmbiguousCandidate  the beginning of several ids
│   ├── NameTaken               the name is reserved or belongs to another tool
│   ├── CorruptRegistry         a registry file cannot be read
│   │   └── LeadsOut            a link or a special file stands in the registry
│   ├── RegistryReadOnly        the registry folder cannot be written
│   ├── RegistryNotYours        the registry folder belongs to another user
│   ├── RegistryBusy            another process keeps the registry locked
│   └── TamperedTool            the files are not the ones approved
├── DecisionError               a decision that cannot be carried out
│   ├── UnsoundApproval         approval of a card whose evidence failed
│   ├── NotConfirmed            approval without what a person has to confirm besides
│   ├── StaleApproval           approval of content that is no longer there
│   ├── CardExpired             the card waited too long and was archived; it can be reopened
│   └── AlreadyDecided          the candidate was decided before
├── OfferError                  a tool that a client offers cannot be taken
│   ├── SchemaValidationError   what the client says of it is malformed, or not what the code does
│   ├── NameConflictError       the name is reserved, or another tool has it
│   ├── ConsentDeniedError      a person declined it
│   ├── ConsentTimeoutError     nobody decided in time
│   ├── ToolNotFoundError       no client made a tool of that name
│   ├── SystemToolError         a tool that no client made, and no client can change
│   └── RateLimitError          a tool was called more often than it may be
├── ToolFailed                  a tool ran and did not give a result
│   └── ColumnsRenamed          … and the columns that it did not find seem to have other names
├── PathNotOpen                 a path outside the folders that are open to clients
├── CodingError                 a project could not be analyzed, repaired or reported on
│   ├── AnalysisError           an analysis could not be made
│   ├── SourceMissing           no file of that name
│   ├── FolderMissing           no folder of that name
│   ├── UnsupportedLanguage     a file in a language that nothing here checks
│   ├── CheckerMissing          a linter or compiler that is not installed
│   ├── ConfigurationError      quality gates that mean nothing
│   ├── DebuggingError          code could not be fixed
│   │   ├── DiagnosisError      nothing says why it failed
│   │   ├── PatchGenerationError    nobody knows a fix
│   │   └── VerificationError   no fix held
│   ├── InvalidResultsError     results that no report can be made of
│   └── WriteError              a report that cannot be written
├── BuildError                  a build could not be made
│   ├── UnknownTarget           a target that nothing here builds
│   ├── UnfitOrder              a configuration, an option or a version that does not fit the target
│   ├── UnfitModule             a module that needs its own build backend, or is none
│   ├── NotStandalone           a tool that needs what only this product gives
│   ├── FileInTheWay            a file that no build made is where an artifact should be
│   ├── OwnTestsFailed          the tests of a tool fail on the package that was made of it
│   └── BuildStopped            a build was cancelled, or took longer than it may
├── SynthesisError              a component could not be made
│   ├── AnsweredAlready         an approved tool is what is wished for
│   ├── UnfitSpecification      a specification that says nothing to make a component of
│   ├── UnknownTemplate         no template of that name
│   ├── UnusableTemplate        a template that gives no file
│   ├── UnusableAnswer          a language model wrote what no component can be made of
│   └── BrokenCode              code of a component that fails a check
├── NotVerifiable               an answer that cannot be compared with what was approved
├── NoAnswer                    data was taken from an answer that holds none
└── ServerError                 the MCP server could not start or stop
    └── PortTaken               another program listens on the port

Every message says what happened, to what (in backticks) and what to do next.
"""

from __future__ import annotations

from jupyter_mcpgen.errors.building import (
    AnsweredAlready,
    BrokenCode,
    BuildError,
    BuildStopped,
    FileInTheWay,
    NotStandalone,
    OwnTestsFailed,
    SynthesisError,
    UnfitModule,
    UnfitOrder,
    UnfitSpecification,
    UnknownTarget,
    UnknownTemplate,
    UnusableAnswer,
    UnusableTemplate,
)
from jupyter_mcpgen.errors.coding import (
    AnalysisError,
    CheckerMissing,
    CodingError,
    ConfigurationError,
    DebuggingError,
    DiagnosisError,
    FolderMissing,
    InvalidResultsError,
    PatchGenerationError,
    PathNotOpen,
    SourceMissing,
    UnsupportedLanguage,
    VerificationError,
    WriteError,
)
from jupyter_mcpgen.errors.data import (
    AddressesNotAllowed,
    DataError,
    DataNotAllowed,
    DataTooHeavy,
    DataTooLarge,
    DataTooSlow,
    EmptyData,
    LazyTooLarge,
    NotComputed,
    SeveralTables,
    UnknownData,
    UnreadableData,
)
from jupyter_mcpgen.errors.llm import (
    AccountSpent,
    AskCancelled,
    BudgetSpent,
    ContextTooSmall,
    EmptyReply,
    ModelDown,
    ModelError,
    ModelRefused,
    ModelServerFailed,
    ModelTooSlow,
    NoEmbeddings,
    NoKey,
    NoModel,
    NoRecording,
    NoSuchModel,
    NotAModelServer,
    Offline,
    RateLimited,
    RequestNotLogged,
    TooLongToSend,
    TruncatedReply,
    UnreadableReply,
    WrongKey,
)
from jupyter_mcpgen.errors.offering import (
    ConsentDeniedError,
    ConsentTimeoutError,
    NameConflictError,
    OfferError,
    RateLimitError,
    SchemaValidationError,
    SystemToolError,
    ToolNotFoundError,
)
from jupyter_mcpgen.errors.registry import (
    AlreadyDecided,
    AmbiguousCandidate,
    CardExpired,
    CorruptRegistry,
    DecisionError,
    LeadsOut,
    NameTaken,
    NotConfirmed,
    RegistryBusy,
    RegistryError,
    RegistryNotYours,
    RegistryReadOnly,
    StaleApproval,
    TamperedTool,
    UnknownCandidate,
    UnknownTool,
    UnknownVersion,
    UnsoundApproval,
)
from jupyter_mcpgen.errors.request import (
    AskedBack,
    FoundNothing,
    NearlyUnderstood,
    NotUnderstood,
    PlanError,
    QuestionStopped,
    ReferenceFailed,
    UnknownColumn,
    UnusableCode,
    WrongType,
)
from jupyter_mcpgen.errors.root import (
    McpgenError,
    did_you_mean,
)
from jupyter_mcpgen.errors.sandbox import (
    ContainerFailed,
    DataMoved,
    EngineUnavailable,
    ImageMissing,
    JobNotBegun,
    PathRefused,
    RuntimeNotReady,
    SandboxBusy,
    SandboxError,
    SandboxUnavailable,
    SessionError,
    SupervisorLost,
    ToolchainMissing,
    UnknownSession,
)
from jupyter_mcpgen.errors.serving import (
    ColumnsRenamed,
    NoAnswer,
    NotVerifiable,
    PortTaken,
    ServerError,
    SettingsError,
    ToolFailed,
)

__all__ = [
    "AccountSpent",
    "AddressesNotAllowed",
    "AlreadyDecided",
    "AmbiguousCandidate",
    "AnalysisError",
    "AnsweredAlready",
    "AskCancelled",
    "AskedBack",
    "BrokenCode",
    "BudgetSpent",
    "BuildError",
    "BuildStopped",
    "CardExpired",
    "CheckerMissing",
    "CodingError",
    "ColumnsRenamed",
    "ConfigurationError",
    "ConsentDeniedError",
    "ConsentTimeoutError",
    "ContainerFailed",
    "ContextTooSmall",
    "CorruptRegistry",
    "DataError",
    "DataMoved",
    "DataNotAllowed",
    "DataTooHeavy",
    "DataTooLarge",
    "DataTooSlow",
    "DebuggingError",
    "DecisionError",
    "DiagnosisError",
    "EmptyData",
    "EmptyReply",
    "EngineUnavailable",
    "FileInTheWay",
    "FolderMissing",
    "FoundNothing",
    "ImageMissing",
    "InvalidResultsError",
    "JobNotBegun",
    "LazyTooLarge",
    "LeadsOut",
    "McpgenError",
    "ModelDown",
    "ModelError",
    "ModelRefused",
    "ModelServerFailed",
    "ModelTooSlow",
    "NameConflictError",
    "NameTaken",
    "NearlyUnderstood",
    "NoAnswer",
    "NoEmbeddings",
    "NoKey",
    "NoModel",
    "NoRecording",
    "NoSuchModel",
    "NotAModelServer",
    "NotComputed",
    "NotConfirmed",
    "NotStandalone",
    "NotUnderstood",
    "NotVerifiable",
    "OfferError",
    "Offline",
    "OwnTestsFailed",
    "PatchGenerationError",
    "PathNotOpen",
    "PathRefused",
    "PlanError",
    "PortTaken",
    "QuestionStopped",
    "RateLimitError",
    "RateLimited",
    "ReferenceFailed",
    "RegistryBusy",
    "RegistryError",
    "RegistryNotYours",
    "RegistryReadOnly",
    "RequestNotLogged",
    "RuntimeNotReady",
    "SandboxBusy",
    "SandboxError",
    "SandboxUnavailable",
    "SchemaValidationError",
    "ServerError",
    "SessionError",
    "SettingsError",
    "SeveralTables",
    "SourceMissing",
    "StaleApproval",
    "SupervisorLost",
    "SynthesisError",
    "SystemToolError",
    "TamperedTool",
    "TooLongToSend",
    "ToolFailed",
    "ToolNotFoundError",
    "ToolchainMissing",
    "TruncatedReply",
    "UnfitModule",
    "UnfitOrder",
    "UnfitSpecification",
    "UnknownCandidate",
    "UnknownColumn",
    "UnknownData",
    "UnknownSession",
    "UnknownTarget",
    "UnknownTemplate",
    "UnknownTool",
    "UnknownVersion",
    "UnreadableData",
    "UnreadableReply",
    "UnsoundApproval",
    "UnsupportedLanguage",
    "UnusableAnswer",
    "UnusableCode",
    "UnusableTemplate",
    "VerificationError",
    "WriteError",
    "WrongKey",
    "WrongType",
    "did_you_mean",
]
