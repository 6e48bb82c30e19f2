"""A SELECT that a person writes is answered and checked as a question is, and nothing else is run."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.authors.modelled.author import ModelledAuthor
from jupyter_mcpgen.authors.modelled.sheet import Policy
from jupyter_mcpgen.authors.selected import SelectAuthor
from jupyter_mcpgen.cli import main
from jupyter_mcpgen.pipeline.draft import Staged
from jupyter_mcpgen.runtime import Runtime, current
from tests.fakes.model import ScriptedModel
from tests.products import new_runtime, own_place

JARS = pd.DataFrame(
    {
        "shelf": ["top", "top", "low", "low", "low"],
        "label": ["fig  jam", "fig jam", "plum", "plum", None],
        "grams": [200.0, 350.0, None, 120.0, 80.0],
        "rack": ["r1", "r2", "r1", "r3", "r2"],
    }
)
RACKS = pd.DataFrame({"rack": ["r1", "r2"], "keeper": ["Ida", "Ole"]})

JOINED = "SELECT keeper, count(*) AS jars FROM {} JOIN {} USING (rack)"
PART = "SELECT label, {} AS part FROM 'numbered.csv'"
BY_KEEPER = "GROUP BY keeper ORDER BY keeper"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Make a folder with two tables, and a registry that nobody else has."""
    home = tmp_path_factory.mktemp("selects")
    JARS.to_csv(home / "jars.csv", index=False)
    RACKS.to_csv(home / "racks.csv", index=False)
    with own_place(home, gates=False):
        yield home


