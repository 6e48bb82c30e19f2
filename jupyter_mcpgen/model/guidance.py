"""What a caller can do about an execution that failed."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from jupyter_mcpgen.model.record import Record

GUIDES = "mcpgen://guides"
"""Where MCP clients read the guides to the built-in tools."""
ERRORS = f"{GUIDES}/errors"
"""Where they read the guide to errors; the section on one kind of failure is below it, by its name."""


class ErrorType(StrEnum):
    """Every kind of failure there is advice for; the guide to errors has a section on each."""

    OUT_OF_FUEL = "OutOfFuel"
    TIMEOUT = "Timeout"
    MEMORY_EXHAUSTED = "MemoryExhausted"
    OUTPUT_EXCEEDED = "OutputExceeded"
    CRASHED = "Crashed"
    PATH_RESTRICTION = "PathRestriction"
    FILE_NOT_FOUND = "FileNotFound"
    PERMISSION_DENIED = "PermissionDenied"
    NETWORK_DENIED = "NetworkDenied"
    PROCESS_DENIED = "ProcessDenied"
    MISSING_VENDORED_PACKAGE = "MissingVendoredPackage"
    MISSING_PACKAGE = "MissingPackage"
    IMPORT_FAILED = "ImportFailed"
    COMPILE_ERROR = "CompileError"
    SYNTAX_ERROR = "SyntaxError"
    NAME_NOT_DEFINED = "NameNotDefined"
    QUICKJS_TUPLE_DESTRUCTURING = "QuickJSTupleDestructuring"
    NOT_ITERABLE = "NotIterable"
    COLUMN_NOT_FOUND = "ColumnNotFound"
    KEY_NOT_FOUND = "KeyNotFound"
    PARSE_ERROR = "ParseError"
    ENCODING_ERROR = "EncodingError"
    DTYPE_ERROR = "DtypeError"
    SHAPE_MISMATCH = "ShapeMismatch"
    MERGE_ERROR = "MergeError"
    DUPLICATE_ENTRIES = "DuplicateEntries"
    AMBIGUOUS_TRUTH = "AmbiguousTruth"
    ATTRIBUTE_NOT_FOUND = "AttributeNotFound"
    INDEX_OUT_OF_RANGE = "IndexOutOfRange"
    RECURSION_TOO_DEEP = "RecursionTooDeep"
    DIVISION_BY_ZERO = "DivisionByZero"
    INVALID_VALUE = "InvalidValue"
    WRONG_TYPE = "WrongType"
    UNCAUGHT_EXCEPTION = "UncaughtException"

    @property
    def address(self) -> str:
        """Where MCP clients read the section on this kind of failure."""
        return f"{ERRORS}/{self.value}"


class CodeExample(Record):
    """The same few lines before and after the cure."""

    before: str
    after: str
    explanation: str


class ErrorGuidance(Record):
    """Why an execution failed and the steps to take, most useful first; `related_docs` are addresses of resources."""

    error_type: ErrorType
    actionable_guidance: tuple[str, ...] = Field(min_length=1)
    related_docs: tuple[str, ...] = Field(min_length=1)
    code_examples: tuple[CodeExample, ...] = ()
