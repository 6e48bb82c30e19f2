"""What a language model is asked, whole, as a person can judge it."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.authors.modelled.prompting import CODE_REPLY, EXAMPLES_REPLY, SPEC_REPLY, SQL_REPLY
from jupyter_mcpgen.authors.modelled.replies import Back, NoSelect, Query, Refusal, Unusable, read_reply
from jupyter_mcpgen.authors.modelled.sheet import MOST_COLUMNS, Policy, sheet_of
from jupyter_mcpgen.llm.schema import not_portable
from jupyter_mcpgen.model.profile import ColumnProfile, Profile, Role
from jupyter_mcpgen.plan.ops import ChartKind
from jupyter_mcpgen.plan.schema import ColumnType, Field, Schema
from tests.recorded import CASES, prompts


@pytest.mark.parametrize("name", prompts())
def test_a_prompt_is_as_recorded(name: str) -> None:
    recorded = (CASES / "prompts" / name).read_text(encoding="utf-8")
    assert prompts()[name] == recorded, "python -m tests.recorded, then judge"


@pytest.mark.parametrize(
    ("extras", "named", "draws"),
    [
        ((), "Import only pandas, numpy and the standard library. Do not", False),
        (("scipy",), "Import only pandas, numpy, scipy and the standard library. Do not", False),
        (
            ("matplotlib", "scipy", "statsmodels"),
            "Import only pandas, numpy, scipy, statsmodels and the standard library. A figure may be drawn",
            True,
        ),
    ],
)
def test_only_packages_that_are_installed_are_recommended(extras: tuple[str, ...], named: str, draws: bool) -> None:
    asked = prompts(extras)

    assert named in asked["code_generation.txt"]
    assert ["matplotlib" in asked[f"{name}.txt"] for name in ("code_generation", "spec_generation")] == [draws] * 2
    assert {name for name, text in asked.items() if "statsmodels" in text} == (
        {"code_generation.txt", "spec_generation.txt"} if "statsmodels" in extras else set()
    )


@pytest.mark.parametrize("schema", [SQL_REPLY, CODE_REPLY, SPEC_REPLY, EXAMPLES_REPLY])
def test_the_form_of_a_reply_is_one_that_every_server_takes(schema: dict[str, object]) -> None:
    assert not_portable(schema) == ()


def test_of_very_many_columns_those_that_share_a_word_with_the_question_are_shown() -> None:
    names = [f"filler {number}" for number in range(MOST_COLUMNS + 50)] + ["harvest weight"]
    fields = tuple(Field(name=name, type=ColumnType.REAL) for name in names)
    columns = tuple(ColumnProfile(name=name, role=Role.MEASURE, nulls=0, distinct=3) for name in names)
    table = Profile(name="fields", schema_=Schema(fields=fields), rows=9, columns=columns)

    sheet = sheet_of(table, Policy(), "total weight of the harvest")

    assert '"harvest weight"' in sheet
    assert "(51 more columns)" in sheet


def reply(**parts: object) -> dict[str, object]:
    empty = {"notes": "", "kind": "sql", "sql": None, "reading": "r", "chart": None, "assumptions": []}
    return {**empty, "message": None, "options": [], "missing": [], **parts}


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (reply(sql="SELECT 1", chart="bar"), Query("SELECT 1", "r", (), ChartKind.BAR)),
        (reply(sql="SELECT 1", chart="dance"), Query("SELECT 1", "r")),
        (reply(kind="refusal", message="no weather", missing=["weather"]), Refusal("no weather", ("weather",))),
        (
            reply(kind="question", message="which?", options=[{"reading": "a", "sql": "SELECT 1"}]),
            Back("which?", (Query("SELECT 1", "a"),)),
        ),
        (reply(), Unusable("a reply of the kind `sql` needs `sql`")),
        (
            reply(kind="question", message="which?"),
            Unusable("a reply of the kind `question` needs `message` and `options`"),
        ),
        (reply(kind="code"), NoSelect("r")),
        (reply(kind="code", reading=""), Unusable("a reply of the kind `code` needs `reading`")),
        (reply(kind="refusal"), Unusable("a reply of the kind `refusal` needs `message`")),
    ],
)
def test_a_reply_is_a_query_a_question_a_refusal_or_none_of_them(given: dict[str, object], read: object) -> None:
    assert read_reply(given) == read
