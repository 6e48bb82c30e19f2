"""The whole result of a card is looked at, taken into a variable, into a file and as code; no card changes by it."""

from __future__ import annotations

import io
from base64 import b64decode
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from jupyter_mcpgen.data.rows_file import Form
from jupyter_mcpgen.lab.clerk import DeskClerk
from jupyter_mcpgen.lab.messages import Draw, Explain, Fetch, Look, ReadCode, Rows, Take
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.model.view import Comparison, Condition, Order, View
from jupyter_mcpgen.plan.ops import ChartKind
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.commands import command_of
from jupyter_mcpgen.verbs.perform import perform
from jupyter_mcpgen.verbs.words import UsageError
from tests.flow.asking.product import keep, staged

pytestmark = pytest.mark.ungated

CATCHES = pd.DataFrame(
    {
        "boat": [f"boat {number % 450:03}" for number in range(900)],
        "weight": [float(number * 7 % 1000) for number in range(900)],
    }
)
TOTALS = CATCHES.groupby("boat", as_index=False)["weight"].sum()
ASKED = "total weight by boat"


@pytest.fixture
def catches(runtime: Runtime) -> DataRef:
    return runtime.reference("catches", CATCHES)


class Notebook:
    """A page and the variables of its kernel."""

    def __init__(self, runtime: Runtime) -> None:
        self.variables: dict[str, Any] = {"catches": CATCHES}
        self._clerk = DeskClerk(lambda: runtime, lambda: "", self.variables)

    def says(self, message: Explain | Look | Take | Fetch | Draw | ReadCode) -> dict[str, Any]:
        """Return what the kernel answers."""
        said: list[dict[str, Any]] = []
        self._clerk.serve(message.model_dump(mode="json"), lambda data: said.append(dict(data)), said.append)
        (answer,) = said
        return answer


@pytest.mark.soak
def test_every_row_can_be_seen_page_by_page_in_any_order(runtime: Runtime, catches: DataRef) -> None:
    card = staged(runtime.ask(ASKED, catches))
    notebook = Notebook(runtime)
    view = View(order=Order(column="sum_weight"))

    pages = [notebook.says(Look(card_id=card.card_id, view=view, first=first, count=200)) for first in (0, 200, 400)]

    assert len(card.table.rows) == 200
    rows = [row for answer in pages for row in answer["page"]["table"]["rows"]]
    assert [answer["page"]["table"]["total_rows"] for answer in pages] == [450] * 3
    assert sorted(map(tuple, rows)) == sorted(TOTALS.itertuples(index=False, name=None))
    assert [weight for _, weight in rows] == sorted(TOTALS["weight"])


@pytest.mark.soak
def test_a_row_of_a_view_keeps_its_number_so_that_the_rows_behind_it_are_found(
    runtime: Runtime, catches: DataRef
) -> None:
    card = staged(runtime.ask(ASKED, catches))
    condition = Condition(column="boat", comparison=Comparison.EQUALS, value="boat 449")

    seen = Notebook(runtime).says(Look(card_id=card.card_id, view=View(conditions=(condition,)), first=0, count=10))

    (number,), ((boat, weight),) = seen["page"]["numbers"], seen["page"]["table"]["rows"]
    behind = runtime.explain(card.card_id, number).rows
    assert (set(behind["boat"]), behind["weight"].sum()) == ({boat}, weight)


def test_what_is_shown_becomes_a_variable_and_none_is_ever_replaced(runtime: Runtime, catches: DataRef) -> None:
    card = staged(runtime.ask(ASKED, catches))
    notebook = Notebook(runtime)
    heavy = View(conditions=(Condition(column="sum_weight", comparison=Comparison.AT_LEAST, value="1500"),))

    taken = notebook.says(Take(card_id=card.card_id, rows=Rows(view=heavy), name="heavy"))
    behind = notebook.says(Take(card_id=card.card_id, rows=Rows(behind=1), name="behind"))
    refused = [
        notebook.says(Take(card_id=card.card_id, rows=Rows(), name=name))["message"]
        for name in ("catches", "print", "2 boats", "class", "_hidden")
    ]

    expected = TOTALS[TOTALS["weight"] >= 1500]
    assert (taken["kind"], taken["count"]) == ("taken", len(expected))
    assert set(notebook.variables["heavy"]["boat"]) == set(expected["boat"])
    assert (behind["count"], len(notebook.variables["behind"])) == (2, 2)
    assert notebook.variables["catches"] is CATCHES
    assert [("already" in said, "not a name" in said) for said in refused] == [(True, False)] * 2 + [(False, True)] * 3


