"""The published JSON Schemas of the records: `python -m jupyter_mcpgen.model.schemas > docs/schemas.json`."""

from __future__ import annotations

import json
import sys

from pydantic import TypeAdapter

from jupyter_mcpgen.model.candidate import ToolCandidate, ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.feedback import UserFeedback
from jupyter_mcpgen.model.run import RunArtifacts
from jupyter_mcpgen.model.spec import ToolSpec
from jupyter_mcpgen.model.validation import CodeMetrics, ValidationReport
from jupyter_mcpgen.plan.plan import Plan

PUBLISHED = (ToolStatus, ToolSpec, ToolCandidate, ValidationReport, CodeMetrics, RunArtifacts, UserFeedback, Card, Plan)


def published_schemas() -> str:
    """Return the JSON Schema (draft 2020-12) of every published record, by name."""
    schemas = {kind.__name__: TypeAdapter(kind).json_schema(mode="serialization") for kind in PUBLISHED}
    return json.dumps(schemas, indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.stdout.write(published_schemas())
