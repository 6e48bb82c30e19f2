"""The schemas that other programs read are the ones that the records have."""

from __future__ import annotations

import json
from pathlib import Path

from jupyter_mcpgen.model.schemas import PUBLISHED, published_schemas

PAGE = Path(__file__).parents[3] / "docs" / "schemas.json"


def test_the_published_schemas_are_those_of_the_records() -> None:
    assert PAGE.read_text(encoding="utf-8") == published_schemas(), "run `python -m jupyter_mcpgen.model.schemas`"


def test_every_field_that_the_seed_names_is_published() -> None:
    schemas = json.loads(published_schemas())

    assert set(schemas) == {kind.__name__ for kind in PUBLISHED}
    assert set(schemas["ToolStatus"]["enum"]) == {"DRAFT", "STAGED", "APPROVED", "REJECTED", "PROMOTED"}
    assert {
        "tool_id", "version", "spec", "package_path", "code_hash", "spec_hash", "status", "validation_report",
        "run_artifacts", "user_feedback", "created_at", "created_by", "dependencies",
    } <= set(schemas["ToolCandidate"]["properties"])  # fmt: skip
    assert {"schema_ok", "tests_ok", "sandbox_ok", "logs", "errors", "code_metrics"} <= set(
        schemas["ValidationReport"]["properties"]
    )
    assert {
        "result", "outputs", "summary_markdown", "files", "sample_rows", "artifacts", "execution_time_ms",
        "rows_processed", "metadata",
    } <= set(schemas["RunArtifacts"]["properties"])  # fmt: skip
    assert {"decision", "notes", "timestamp"} <= set(schemas["UserFeedback"]["properties"])