@pytest.mark.soak
def test_a_taken_frame_can_be_changed_without_changing_the_answer(runtime: Runtime, catches: DataRef) -> None:
    card = staged(runtime.ask(ASKED, catches))
    notebook = Notebook(runtime)
    notebook.says(Take(card_id=card.card_id, rows=Rows(), name="mine"))

    notebook.variables["mine"].loc[:, "sum_weight"] = 0.0

    assert runtime.results.whole(card)["sum_weight"].sum() == TOTALS["weight"].sum()


@pytest.mark.every_run("parquet")
@pytest.mark.parametrize("form", [Form.CSV, Form.TSV, Form.PARQUET])
def test_a_file_holds_every_row(runtime: Runtime, catches: DataRef, form: Form) -> None:
    card = staged(runtime.ask(ASKED, catches))

    fetched = Notebook(runtime).says(Fetch(card_id=card.card_id, rows=Rows(), form=form))

    content = io.BytesIO(b64decode(fetched["content"]))
    read = (
        pd.read_parquet(content) if form is Form.PARQUET else pd.read_csv(content, sep="\t" if form == "tsv" else ",")
    )
    assert fetched["name"] == f"{card.tool_name}.{form}"
    assert (len(read), read["sum_weight"].sum()) == (450, TOTALS["weight"].sum())


def test_the_code_runs_in_a_cell_that_has_the_table(runtime: Runtime, catches: DataRef) -> None:
    card = staged(runtime.ask(ASKED, catches))

    code = Notebook(runtime).says(ReadCode(card_id=card.card_id))["code"]

    cell: dict[str, Any] = {"catches": CATCHES.copy()}
    exec(code["pandas"], cell)  # noqa: S102  the code under test
    assert cell["result"]["sum_weight"].sum() == TOTALS["weight"].sum()
    assert "parquet" not in code["pandas"]
    assert len(code["pandas"].splitlines()) <= 8
    exec(code["sql"].replace("duckdb.sql", "shown = duckdb.sql"), cell)  # noqa: S102  as above
    assert cell["shown"]["sum_weight"].sum() == TOTALS["weight"].sum()


@pytest.mark.soak
def test_a_result_is_drawn_as_the_kinds_that_fit_and_as_no_other(runtime: Runtime, catches: DataRef) -> None:
    card = staged(runtime.ask(ASKED, catches))
    notebook = Notebook(runtime)

    drawn = notebook.says(Draw(card_id=card.card_id, chart=ChartKind.HISTOGRAM))
    refused = notebook.says(Draw(card_id=card.card_id, chart=ChartKind.HEATMAP))

    assert card.drawable == (ChartKind.BAR, ChartKind.LINE, ChartKind.HISTOGRAM)
    assert len(drawn["drawing"]["data"]["values"]) == 450
    assert refused["message"] == "The columns of this result do not make a heatmap chart."


@pytest.mark.soak
def test_data_that_changed_is_said_instead_of_shown(runtime: Runtime, tmp_path: Any) -> None:
    file = tmp_path / "catches.csv"
    CATCHES.to_csv(file, index=False)
    card = staged(runtime.ask(ASKED, runtime.reference(str(file))))
    CATCHES.assign(weight=1.0).to_csv(file, index=False)

    said = Notebook(runtime).says(Look(card_id=card.card_id, view=View(), first=0, count=10))

    assert "has changed since this answer" in said["message"]


@pytest.mark.soak
@pytest.mark.parametrize("is_reused", [False, True])
def test_rows_that_the_card_does_not_show_are_not_taken_from_data_that_changed(
    runtime: Runtime, tmp_path: Path, is_reused: bool
) -> None:
    file = tmp_path / "catches.csv"
    CATCHES.to_csv(file, index=False)
    card = staged(runtime.ask(ASKED, runtime.reference(str(file))))
    if is_reused:
        keep(runtime, card)
        card = runtime.reused_card(runtime.ask(ASKED, runtime.reference(str(file))))
    last = TOTALS.sort_values("weight")["boat"].iloc[0]
    rows = list(card.table.rows)
    CATCHES.assign(weight=CATCHES["weight"].where(CATCHES["boat"] != last, -1.0)).to_csv(file, index=False)

    notebook = Notebook(runtime)
    behind = notebook.says(Explain(card_id=card.card_id, row=450))
    fetched = notebook.says(Fetch(card_id=card.card_id, rows=Rows(), form=Form.CSV))

    assert last not in {row[0] for row in rows}
    assert "has changed since this answer" in behind["message"]
    if is_reused:  # its result is kept as it was
        assert pd.read_csv(io.BytesIO(b64decode(fetched["content"])))["sum_weight"].sum() == TOTALS["weight"].sum()
    else:
        assert "has changed since this answer" in fetched["message"]


