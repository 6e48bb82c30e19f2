"""A terminal gives all rows to the next program, and never answers a mistake with a traceback."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.cli import main
from tests.products import own_place

SHOPS = 300
"""More than the 200 rows that a card carries."""
STOCK = pd.DataFrame(
    {"shop": [f"shop {number:03}" for number in range(SHOPS)], "boxes": [7 * (SHOPS - n) for n in range(SHOPS)]}
)
QUESTION = "total boxes by shop in stock.csv"
TOTALS = list(zip(STOCK["shop"], STOCK["boxes"], strict=True))
PROGRAM = [sys.executable, "-c", "import sys; from jupyter_mcpgen.cli import main; sys.exit(main())"]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Make a folder with a table, and a registry that nobody else has."""
    home = tmp_path_factory.mktemp("terminal")
    STOCK.to_csv(home / "stock.csv", index=False)
    with own_place(home, gates=False):
        yield home


def rows_of(frame: pd.DataFrame) -> list[tuple[object, ...]]:
    return list(frame.itertuples(index=False, name=None))


@pytest.mark.soak
def test_rows_of_a_new_a_waiting_and_a_kept_answer_are_all_there_and_alone_on_standard_output(
    place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    outcomes = {}

    for answer in ("new", "waiting", "kept"):
        done = main(["ask", "--csv", QUESTION])
        outcomes[answer] = (done, *capfd.readouterr())
        if answer == "waiting":
            assert main(["approve"]) == 0
            capfd.readouterr()

    for answer, (done, out, err) in outcomes.items():
        names, *rows = csv.reader(io.StringIO(out))
        assert (answer, done, names) == (answer, 0, ["shop", "sum_boxes"])
        assert [(shop, int(boxes)) for shop, boxes in rows] == TOTALS
        assert f"{SHOPS} rows written." in err
        assert "sum of boxes by shop" in " ".join(err.split())


@pytest.mark.soak
def test_an_answer_gives_all_its_rows_and_its_code_later_too(
    place: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["ask", "--name", "boxes_later", QUESTION]) == 0
    assert main(["approve"]) == 0
    capfd.readouterr()

    written = main(["result", "boxes_later", "--output", str(tmp_path / "later.csv")]), *capfd.readouterr()
    shown = main(["code", "boxes_later"]), *capfd.readouterr()

    assert (written[0], "300 rows written" in written[2]) == (0, True)
    assert rows_of(pd.read_csv(tmp_path / "later.csv")) == TOTALS
    cell: dict[str, object] = {}
    exec(shown[1], cell)  # noqa: S102  the code that the command prints
    result = cell["result"]
    assert isinstance(result, pd.DataFrame)
    assert rows_of(result) == TOTALS


@pytest.mark.soak
def test_a_tool_is_found_by_words_with_its_calls_and_what_nobody_has_is_said(
    place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["ask", "--name", "lightest_boxes", "least boxes by shop in stock.csv"]) == 0
    assert main(["approve"]) == 0
    assert main(["run", "lightest_boxes", "--data", "stock.csv"]) == 0
    capfd.readouterr()

    found = main(["search", "lightest", "crates"]), capfd.readouterr().out
    nothing = main(["search", "pelican"]), capfd.readouterr().out

    assert found[0] == nothing[0] == 0
    (row,) = [line for line in found[1].splitlines() if "lightest_boxes" in line]
    assert "1.0.0" in row
    assert " 1 " in row
    assert "No tool has any of these words" in nothing[1]


@pytest.mark.soak
def test_columns_under_other_names_are_offered_as_the_command_that_takes_them(
    place: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    STOCK.rename(columns={"shop": "shops", "boxes": "box"}).to_csv(place / "next week.csv", index=False)
    assert main(["ask", "--name", "most_boxes", "most boxes by shop in stock.csv"]) == 0
    assert main(["approve"]) == 0
    capfd.readouterr()

    failed = main(["run", "most_boxes", "--data", "next week.csv"]), " ".join("".join(capfd.readouterr()).split())
    offered = re.search(r"under other names: jupyter mcpgen (run .*)\.$", failed[1])
    assert offered is not None
    done = main(shlex.split(offered[1])), capfd.readouterr().out

    assert failed[0] == 1
    assert "has no column boxes (did you mean box?), shop (did you mean shops?)" in failed[1]
    assert offered[1].startswith('run most_boxes --data "next week.csv" ')
    assert done[0] == 0
    assert f"{STOCK['boxes'].max():,}" in done[1]


def test_json_has_an_object_for_each_row_with_its_type(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    frame = pd.DataFrame({"day": ["2024-01-01", "2024-01-02"], "rate": [0.5, None], "size": [3, 1]})
    frame.to_csv(place / "days.csv", index=False)

    done = main(["ask", "--json", "--data", "days.csv", "rows sorted by day"])

    out = capfd.readouterr().out
    assert done == 0
    assert json.loads(out) == [
        {"day": "2024-01-01T00:00:00", "rate": 0.5, "size": 3},
        {"day": "2024-01-02T00:00:00", "rate": None, "size": 1},
    ]


@pytest.mark.every_run("rows.parquet-read_parquet")
@pytest.mark.parametrize(("name", "read"), [("rows.csv", pd.read_csv), ("rows.json", pd.read_json),
                                            ("rows.parquet", pd.read_parquet)])  # fmt: skip
def test_a_file_gets_all_rows_in_the_format_of_its_ending(
    place: Path, capfd: pytest.CaptureFixture[str], name: str, read: object
) -> None:
    (place / name).write_text("what was there before")

    done = main(["ask", QUESTION, "--output", name])

    told = capfd.readouterr()
    assert (done, told.out) == (0, "")
    assert f"{SHOPS} rows written to {name}." in told.err
    assert rows_of(read(place / name)) == TOTALS  # type: ignore[operator]
    assert [path.name for path in place.iterdir() if path.name.startswith(".")] == []


def test_nothing_is_written_for_a_question_that_is_refused(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done = main(["ask", "--output", "refused.csv", "total profit by shop in stock.csv"])

    told = capfd.readouterr()
    assert (done, told.out) == (1, "")
    assert "profit" in told.err
    assert not (place / "refused.csv").exists()


MISTAKES = [
    (["lst"], 2, "There is no command lst. Did you mean list?"),
    (["aprove"], 2, "Did you mean approve?"),
    (["gibberish"], 2, "There is no command gibberish."),
    (["ask", "--colour", "red", QUESTION], 2, "There is no option --colour"),
    (["ask", "--json", "--csv", QUESTION], 2, "Give only one of"),
    (["ask", "--output"], 2, "needs the name of a file"),
    (["ask", "--output", "rows.doc", QUESTION], 2, "ends in .csv, .json or .parquet"),
    (["ask", "--output", "nowhere/rows.csv", QUESTION], 2, "There is no folder nowhere"),
    (["ask", "--output", "folder.csv", QUESTION], 2, "folder.csv is a folder"),
    (["ask", "total boxes in absent.csv"], 1, "no file named absent.csv"),
    (
        ["ask", "total boxes in folder.csv"],
        1,
        "folder.csv cannot be read as a table: it is a folder without files of tables",
    ),
    (["ask", "total boxes in broken.parquet"], 1, "broken.parquet cannot be read as a table"),
    (["ask", "total boxes in empty.csv"], 1, "empty.csv is empty"),
    (["ask", "total boxes in other.csv"], 1, "no file named other.csv. Tables here: "),
    (["ask", "total boxes in stok.csv"], 1, "Did you mean stock.csv?"),
    (["serve", "--stdio", "--fast"], 2, "takes no other arguments"),
    (["stop", "now"], 2, "stop takes no other words, so remove now, or begin a question with ask."),
    (["config", "the server"], 2, "config takes no other words"),
    (["doctor", "boxes", "by", "shop"], 2, "so remove boxes by shop"),
]


@pytest.mark.parametrize(("words", "code", "said"), MISTAKES, ids=lambda value: " ".join(value)[:40]
                         if isinstance(value, list) else "")  # fmt: skip
def test_a_mistake_is_answered_in_words(
    place: Path, capfd: pytest.CaptureFixture[str], words: list[str], code: int, said: str
) -> None:
    (place / "folder.csv").mkdir(exist_ok=True)
    (place / "broken.parquet").write_bytes(b"no table")
    (place / "empty.csv").touch()

    done = main(words)

    told = capfd.readouterr()
    assert (done, told.out) == (code, "")
    assert said in " ".join(told.err.split())
    assert "Traceback" not in told.err


@pytest.mark.every_run(said=["is not valid YAML", "not UTF-8"])
@pytest.mark.parametrize("command", ["list", "ask"])
@pytest.mark.parametrize(
    ("content", "said"),
    [(b"registry: [\n", "is not valid YAML"), (b"- one\n", "must hold sections"), (b"registry: 3\n", "must hold keys"),
     (b"[" * 10_000, "nested too deeply"), (b"feedback: {card_days: .inf}\n", "feedback.card_days"),
     (b"\xff\xff", "not UTF-8"), (b"colour:\n  main: red\n", "The setting colour from")],
)  # fmt: skip
def test_settings_that_cannot_be_read_are_named_with_their_file(
    place: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    content: bytes,
    said: str,
) -> None:
    from jupyter_mcpgen import runtime

    project = place / "project"
    project.mkdir(exist_ok=True)
    (project / "mcpgen.yaml").write_bytes(content)
    monkeypatch.chdir(project)
    runtime._built.cache_clear()

    done = main([command, "total boxes in stock.csv"][: 2 if command == "ask" else 1])

    told = capfd.readouterr()
    runtime._built.cache_clear()
    assert (done, told.out) == (1, "")
    assert said in " ".join(told.err.split())
    assert "mcpgen.yaml" in told.err


def test_a_value_in_the_environment_that_is_no_yaml_is_named(
    place: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCPGEN_REGISTRY__PATH", "[")

    done = main(["list"])

    assert done == 1
    assert "The value of MCPGEN_REGISTRY__PATH cannot be read" in " ".join(capfd.readouterr().err.split())


@pytest.mark.parametrize("words", [["list"], ["ask", "median boxes in stock.csv"]], ids=["list", "ask"])
def test_a_registry_that_is_a_file_is_named(
    place: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    from jupyter_mcpgen import runtime

    monkeypatch.setenv("MCPGEN_REGISTRY__PATH", str(place / "stock.csv"))
    runtime._built.cache_clear()

    done = main(words)

    runtime._built.cache_clear()
    assert done == 1
    assert "stock.csv is a file. Set registry.path to a folder." in " ".join(capfd.readouterr().err.split())


@pytest.mark.soak
def test_a_registry_that_cannot_be_written_is_named(
    place: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from jupyter_mcpgen import runtime

    monkeypatch.setenv("MCPGEN_REGISTRY__PATH", str(place / "stock.csv" / "registry"))
    runtime._built.cache_clear()

    done = main(["ask", "median boxes in stock.csv"])

    runtime._built.cache_clear()
    assert done == 1
    assert "cannot be written" in " ".join(capfd.readouterr().err.split())


@pytest.mark.every_run("help")
@pytest.mark.parametrize("words", [["help"], ["ask", "--csv", QUESTION]], ids=["help", "rows"])
def test_a_reader_that_has_gone_ends_the_command_quietly(place: Path, words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)

    done = subprocess.run([*PROGRAM, *words], cwd=place, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=120)

    os.close(writing)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "Broken pipe" not in done.stderr


@pytest.mark.soak
def test_an_interrupt_ends_the_command_with_one_word(place: Path) -> None:
    question = json.dumps({"id": 1, "question": "total boxes", "table": "stock.csv"})
    with subprocess.Popen(
        [*PROGRAM, "eval"], cwd=place, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{question}\n")
        process.stdin.flush()
        process.stdout.readline()  # it waits for the next question now

        process.send_signal(signal.SIGINT)

        _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told.strip() == "Stopped."
