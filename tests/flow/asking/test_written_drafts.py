"""A tool whose code was written, not derived, goes the way of every other: checked, shown, decided, called."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import duckdb
import pandas as pd
import pytest

from jupyter_mcpgen.answer import answer_to
from jupyter_mcpgen.authors.drafting import Drafting
from jupyter_mcpgen.errors import FoundNothing, NotConfirmed, PlanError, UnsoundApproval, UnusableCode
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.second import NoSecond, Second
from jupyter_mcpgen.model.validation import Verdict
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.pipeline.agreement import first_difference, same_rows
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import shown

LOADS = pd.DataFrame(
    {
        "quarry": ["Nord", "Nord", "Sued", "Sued", "Sued", None],
        "tons": [10.5, 7.0, 3.25, None, 8.0, 2.0],
        "trips": [3, 2, 1, 1, 4, 1],
    }
)
MEDIAN_GAP = '''
import pandas as pd


def gap_to_largest(df: pd.DataFrame) -> pd.DataFrame:
    """Return how much the median load of each quarry lies below its largest."""
    tons = df.groupby("quarry")["tons"]
    return (tons.max() - tons.median()).reset_index(name="gap")
'''
GAP_SQL = "SELECT quarry, max(tons) - median(tons) AS gap FROM loads WHERE quarry IS NOT NULL GROUP BY quarry"


@dataclass(frozen=True)
class Scribe(Drafting):
    """An author who gives the same written answer to every question."""

    code: str
    second: Second | NoSecond
    name: str = "scribe"

    def understand(self, request: Request, profile: Profile, other: Profile | None = None) -> Understood:
        """Read nothing."""
        return WrittenIntent(
            reading="gap of the median load to the largest by quarry",
            code=self.code,
            second=self.second,
            input=request.data.path,
            other_input=request.other.path if request.other is not None else None,
        )


def computed(runtime: Runtime, code: str = MEDIAN_GAP, second: Second | NoSecond | None = None) -> flow.Computed:
    vars(runtime)["services"] = replace(runtime.services, author=Scribe(code, second or Second(sql=GAP_SQL)))
    answer = runtime.compute("how far below its largest is the median load", runtime.reference("loads", LOADS))
    assert isinstance(answer, flow.Computed)
    return answer


def asked(runtime: Runtime, code: str = MEDIAN_GAP, second: Second | NoSecond | None = None) -> Card:
    return runtime.stage(computed(runtime, code, second)).card


def test_code_that_agrees_with_sql_written_apart_is_sound_and_can_be_called(runtime: Runtime) -> None:
    card = asked(runtime)

    assert card.sound, [item.sentence for item in card.evidence if not item.is_good]
    assert card.evidence_sentence.startswith("Calculation checked: code and SQL, written apart, agree.")
    assert card.tool_name == "gap_to_largest"
    assert card.table.rows == (("Nord", 1.75), ("Sued", 2.375))
    runtime.approve(card.card_id, confirmed=[Confirms.AS_READ])
    called = runtime.run_tool(card.tool_name, runtime.reference("loads", LOADS), {})
    assert called["gap"].tolist() == [1.75, 2.375]


@pytest.mark.every_run("a row more")
@pytest.mark.parametrize(
    "sql",
    [
        GAP_SQL.replace("median", "avg"),
        GAP_SQL.replace("WHERE quarry IS NOT NULL ", ""),
        GAP_SQL.replace("max(tons)", "max(tons) FILTER (WHERE trips > 1)"),
        "SELECT quarry, count(*) AS gap FROM loads GROUP BY quarry",
    ],
    ids=["another function", "a row more", "a condition more", "something else"],
)
def test_code_that_sql_contradicts_cannot_be_saved(runtime: Runtime, sql: str) -> None:
    card = asked(runtime, second=Second(sql=sql))

    assert not card.sound
    with pytest.raises(UnsoundApproval):
        runtime.approve(card.card_id)


@pytest.mark.soak
def test_a_difference_that_the_data_do_not_show_is_found_on_generated_tables(runtime: Runtime) -> None:
    """Nothing is negative in the data, so that both give the same there."""
    card = asked(runtime, second=Second(sql=GAP_SQL.replace("median(tons)", "median(abs(tons))")))

    assert next(item for item in card.evidence if item.check == "two_ways").verdict is Verdict.PASSED
    assert next(item for item in card.evidence if item.check == "generated_tables").verdict is Verdict.FAILED
    assert not card.sound


@pytest.mark.soak
def test_code_without_a_reference_is_scored_by_its_cases_alone(runtime: Runtime) -> None:
    card = asked(runtime, second=NoSecond(reason="no SQL was written"))

    (said,) = (item for item in card.reasons if item.check == "score")
    assert "with nothing to compare them with" in said.sentence
    assert "from 1 of 4 parts (no reference, no reference code, one candidate)" in said.sentence


@pytest.mark.ungated
def test_the_linters_look_at_written_code_before_it_is_approved(runtime: Runtime) -> None:
    careless = MEDIAN_GAP.replace("    tons =", "    pass\n    tons =")
    card = asked(runtime, code=careless)

    approved = runtime.approve(card.card_id, confirmed=[Confirms.AS_READ])

    said = {item.check: item.sentence for item in approved.evidence}
    assert {"security", "types", "quality"} <= said.keys()
    assert said["quality"].startswith("pylint has ")
    assert any(finding.rule == "unnecessary-pass" for finding in approved.findings)


@pytest.mark.ungated
def test_an_unchecked_calculation_says_so_and_is_saved_only_when_that_is_confirmed(runtime: Runtime) -> None:
    card = asked(runtime, second=NoSecond(reason="nobody wrote a query"))

    assert "Not checked independently: nobody wrote a query." in card.evidence_sentence
    assert "Calculation checked" not in card.evidence_sentence
    with pytest.raises(NotConfirmed, match=r"Nothing computed the result a second time.*--as-read --unchecked"):
        runtime.approve(card.card_id, confirmed=[Confirms.AS_READ])
    assert runtime.active() == ()
    runtime.approve(card.card_id, confirmed=list(Confirms))
    assert [tool.name for tool in runtime.active()] == ["gap_to_largest"]


@pytest.mark.ungated
def test_sql_that_cannot_be_computed_checks_nothing_and_blocks(runtime: Runtime) -> None:
    card = asked(runtime, second=Second(sql="SELECT tonnage FROM loads"))

    assert not card.sound
    assert next(item for item in card.evidence if item.check == "two_ways").verdict is Verdict.NOT_RUN


def test_a_query_reaches_no_file(runtime: Runtime) -> None:
    card = shown(runtime, computed(runtime, second=Second(sql="SELECT * FROM read_text('/etc/hostname')")))

    assert next(item for item in card.evidence if item.check == "two_ways").verdict is Verdict.NOT_RUN


@pytest.mark.soak
@pytest.mark.ungated
def test_a_value_that_is_no_table_is_a_result(runtime: Runtime) -> None:
    code = (
        "import pandas as pd\n\n\ndef spread(df: pd.DataFrame, *, low: float = 0.25) -> dict[str, float]:\n"
        '    """Return the spread of the loads."""\n'
        '    return {"low": float(df["tons"].quantile(low)), "trips": int(df["trips"].sum())}\n'
    )
    card = asked(runtime, code, NoSecond(reason="nobody wrote a query"))
    runtime.approve(card.card_id, confirmed=list(Confirms))

    path = runtime.reference("loads", LOADS).path
    answer = runtime.call_tool("spread", {"file_path": path, "low": 0.0})

    assert card.table.rows == (("low", 3.25), ("trips", 12))
    assert answer.structured == {"result": {"low": 2.0, "trips": 12}}


def test_an_empty_result_is_no_answer(runtime: Runtime) -> None:
    code = MEDIAN_GAP.replace(
        "return (", 'df = df[df["trips"] > 99]\n    tons = df.groupby("quarry")["tons"]\n    return ('
    )

    with pytest.raises(FoundNothing):
        computed(runtime, code, Second(sql=GAP_SQL.replace("WHERE", "WHERE trips > 99 AND")))


@pytest.mark.ungated
def test_the_rows_behind_written_code_are_not_guessed(runtime: Runtime) -> None:
    card = asked(runtime)

    assert not card.explains
    with pytest.raises(PlanError, match="cannot be shown"):
        runtime.explain(card.card_id, 1)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def one(df: pd.DataFrame) -> pd.DataFrame:\n    return df\ndef two() -> int:\n    return 1\n", "2 functions"),
        ("def one(df: pd.DataFrame, top) -> pd.DataFrame:\n    return df\n", "`top` of `one` has no type"),
        ("def one(df: pd.DataFrame) -> set[int]:\n    return {1}\n", "JSON cannot hold"),
        ("def one(*df: int) -> int:\n    return 1\n", "Name each parameter"),
        ("def one(n: int = 2) -> int:\n    return n\n", "`one` takes no table"),
        ("def one(df: pd.DataFrame, top: int) -> int:\n    return top\n", "`top` of `one` has no default"),
        ("def one(df: pd.DataFrame -> int:\n", "not valid Python"),
    ],
)
def test_code_that_no_tool_can_be_made_of_says_what_to_change(runtime: Runtime, code: str, said: str) -> None:
    with pytest.raises(UnusableCode, match=said):
        computed(runtime, code)


@pytest.mark.ungated
def test_code_that_a_gate_refuses_is_never_run(runtime: Runtime) -> None:
    card = asked(runtime, MEDIAN_GAP.replace("    tons = df", '    open("/etc/passwd")\n    tons = df'))

    assert not card.sound
    assert card.table.rows == ()


@pytest.mark.soak
def test_what_the_result_hangs_on_is_told(runtime: Runtime) -> None:
    card = asked(runtime)
    ordered = asked(
        runtime,
        "import pandas as pd\n\n\ndef first_loads(df: pd.DataFrame) -> pd.DataFrame:\n"
        '    """Return the first load of each quarry."""\n'
        '    return df.groupby("quarry")["tons"].first().reset_index()\n',
        NoSecond(reason="nobody wrote a query"),
    )

    told = {item.check: item.sentence for item in card.evidence}
    assert told["shuffled_rows"] == "The result is the same for rows in another order."
    assert told["added_column"] == "The result does not change with a column more."
    assert "The result depends on the order of the rows." in [note.sentence for note in ordered.notes]


@pytest.mark.soak
def test_figures_that_add_up_double_with_every_row_twice(runtime: Runtime) -> None:
    code = (
        "import pandas as pd\n\n\ndef totals(df: pd.DataFrame) -> pd.DataFrame:\n"
        '    """Return the total and the largest load."""\n'
        '    return pd.DataFrame({"total": [df["trips"].sum()], "largest": [df["trips"].max()]})\n'
    )
    sql = "SELECT coalesce(sum(trips), 0) AS total, max(trips) AS largest FROM loads"

    card = asked(runtime, code, Second(sql=sql))

    assert next(i.sentence for i in card.evidence if i.check == "doubled_rows").startswith(
        "With every row twice, `total`"
    )


@pytest.mark.soak
def test_code_that_draws_numbers_says_so_and_is_not_asked_to_repeat_itself(runtime: Runtime) -> None:
    code = (
        "import random\nimport pandas as pd\n\n\ndef draw(df: pd.DataFrame) -> float:\n"
        '    """Return a number that is drawn."""\n'
        "    return random.random()\n"
    )

    card = asked(runtime, code, NoSecond(reason="it is drawn"))
    runtime.approve(card.card_id, confirmed=list(Confirms))

    repeated = next(item for item in card.evidence if item.check == "repeatable")
    assert repeated.verdict is Verdict.NOT_APPLICABLE
    assert "random" in " ".join(card.limitations)
    assert not runtime.registry.tool("draw").annotations.idempotentHint


@pytest.mark.parametrize("place", ["variable", "file"])
def test_the_code_and_the_sql_of_an_answer_give_its_rows_where_they_are_run(
    runtime: Runtime, tmp_path: Path, place: str
) -> None:
    vars(runtime)["services"] = replace(runtime.services, author=Scribe(MEDIAN_GAP, Second(sql=GAP_SQL)))
    path = tmp_path / "loads.csv"
    LOADS.to_csv(path, index=False)
    variables = {"loads": LOADS} if place == "variable" else {}
    data = runtime.reference("loads", LOADS) if variables else runtime.reference(str(path))
    answer = answer_to(runtime, "how far below", data, variables=variables)
    namespace = dict(variables)

    exec(answer.code, namespace)  # noqa: S102  the code under test
    loads = LOADS  # noqa: F841  DuckDB finds it by its name
    queried = duckdb.sql(answer.sql).df()

    assert first_difference(namespace["result"], answer.df) is None
    assert same_rows(queried, answer.df, is_ordered=False) is None
