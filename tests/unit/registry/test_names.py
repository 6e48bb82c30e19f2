"""Names that are refused, names that are not, and the order of versions."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.errors import NameTaken
from jupyter_mcpgen.model.spec import ToolParameter
from jupyter_mcpgen.registry.reserved import check_name, normalised
from jupyter_mcpgen.registry.versions import change_in_words, next_version, version_key
from tests.builders import spec


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("list_available_tools", "built in"),
        ("search_tools", "built in"),
        ("call_tool", "built in"),
        ("execute_code", "built in"),
        ("create_session", "built in"),
        ("list_runtimes", "built in"),
        ("trigger_build", "built in"),
        ("get_build_status", "built in"),
        ("dynamic_anything", "built in"),
        ("coding_anything", "built in"),
        ("code_anything", "built in"),
        ("synthesize_anything", "built in"),
        ("__init__", "built in"),
        ("class", "Python"),
        ("match", "Python"),
        ("print", "Python"),
        ("sum", "Python"),
        ("helpers", "every tool"),
        ("load_csv_data_with_types", "every tool"),
        ("nul", "folder"),
        ("Test-Tool", "small letters"),
        ("9lives", "small letters"),
        ("", "small letters"),
        ("a" * 65, "small letters"),
        ("../evil", "small letters"),
        ("sum\u200b_all", "small letters"),
        ("ѕum_by_group", "small letters"),
    ],
)
def test_a_name_that_something_else_answers_to_is_refused(name: str, reason: str) -> None:
    with pytest.raises(NameTaken, match=reason):
        check_name(name)


@pytest.mark.parametrize(
    "name", ["sum_by_group", "get_timestamp", "test_add", "encode_text", "a", "_private", "a" * 64]
)
def test_an_ordinary_name_is_free(name: str) -> None:
    check_name(name)


def test_a_refusal_offers_another_name() -> None:
    with pytest.raises(NameTaken, match="such as `my_sum`"):
        check_name("sum")


def test_names_have_one_form() -> None:
    assert normalised(" ｓum_by_group ") == "sum_by_group"


def test_versions_are_ordered_by_number() -> None:
    assert sorted(["1.10.0", "1.9.0", "2.0.0", "1.9.10"], key=version_key) == ["1.9.0", "1.9.10", "1.10.0", "2.0.0"]


def _at_least(columns: int) -> dict:
    return {"type": "object", "properties": {"by": {"type": "array", "minItems": columns}}}


EXTRA = ToolParameter(name="top", type="int", description="How many", required=False, default=10)
FIRST, SECOND = spec().parameters


@pytest.mark.parametrize(
    ("change", "version", "words"),
    [
        ({}, "1.2.4", "the contract is the same"),
        ({"description": "Other words."}, "1.3.0", "still work"),
        ({"parameters": (FIRST, SECOND, EXTRA)}, "1.3.0", "still work"),
        ({"parameters": (FIRST, SECOND, EXTRA.replace(required=True))}, "2.0.0", "callers"),
        ({"parameters": (FIRST,)}, "2.0.0", "callers"),
        ({"parameters": (FIRST, SECOND.replace(type="int"))}, "2.0.0", "callers"),
        ({"parameters": (FIRST, SECOND.replace(required=True))}, "2.0.0", "callers"),
        ({"parameters": (FIRST.replace(required=False), SECOND)}, "1.3.0", "still work"),
        ({"input_schema": _at_least(2)}, "2.0.0", "callers"),
        ({"input_schema": _at_least(0)}, "1.3.0", "still work"),
        ({"return_type": "dict"}, "2.0.0", "callers"),
        ({"output_schema": {"type": "object", "properties": {}}}, "2.0.0", "callers"),
        (
            {"output_schema": {"properties": {"result": {"type": "string"}, "rows": {"type": "array"}}}},
            "1.3.0",
            "still work",
        ),
    ],
)
def test_the_next_version_says_what_callers_must_expect(change: dict, version: str, words: str) -> None:
    old = spec(input_schema=_at_least(1)) if "input_schema" in change else spec()

    assert next_version("1.2.3", old, spec(**change)) == version
    assert words in change_in_words(old, spec(**change))


@pytest.mark.parametrize(
    ("change", "version"),
    [
        ({}, "1.1.3"),
        ({"description": "Other words."}, "1.3.0"),
        ({"return_type": "dict"}, "4.0.0"),
    ],
)
def test_no_version_is_given_twice(change: dict, version: str) -> None:
    known = ["1.1.2", "1.2.7", "3.0.0"]

    assert next_version("1.1.0", spec(), spec(**change), known) == version


def test_a_contract_that_cannot_be_read_may_be_broken() -> None:
    assert next_version("1.2.3", None, spec()) == "2.0.0"