def typed(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Run a command, and return its status and what it said, on one line."""
    status = main(list(words))
    said = capfd.readouterr()
    return status, " ".join(f"{said.out} {said.err}".split())


def test_a_select_over_a_file_has_the_evidence_of_a_question_and_becomes_a_tool(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    JARS.to_csv(tmp_path / "jars.csv", index=False)
    select = "SELECT shelf, round(sum(grams), 1) AS total FROM 'jars.csv' GROUP BY shelf"

    with own_place(tmp_path):
        status, said = typed(capfd, "sql", select)
        approved, _ = typed(capfd, "approve", "--name", "grams_by_shelf")
        tool = current().registry.tool("grams_by_shelf")

    assert (status, approved, tool.version) == (0, 0, "1.0.0")
    for sentence in (
        "sum of grams by shelf",
        "Calculation checked: pandas and SQL agree. 5 of 5 rows used.",
        "The SQL that the plan was read from gives the same rows.",
        "ROUND only changes how a number is shown",
    ):
        assert sentence in said
    assert "is this what you meant" not in said


@pytest.mark.soak
@pytest.mark.parametrize(
    "words",
    [
        ["SELECT keeper, count(*) AS jars FROM 'jars.csv' j JOIN 'racks.csv' r ON j.rack = r.rack", BY_KEEPER],
        ["--data", "jars.csv", "--with=racks.csv", JOINED.format("jars", "racks"), BY_KEEPER],
        ["WITH kept AS (SELECT * FROM jars.csv)", JOINED.format("kept", "racks.csv"), BY_KEEPER],
    ],
)
def test_tables_are_named_as_files_or_by_options(
    words: list[str], place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    status = main(["sql", "--csv", *words])

    assert status == 0
    assert list(csv.reader(io.StringIO(capfd.readouterr().out))) == [["keeper", "jars"], ["Ida", "2"], ["Ole", "2"]]


@pytest.mark.soak
def test_a_path_in_a_select_means_that_file_and_no_other_of_its_name(
    place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for folder, price in (("old", 2.5), ("new", 3.0)):
        (place / folder).mkdir()
        pd.DataFrame({"fruit": ["fig", "plum"], "price": [price, 9.0]}).to_csv(place / folder / "f.csv", index=False)
    joined = "SELECT sum(o.price) AS o, sum(n.price) AS n FROM 'old/f.csv' o JOIN 'new/f.csv' n USING (fruit)"

    status, said = typed(capfd, "sql", "--data", "old/f.csv", "SELECT sum(price) AS s FROM 'new/f.csv'")
    here, found_here = typed(capfd, "sql", "--csv", "--data", "old/f.csv", "SELECT sum(price) AS s FROM f")
    both, found_in_both = typed(capfd, "sql", "--csv", joined)

    assert (status, "There is no table" in said) == (1, True)
    assert (here, found_here[:6]) == (0, "s 11.5")
    assert (both, found_in_both[:13]) == (0, "o,n 11.5,12.0")


@pytest.mark.parametrize("tables", [["--data", "shelves.csv"], ["--data", "shelves.csv", "--with", "racks.csv"], []])
def test_a_table_joined_with_itself_is_refused_in_a_sentence(
    tables: list[str], place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pd.DataFrame({"shelf": ["a", "b"], "below": [None, "a"]}).to_csv(place / "shelves.csv", index=False)
    name = "shelves" if tables else "'shelves.csv'"

    joined = "SELECT x.shelf, y.shelf AS low FROM {} x JOIN {} y ON x.below = y.shelf"

    status, said = typed(capfd, "sql", *tables, joined.format(name, name))

    assert status == 1
    assert "A table is joined with itself, and a plan joins two tables." in said


@pytest.mark.every_run("grams / (rack_no - 1)-True")
@pytest.mark.parametrize(
    ("divided", "is_told"),
    [("grams / (rack_no - 1)", True), ("grams / 2", False), ("grams / nullif(rack_no, 0)", False)],
)
def test_a_division_that_may_be_by_zero_is_said_to_give_a_missing_value(
    divided: str, is_told: bool, place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    JARS.assign(rack_no=[1, 2, 3, 4, 5]).to_csv(place / "numbered.csv", index=False)

    _, said = typed(capfd, "sql", PART.format(divided))

    assert ("A division by zero gives a missing value." in said) == is_told


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("", "Add a SELECT after `sql`"),
        ("SELECT grms FROM 'jars.csv'", "There is no column `grms`. Did you mean `grams`?"),
        ("SELECT a FROM jars", "There is no table and no file named `jars`"),
        ("SELECT 1", "reads no table"),
        ("DROP TABLE jars", "Only a SELECT is run"),
        ("SELECT shelf FROM 'jars.csv'; DELETE FROM jars", "There must be one statement"),
        ("SELECT * FROM read_csv('jars.csv')", "reads no table"),
        ("SELECT * FROM 'jars.csv', read_csv('racks.csv')", "is not allowed here"),
        ("SELECT shelf FROM 'jars.csv' WHERE", "cannot be parsed"),
        ("SELECT 1 FROM 'jars.csv' a, 'racks.csv' b, jars.csv c, 'other.csv' d", "A SELECT can read two tables here"),
        ("SELECT shelf, bool_or(grams > 100) FROM 'jars.csv' GROUP BY shelf", "A language model can write the code"),
    ],
)
def test_what_is_no_select_that_can_be_answered_is_refused_in_a_sentence(
    statement: str, said: str, place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    status = main(["sql", *filter(None, [statement])])

    out, err = capfd.readouterr()
    plain = " ".join(f"{out} {err}".replace("`", "").split())
    assert status != 0
    assert said.replace("`", "") in plain
    assert "Traceback" not in plain


def test_a_select_that_no_plan_holds_is_checked_against_code_that_a_model_writes(tmp_path: Path) -> None:
    runtime: Runtime = new_runtime(tmp_path)
    code = (
        "import pandas as pd\n\n\ndef analyze(df: pd.DataFrame) -> pd.DataFrame:\n"
        '    """Return which shelves have a jar above 100 grams."""\n'
        '    large = (df["grams"] > 100).astype("boolean").mask(df["grams"].isna())\n'
        '    grouped = large.groupby(df["shelf"], dropna=False)\n'
        '    any_large = grouped.max().astype("boolean")\n'
        '    return any_large.reset_index(name="has_large")\n'
    )
    model = ScriptedModel({"code": [{"notes": "", "code": code}]})
    author = SelectAuthor(ModelledAuthor("played", lambda: model, Policy()))
    vars(runtime)["services"] = replace(runtime.services, author=author)
    statement = "SELECT shelf, bool_or(grams > 100) AS has_large FROM jars GROUP BY shelf"

    answer = runtime.ask(statement, runtime.reference("jars", JARS))

    assert isinstance(answer, Staged)
    assert [list(row) for row in answer.card.table.rows] == [["low", True], ["top", True]]
    assert answer.card.evidence_sentence.startswith("Calculation checked: code and SQL, written apart, agree.")
    assert answer.card.read_by == "Asked in SQL, so nobody had to interpret it."
