"""What can go wrong with people's projects: paths that are not open, analyzes, repairs, reports and builds."""

from __future__ import annotations

from jupyter_mcpgen.errors.root import McpgenError


class PathNotOpen(McpgenError):
    """A client named a path outside the open folders; says the same whether it exists or not.

    Without a path, no folder is open.
    """

    def __init__(self, path: str | None, setting: str, purpose: str) -> None:
        variable = f"MCPGEN_{setting.upper().replace('.', '__')}"
        place = f"`{path}` is not in a folder" if path is not None else "There is no folder"
        super().__init__(
            f"{place} that clients may {purpose}. The owner can open one with the setting `{setting}` (`{variable}`). "
            "Hidden files and our own folders stay closed."
        )


class CodingError(McpgenError):
    """A project could not be analyzed, repaired or reported on; `seed_name` is what clients know the error by."""

    seed_name = "AnalysisError"


class AnalysisError(CodingError):
    """An analysis could not be made."""


class SourceMissing(CodingError):
    """There is no file of that name."""

    seed_name = "FileNotFoundError"

    def __init__(self, path: object) -> None:
        super().__init__(f"There is no file `{path}`. Check the path.")


class FolderMissing(CodingError):
    """There is no folder of that name."""

    seed_name = "DirectoryNotFoundError"

    def __init__(self, path: object) -> None:
        super().__init__(f"There is no folder `{path}`. Check the path.")


class UnsupportedLanguage(CodingError):
    """Code in a language that is not analyzed or run; `known` are those that are, or the endings of their files."""

    seed_name = "UnsupportedLanguageError"

    def __init__(self, name: str, known: str) -> None:
        super().__init__(f"`{name}`: this language is not supported. Supported are {known}.")


class CheckerMissing(CodingError):
    """A linter or compiler that an analysis needs is not installed."""

    seed_name = "ToolNotFoundError"

    def __init__(self, checker: str, needed_for: str, cure: str) -> None:
        super().__init__(f"`{checker}` is not installed, and {needed_for} needs it. {cure}")


class ConfigurationError(CodingError):
    """Quality gates that mean nothing."""

    seed_name = "ConfigurationError"


class DebuggingError(CodingError):
    """Code could not be fixed; `diagnosis` says what is known all the same."""

    def __init__(self, message: str, diagnosis: object = None) -> None:
        super().__init__(message)
        self.diagnosis = diagnosis


class DiagnosisError(DebuggingError):
    """Nothing that is known says why the code failed, or that it failed at all."""

    seed_name = "DiagnosisError"


class PatchGenerationError(DebuggingError):
    """Nobody knows a fix."""

    seed_name = "PatchGenerationError"


class VerificationError(DebuggingError):
    """No fix held, or the failure could not be seen again, so that no fix could be tried."""

    seed_name = "VerificationError"


class InvalidResultsError(CodingError):
    """Results of an analysis that a report cannot be made of."""

    seed_name = "InvalidResultsError"


class WriteError(CodingError):
    """A report that cannot be written."""

    seed_name = "WriteError"
