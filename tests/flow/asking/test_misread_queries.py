"""A plan that its own query contradicts is dropped: the query stays, beside code that was written without it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import pytest

from jupyter_mcpgen.authors.author import Author
from jupyter_mcpgen.authors.both import Both
from jupyter_mcpgen.authors.embedded import EmbeddedAuthor
from jupyter_mcpgen.authors.ladder import Ladder
from jupyter_mcpgen.authors.modelled.author import ModelledAuthor
from jupyter_mcpgen.authors.modelled.sheet import Policy
from jupyter_mcpgen.errors import AskedBack, ModelDown
from jupyter_mcpgen.llm.model import Model
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.question import OpenQuestion
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.validation import is_sound
from jupyter_mcpgen.model.written import Understood
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.runtime import Runtime
from tests import misreadings
from tests.fakes.model import ScriptedModel
from tests.flow.asking.product import shown
from tests.misreadings import MISREADINGS, Misreading

KILNS = pd.DataFrame(
    {
        "yard": ["Moor", "Moor", "Hill", "Hill", "Hill", "Quay", None],
        "ware": ["Bowl", "Jug", "Bowl", "Tile", "Jug", "Tile", "Bowl"],
        "weight": [12.5, 8.0, 6.25, None, 9.5, 31.0, 4.0],
        "hours": [2, 1, 3, 1, 2, 1, 1],
        "fired": pd.to_datetime(
            ["2024-01-05", "2024-01-20", "2024-02-03", "2024-02-14", "2024-03-09", "2024-03-30", "2024-04-01"]
        ),
    }
)
YARDS = pd.DataFrame({"yard": ["Moor", "Hill"], "crew": [4, 7]})


@dataclass(frozen=True)
class Case:
    """A query that can be misread in one way, what its rows are, and pandas that gives them too."""

    misread: Misreading
    sql: str
    pandas: str
    rows: tuple[tuple[Any, ...], ...]


CASES = (
    Case(
        misreadings.lose_a_condition,
        "SELECT yard, sum(weight) AS v FROM kilns WHERE yard IS NOT NULL AND hours > 1 GROUP BY yard",
        'df[df["hours"] > 1].groupby("yard")["weight"].sum(min_count=1).reset_index(name="v")',
        (("Hill", 15.75), ("Moor", 12.5)),
    ),
    Case(
        misreadings.join_otherwise,
        "SELECT k.ware, k.hours, y.crew FROM kilns k JOIN yards y ON k.yard = y.yard",
        'df.merge(other.dropna(subset=["yard"]), on="yard")[["ware", "hours", "crew"]]',
        (("Bowl", 2, 4), ("Jug", 1, 4), ("Bowl", 3, 7), ("Tile", 1, 7), ("Jug", 2, 7)),
    ),
    Case(
        misreadings.turn_a_test_for_missing_values,
        "SELECT ware, count(*) AS v FROM kilns WHERE weight IS NULL GROUP BY ware",
        'df[df["weight"].isna()].groupby("ware").size().reset_index(name="v")',
        (("Tile", 1),),
    ),
    Case(
        misreadings.give_nothing_where_a_choice_gives_a_value,
        "SELECT ware, CASE WHEN hours > 1 THEN 'long' ELSE 'short' END AS v FROM kilns WHERE yard = 'Moor'",
        'df[df["yard"] == "Moor"].assign(v=lambda d: (d["hours"] > 1).map({True: "long", False: "short"}))'
        '[["ware", "v"]]',
        (("Bowl", "long"), ("Jug", "short")),
    ),
    Case(
        misreadings.count_rows_for_values,
        "SELECT ware, count(weight) AS v FROM kilns GROUP BY ware",
        'df.groupby("ware")["weight"].count().reset_index(name="v")',
        (("Bowl", 3), ("Jug", 2), ("Tile", 1)),
    ),
    Case(
        misreadings.count_all_for_some,
        "SELECT ware, count(*) FILTER (WHERE hours > 1) AS v FROM kilns GROUP BY ware",
        '(df["hours"] > 1).groupby(df["ware"]).sum().reset_index(name="v")',
        (("Bowl", 2), ("Jug", 1), ("Tile", 0)),
    ),
    Case(
        misreadings.take_another_figure,
        "SELECT max(weight) AS v FROM kilns",
        'pd.DataFrame({"v": [df["weight"].max()]})',
        ((31.0,),),
    ),
    Case(
        misreadings.order_the_other_way,
        "SELECT ware, hours FROM kilns WHERE yard = 'Hill' ORDER BY hours DESC",
        'df[df["yard"] == "Hill"].sort_values("hours", ascending=False, kind="stable")[["ware", "hours"]]',
        (("Bowl", 3), ("Jug", 2), ("Tile", 1)),
    ),
    Case(
        misreadings.rank_the_other_way,
        "SELECT ware, rank() OVER (ORDER BY hours DESC) AS v FROM kilns WHERE yard = 'Hill'",
        'df[df["yard"] == "Hill"].assign(v=lambda d: d["hours"].rank(method="min", ascending=False).astype(int))'
        '[["ware", "v"]]',
        (("Bowl", 1), ("Tile", 3), ("Jug", 2)),
    ),
    Case(
        misreadings.keep_repeats,
        "SELECT DISTINCT ware FROM kilns",
        'df[["ware"]].drop_duplicates()',
        (("Bowl",), ("Jug",), ("Tile",)),
    ),
    Case(
        misreadings.keep_one_row_more,
        "SELECT ware, hours FROM kilns WHERE yard = 'Hill' ORDER BY hours DESC LIMIT 2",
        'df[df["yard"] == "Hill"].sort_values("hours", ascending=False, kind="stable").head(2)[["ware", "hours"]]',
        (("Bowl", 3), ("Jug", 2)),
    ),
    Case(
        misreadings.lose_the_groups,
        "SELECT ware, fired, rank() OVER (PARTITION BY ware ORDER BY hours) AS v FROM kilns WHERE yard IS NOT NULL",
        'df.dropna(subset=["yard"]).assign(v=lambda d: d.groupby("ware")["hours"].rank(method="min").astype(int))'
        '[["ware", "fired", "v"]]',
        (),
    ),
    Case(
        misreadings.take_another_period,
        "SELECT month(fired) AS v, count(*) AS n FROM kilns GROUP BY 1",
        'df.groupby(df["fired"].dt.month).size().rename_axis("v").reset_index(name="n")',
        ((1, 2), (2, 2), (3, 2), (4, 1)),
    ),
)


class Misreader(ModelledAuthor):
    """Reads each query wrong in one way."""

    def __init__(self, model: Callable[[], Model], misread: Misreading) -> None:
        super().__init__("played", model, Policy())
        self._misread = misread

    def understand(self, request: Request, profile: Profile, other: Profile | None = None) -> Understood | OpenQuestion:
        """Read the request, then change the plan and keep the query."""
        found = super().understand(request, profile, other)
        if isinstance(found, OpenQuestion):
            return found.replace(intents=tuple(self._wrong(intent) for intent in found.intents))
        return self._wrong(found)

    def _wrong(self, intent: Understood) -> Understood:
        assert isinstance(intent, Intent)
        return intent.replace(plan=self._first(intent.plan))

    def _first(self, plan: Plan) -> Plan:
        return next(iter(self._misread(plan)))


def replied(sql: str, **more: Any) -> dict[str, Any]:
    empty: dict[str, Any] = {
        "notes": "",
        "kind": "sql",
        "reading": "what the kilns gave",
        "chart": None,
        "assumptions": [],
        "message": None,
        "options": [],
        "missing": [],
    }
    return {**empty, "sql": sql, **more}


def model_of(case: Case) -> ScriptedModel:
    tables = "df: pd.DataFrame, other: pd.DataFrame" if "yards" in case.sql else "df: pd.DataFrame"
    code = (
        f"import pandas as pd\n\n\ndef analyze({tables}) -> pd.DataFrame:\n"
        f'    """Return what the kilns gave."""\n    return ({case.pandas}).reset_index(drop=True)\n'
    )
    return ScriptedModel({"sql": [replied(case.sql)], "code": [{"notes": "", "code": code}]})


def computed(runtime: Runtime, author: Author, *, pair: bool = False) -> flow.Computed:
    vars(runtime)["services"] = replace(runtime.services, author=author)
    other = runtime.reference("yards", YARDS) if pair else None
    answer = runtime.compute("what came out of the kilns", runtime.reference("kilns", KILNS), other=other)
    assert isinstance(answer, flow.Computed)
    return answer


def asked(runtime: Runtime, author: Author, *, pair: bool = False) -> Card:
    return shown(runtime, computed(runtime, author, pair=pair))


def test_every_kind_of_misreading_is_planted() -> None:
    assert tuple(case.misread for case in CASES) == MISREADINGS


@pytest.mark.every_run("lose_a_condition")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.misread.__name__)
def test_a_misread_query_ends_as_a_written_draft_with_the_rows_of_the_query(runtime: Runtime, case: Case) -> None:
    model = model_of(case)

    card = asked(runtime, Misreader(lambda: model, case.misread), pair="yards" in case.sql)

    assert is_sound(card.evidence), [item.sentence for item in card.evidence if not item.is_good]
    assert card.reading == "what the kilns gave"
    assert card.evidence_sentence.startswith("Calculation checked: code and SQL, written apart, agree.")
    assert card.table.rows == case.rows or not case.rows
    assert any(said.startswith("The plan that was read from the SQL gave other rows") for said in card.assumptions)
    assert "select" not in "".join(message.content for message in model.asked[1].messages).lower()


@pytest.mark.soak
def test_the_written_draft_passes_its_gates_and_its_generated_tables_hold_it_to_the_query(runtime: Runtime) -> None:
    case = CASES[0]
    model = model_of(case)

    card = runtime.stage(computed(runtime, Misreader(lambda: model, case.misread))).card

    assert card.sound, [item.sentence for item in card.evidence if not item.is_good]
    assert card.table.rows == case.rows


@pytest.mark.soak
@pytest.mark.ungated
def test_a_picked_option_that_is_misread_ends_as_a_written_draft_too(runtime: Runtime) -> None:
    case = CASES[0]
    played = model_of(case)
    options = [{"reading": "what the kilns gave", "sql": case.sql}]
    model = ScriptedModel({**played.answers, "sql": [replied("", kind="question", message="Which?", options=options)]})

    with pytest.raises(AskedBack) as caught:
        asked(runtime, Misreader(lambda: model, case.misread))
    picked = runtime.question(caught.value.question_id).options[0].label
    card = runtime.pick(caught.value.question_id, picked)

    assert card.table.rows == case.rows


@pytest.mark.soak
@pytest.mark.parametrize("kind", [Ladder, Both])
def test_who_reads_beside_the_planner_writes_the_code_for_its_own_query(runtime: Runtime, kind: type[Ladder]) -> None:
    case = CASES[0]
    model = model_of(case)

    card = asked(runtime, kind(EmbeddedAuthor(), Misreader(lambda: model, case.misread)))

    assert card.table.rows == case.rows


def test_a_model_that_is_gone_when_the_code_is_due_is_named(runtime: Runtime) -> None:
    case = CASES[0]
    played = model_of(case)
    model = ScriptedModel({**played.answers, "code": [ModelDown("http://127.0.0.1:1", "nothing listens there")]})

    with pytest.raises(ModelDown):
        asked(runtime, Misreader(lambda: model, case.misread))


@pytest.mark.soak
def test_a_plan_that_gives_the_rows_of_its_query_is_kept(runtime: Runtime) -> None:
    model = model_of(CASES[0])

    card = asked(runtime, ModelledAuthor("played", lambda: model, Policy()))

    assert card.reading.startswith("sum of weight by yard")
    assert [prompt.name for prompt in model.asked] == ["sql"]
