"""What no SELECT can compute is specified, written, and tried on examples, by requests that know what they need."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from jupyter_mcpgen.authors.modelled.author import ModelledAuthor
from jupyter_mcpgen.authors.modelled.sheet import Policy
from jupyter_mcpgen.errors import NotConfirmed, UnsoundApproval, UnusableCode
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.validation import is_sound
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.runtime import Runtime
from tests.fakes.model import Answer, ScriptedModel
from tests.flow.asking.product import shown

PHRASES = pd.DataFrame({"slogan": ["warm warm bread", "cold tea", None, "tea tea tea"], "shop": ["a", "b", "a", "b"]})
NO_SELECT: dict[str, Any] = {
    "notes": "",
    "kind": "code",
    "sql": None,
    "reading": "longest run of one word in each slogan",
    "chart": None,
    "assumptions": [],
    "message": None,
    "options": [],
    "missing": [],
}
SPEC: dict[str, Any] = {
    "name": "longest_word_run",
    "parameters": [{"name": "text", "type": "str", "default": '"slogan"', "description": "The column with the words."}],
    "returns": "table",
    "columns": ["slogan", "run"],
    "result_type": None,
    "rules": ["A missing text is left out."],
}
CODE = '''
from itertools import groupby

import pandas as pd


def longest_word_run(df: pd.DataFrame, text: str = "slogan") -> pd.DataFrame:
    """Return the longest run of one word in each text."""
    kept = df.dropna(subset=[text])
    runs = [max(len(list(same)) for _, same in groupby(words.split())) for words in kept[text]]
    return pd.DataFrame({"slogan": kept[text].tolist(), "run": runs})
'''
WRONG = CODE.replace("for _, same in groupby(words.split())", "for _, same in groupby(sorted(words.split()))")


def example(table: str, expected: str | None, **more: Any) -> dict[str, Any]:
    empty = {"other": None, "arguments": None, "rows": None, "within": None}
    return {**empty, "table": table, "expected": expected, **more}


AGREEING = [
    example("slogan\nred red sky\n", "slogan,run\nred red sky,2\n"),
    example("slogan\nb a b\n", "slogan,run\nb a b,1\n"),
    example("slogan,shop\n,x\none,y\n", None, rows=1, within="column,least,most\nrun,1,1\n"),
]


def played(code: str = CODE, examples: list[dict[str, Any]] | None = None, **more: Answer) -> ScriptedModel:
    given = AGREEING if examples is None else examples
    answers: dict[str, Answer] = {
        "sql": NO_SELECT,
        "spec_generation": SPEC,
        "code_generation": {"notes": "", "code": code},
        "tests": {"examples": given},
        **more,
    }
    return ScriptedModel({name: [answer] for name, answer in answers.items()})


def computed(runtime: Runtime, model: ScriptedModel, frame: pd.DataFrame = PHRASES) -> flow.Computed:
    author = ModelledAuthor("played", lambda: model, Policy())
    vars(runtime)["services"] = replace(runtime.services, author=author)
    answer = runtime.compute("what is the longest run of a word in each slogan", runtime.reference("phrases", frame))
    assert isinstance(answer, flow.Computed)
    return answer


def asked(runtime: Runtime, model: ScriptedModel, frame: pd.DataFrame = PHRASES) -> Card:
    return shown(runtime, computed(runtime, model, frame))


def said(card: Card, check: str) -> str:
    return next(item.sentence for item in card.evidence if item.check == check)


def test_what_no_select_computes_agrees_with_examples_and_is_saved_only_when_its_missing_check_is_confirmed(
    runtime: Runtime,
) -> None:
    model = played()

    card = runtime.stage(computed(runtime, model)).card

    assert card.sound, [item.sentence for item in card.evidence if not item.is_good]
    assert card.tool_name == "longest_word_run"
    assert [list(row) for row in card.table.rows] == [["warm warm bread", 2], ["cold tea", 1], ["tea tea tea", 3]]
    assert said(card, "examples") == "3 of 3 examples written apart from the code agree."
    assert said(card, "two_ways") == "Not checked independently: no SQL query can compute this."
    assert "A missing text is left out." in card.assumptions
    with pytest.raises(NotConfirmed):
        runtime.approve(card.card_id)


@pytest.mark.ungated
def test_code_that_an_example_contradicts_is_shown_and_cannot_be_saved(runtime: Runtime) -> None:
    card = runtime.stage(computed(runtime, played(WRONG))).card

    assert not card.sound
    assert said(card, "examples") == (
        "2 of 3 examples written apart from the code agree. Example 2: the code gives `slogan,run; b a b,2`, "
        "worked out was `slogan,run; b a b,1`."
    )
    with pytest.raises(UnsoundApproval):
        runtime.approve(card.card_id)


def test_whoever_writes_the_examples_sees_no_code(runtime: Runtime) -> None:
    model = played()

    asked(runtime, model)

    prompts = {prompt.name: "".join(message.content for message in prompt.messages) for prompt in model.asked}
    assert list(prompts) == ["sql", "spec_generation", "code_generation", "tests"]
    assert "groupby" not in prompts["tests"]
    assert "def longest_word_run(df: pd.DataFrame, text: str = 'slogan') -> pd.DataFrame:" in prompts["tests"]


@pytest.mark.every_run("another signature")
@pytest.mark.parametrize(
    ("code", "flaw"),
    [
        (CODE.replace('text: str = "slogan"', 'column: str = "slogan"'), "must have this signature"),
        (CODE.replace("from itertools", "import os\nfrom itertools"), "`os`"),
    ],
    ids=["another signature", "a module that no tool may import"],
)
def test_code_that_cannot_be_used_is_shown_to_the_model_once(runtime: Runtime, code: str, flaw: str) -> None:
    model = played(code, repair={"notes": "", "code": CODE})

    card = asked(runtime, model)

    assert is_sound(card.evidence)
    assert flaw in next(prompt for prompt in model.asked if prompt.name == "repair").messages[-1].content


def test_code_that_stays_unusable_is_one_plain_sentence(runtime: Runtime) -> None:
    broken = {"notes": "", "code": "def longest_word_run(:"}

    with pytest.raises(UnusableCode):
        asked(runtime, played(broken["code"], repair=broken))


def test_examples_over_columns_that_the_table_lacks_claim_nothing(runtime: Runtime) -> None:
    card = asked(runtime, played(examples=[example("motto\nred red\n", "slogan,run\nred red,2\n")]))

    assert [item for item in card.evidence if item.check == "examples"] == []
    assert said(card, "two_ways").startswith("Not checked independently")


@pytest.mark.every_run("no column")
@pytest.mark.parametrize(
    "says",
    [
        {"within": "column,least,most\n"},
        {"within": "column,least,most\nrun,-inf,inf\n"},
        {"within": "column,least,most\nrun,0,9\n", "table": "slogan\n"},
    ],
    ids=["no column", "no bounds", "no rows to look at"],
)
def test_an_example_that_every_result_agrees_with_does_not_count(runtime: Runtime, says: dict[str, Any]) -> None:
    idle = example(**{"table": "slogan\na a\n", "expected": None, **says})

    card = asked(runtime, played(examples=[idle]))
    beside = asked(runtime, played(examples=[idle, AGREEING[0], AGREEING[0]]))

    assert [item for item in card.evidence if item.check == "examples"] == []
    assert said(beside, "examples") == "1 of 1 examples written apart from the code agree."


@pytest.mark.every_run("an endless number")
@pytest.mark.parametrize(
    "says",
    [
        {"within": "column,least,most\nslogan,0,9\n"},
        {"within": "column,least,most\nrun,few,many\n"},
        {"expected": "slogan,run\na a,inf\n"},
        {"expected": "slogan,run\n" + '"' * 3},
    ],
    ids=["a text between numbers", "a number between texts", "an endless number", "no table"],
)
def test_an_absurd_example_is_a_disagreement_and_no_crash(runtime: Runtime, says: dict[str, Any]) -> None:
    card = asked(runtime, played(examples=[example(**{"table": "slogan\na a\n", "expected": None, **says})]))

    assert not is_sound(card.evidence)
    assert said(card, "examples").startswith("0 of 1 examples written apart from the code agree. Example 1: ")


def test_examples_that_cannot_be_laid_out_claim_nothing(runtime: Runtime) -> None:
    frame = PHRASES.assign(sold=[True, False, True, True])
    deep = "[" * 100_000
    examples = [
        example("slogan,sold\na a,maybe\n", "slogan,run\na a,2\n"),
        example("slogan\na a\n", "slogan,run\na a,2\n", arguments=f'{{"text": {deep}'),
    ]

    card = asked(runtime, played(examples=examples), frame)

    assert [item for item in card.evidence if item.check == "examples"] == []


def test_a_value_is_held_against_json(runtime: Runtime) -> None:
    spec = {**SPEC, "returns": "value", "columns": [], "result_type": "int"}
    code = CODE.replace("-> pd.DataFrame:", "-> int:").replace(
        'return pd.DataFrame({"slogan": kept[text].tolist(), "run": runs})', "return max(runs)"
    )
    examples = [example("slogan\na a\n", "2"), example("slogan\nx\n", "3")]

    card = asked(runtime, played(code, examples, spec_generation=spec))

    assert said(card, "examples").startswith("1 of 2 examples written apart from the code agree.")
