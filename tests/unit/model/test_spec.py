"""The annotation of a parameter on disk is the one that follows from its type and description."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from jupyter_mcpgen.model.spec import ToolParameter, ToolSpec
from tests.builders import draft

PARAMETER = ToolParameter(name="by", type="list[str]", description="What the rows are `grouped` by.")


def test_a_contract_is_read_back_from_its_document() -> None:
    spec = draft().candidate.spec

    assert ToolSpec.model_validate_json(json.dumps(spec.document)) == spec


def test_a_document_of_an_older_product_without_annotations_is_read_too() -> None:
    spec = draft().candidate.spec

    assert ToolSpec.model_validate_json(spec.model_dump_json()) == spec


def test_an_annotation_that_says_something_else_is_refused() -> None:
    written = {**PARAMETER.document, "annotation": PARAMETER.annotation.replace("grouped", "sorted")}

    with pytest.raises(ValidationError, match="annotation of `by`"):
        ToolParameter.model_validate(written)
    assert ToolParameter.model_validate(PARAMETER.document) == PARAMETER
