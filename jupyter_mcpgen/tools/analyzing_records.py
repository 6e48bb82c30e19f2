"""What the tools that analyze code take and give."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field, RootModel, WithJsonSchema

from jupyter_mcpgen.model.analysis import AnalysisType, FileAnalysis, GateReport, ProjectAnalysis, ReportFormat
from jupyter_mcpgen.model.record import Record
from jupyter_mcpgen.model.validation import Severity
from jupyter_mcpgen.sandbox.execution.record import Status


def _words(choices: type[StrEnum]) -> dict[str, Any]:
    return {"type": "string", "enum": [choice.value for choice in choices]}


Types = Annotated[tuple[AnalysisType, ...] | None, WithJsonSchema({"type": "array", "items": _words(AnalysisType)})]
Globs = Annotated[tuple[str, ...] | None, WithJsonSchema({"type": "array", "items": {"type": "string"}})]
Format = Annotated[ReportFormat, WithJsonSchema(_words(ReportFormat))]


class CodingAnalyzeFile(Record):
    """What `coding_analyze_file` takes."""

    file_path: str = Field(description="Path to the file")
    analysis_types: Types = Field(default=None, description="Default: all")
    severity_threshold: Annotated[Severity, WithJsonSchema(_words(Severity))] = Field(
        default=Severity.INFO, description="Least severity to report"
    )


class CodingAnalyzeProject(Record):
    """What `coding_analyze_project` takes."""

    path: str = Field(description="Path to project directory")
    include_patterns: Globs = Field(default=None, description="Globs. Default: all supported")
    exclude_patterns: Globs = Field(default=None, description="Globs")
    output_path: str | None = Field(default=None, description="Where to save a report")
    report_format: Format = Field(default=ReportFormat.JSON, description="Report output format")


class CodingCheckQualityGates(Record):
    """What `coding_check_quality_gates` takes."""

    path: str = Field(description="Path to analyze")
    gates: Annotated[Mapping[str, Any] | None, WithJsonSchema({"type": "object"})] = Field(
        default=None, description="max_complexity 10, min_maintainability 50, max_errors 0, max_warnings 50"
    )
    fail_on_violation: bool = Field(default=True, description="Fail, or only warn")


class CodingGenerateReport(Record):
    """What `coding_generate_report` takes."""

    analysis_results: Annotated[Mapping[str, Any], WithJsonSchema({"type": "object"})] = Field(
        description="Results of an analysis"
    )
    output_path: str = Field(description="Path for generated report")
    format: Format = Field(default=ReportFormat.HTML, description="Report format")
    include_charts: bool = Field(default=True, description="HTML only")
    include_recommendations: bool = Field(default=True, description="What to do")
    title: str | None = Field(default=None, max_length=200, description="Report title")


class CodeReviewFile(Record):
    """What `code_review_file` takes."""

    path: str = Field(description="Path to the file")


class CodeReviewProject(Record):
    """What `code_review_project` takes."""

    path: str = Field(description="Path to the project directory")


class Failed(Record):
    """Why nothing came of a call, and the seed's name of what went wrong."""

    success: Literal[False] = False
    error: str
    error_type: str


class ReportWritten(Record):
    """A report that was written."""

    success: Literal[True] = True
    output_path: str
    format: ReportFormat
    size_bytes: int
    sections_included: tuple[str, ...]


class FileReview(Record):
    """The analysis of a file; the status outside is that of the analysis."""

    status: Status
    analysis: FileAnalysis | None = Field(default=None, exclude_if=lambda value: value is None)
    error: str | None = Field(default=None, exclude_if=lambda value: value is None)


class ProjectReview(Record):
    """The analysis of a project; the status outside is that of the analysis."""

    status: Status
    analysis: ProjectAnalysis | None = Field(default=None, exclude_if=lambda value: value is None)
    error: str | None = Field(default=None, exclude_if=lambda value: value is None)


FileAnswer = RootModel[FileAnalysis | Failed]
ProjectAnswer = RootModel[ProjectAnalysis | Failed]
GateAnswer = RootModel[GateReport | Failed]
ReportAnswer = RootModel[ReportWritten | Failed]