@pytest.mark.soak
@pytest.mark.parametrize("is_first", [True, False])
def test_a_result_of_two_files_is_looked_at_in_either_order(runtime: Runtime, tmp_path: Path, is_first: bool) -> None:
    boats = pd.DataFrame({"boat": CATCHES["boat"].unique(), "port": ["Bergen", "Skagen", "Visby"] * 150})
    CATCHES.to_csv(tmp_path / "catches.csv", index=False)
    boats.to_csv(tmp_path / "boats.csv", index=False)
    data, other = (runtime.reference(str(tmp_path / f"{name}.csv")) for name in ("catches", "boats"))
    data, other = (data, other) if is_first else (other, data)

    question = "total weight by port in catches joined with boats on boat = boat"
    card = staged(runtime.ask(question, data, other=other))
    notebook = Notebook(runtime)

    seen = notebook.says(Look(card_id=card.card_id, view=View(), first=0, count=5))
    behind = notebook.says(Explain(card_id=card.card_id, row=1))

    assert (seen["kind"], behind["kind"]) == ("seen", "behind")


def test_a_variable_is_called_as_python_reads_its_name(runtime: Runtime, catches: DataRef) -> None:
    card = staged(runtime.ask(ASKED, catches))
    notebook = Notebook(runtime)

    taken = notebook.says(Take(card_id=card.card_id, rows=Rows(), name="\ufb01le"))
    refused = notebook.says(Take(card_id=card.card_id, rows=Rows(), name="\uff43atches"))

    assert (taken["name"], len(notebook.variables["file"])) == ("file", 450)
    assert "already" in refused["message"]


@pytest.mark.soak
def test_ids_beyond_what_a_float_holds_are_told_apart(runtime: Runtime) -> None:
    ids = [2**60 + number for number in range(8)]
    boats = pd.DataFrame({"boat": list("abcdefgh"), "licence": ids})
    card = staged(runtime.ask("show boat and licence", runtime.reference("boats", boats)))

    def numbers(comparison: Comparison, value: str) -> list[int]:
        view = View(conditions=(Condition(column="licence", comparison=comparison, value=value),))
        page = Notebook(runtime).says(Look(card_id=card.card_id, view=view, first=0, count=10))["page"]
        return list(page["numbers"])

    assert numbers(Comparison.EQUALS, f"{2**60 + 3:,}") == [4]
    assert numbers(Comparison.AT_LEAST, str(2**60 + 6)) == [7, 8]
    assert numbers(Comparison.AT_MOST, "9999999999999999999") == [1, 2, 3, 4, 5, 6, 7, 8]


@pytest.mark.every_run(column=['net """weight', "net\x07weight"])
@pytest.mark.parametrize("column", ["net\rweight", "net\u202eweight", "net\x07weight", 'net """weight'])
def test_the_sql_for_a_cell_survives_the_cell_and_hides_nothing(runtime: Runtime, column: str) -> None:
    nets = pd.DataFrame({column: ["a", "b", "a"], "kilos": [1.0, 2.0, 4.0]})
    card = staged(runtime.ask("total kilos by net weight", runtime.reference("nets", nets)))

    code = Notebook(runtime).says(ReadCode(card_id=card.card_id))["code"]

    pasted = "\n".join(code["sql"].splitlines())  # as a notebook keeps it
    assert pasted.replace("\n", "").isprintable()
    cell: dict[str, Any] = {"nets": nets}
    exec(pasted.replace("duckdb.sql", "shown = duckdb.sql"), cell)  # noqa: S102  the code under test
    assert cell["shown"]["sum_kilos"].tolist() == [5.0, 2.0]


def test_the_answer_of_a_saved_tool_is_looked_at_in_the_same_way(runtime: Runtime, catches: DataRef) -> None:
    keep(runtime, staged(runtime.ask(ASKED, catches)))
    reused = runtime.ask(ASKED, catches)
    card = runtime.reused_card(reused)

    seen = Notebook(runtime).says(Look(card_id=card.card_id, view=View(), first=440, count=50))

    assert len(seen["page"]["table"]["rows"]) == 10


@pytest.mark.soak
def test_the_commands_give_all_rows_and_the_code(runtime: Runtime, catches: DataRef) -> None:
    card = staged(runtime.ask(ASKED, catches))

    whole, code, sql = (
        perform(words.split(), runtime, {"catches": CATCHES})
        for words in ("result", f"code {card.card_id}", "code --sql")
    )

    assert (whole.frame is not None and len(whole.frame), whole.text) == (450, f"450 rows: {card.reading}.")
    assert code.code.startswith("result = (\n    catches.groupby(")
    assert "duckdb.sql" in sql.code
    with pytest.raises(UsageError, match="remove `more`"):
        perform(["code", card.card_id, "more"], runtime, {})


def test_words_after_result_are_a_question() -> None:
    assert command_of(["result", "of", "boats", "with", "most", "weight"]) is None
    assert command_of(["result"]) == "result"
