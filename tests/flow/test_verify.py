"""A tool or a card is verified: the same answer on the same data, or what differs first, with no model."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd
import pytest

from jupyter_mcpgen.answer import answer_to
from jupyter_mcpgen.cli import main
from jupyter_mcpgen.errors import NotVerifiable
from jupyter_mcpgen.model.golden import Golden
from jupyter_mcpgen.model.package import GOLDEN, Package, fingerprint
from jupyter_mcpgen.model.tool import annotations_for
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.perform import perform
from tests.flow.asking.product import keep, staged
from tests.products import new_runtime, start_anew

LOADS = """quarry,stone,tons,trips
Nordhang,slate,10.37,3
Nordhang,chalk,7.11,2
Suedwand,slate,3.29,1
Suedwand,tuff,8.83,4
Westbruch,slate,4.71,2
"""
RECORDED = Path(__file__).parents[1] / "cases" / "registries" / "fingerprint_1"


@dataclass(frozen=True)
class Kept:
    """A product with an approved tool and a card that waits, in a folder of its own."""

    folder: Path
    runtime: Runtime
    tool: str
    card: str

    def verify(self, wanted: str, table: Path) -> tuple[bool, str]:
        """Type the command, as in a notebook."""
        said = perform(["verify", wanted, "--data", str(table)], self.runtime, {})
        return said.ok, said.text


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    folder = tmp_path_factory.mktemp("made")
    (folder / "loads.csv").write_text(LOADS)
    runtime = new_runtime(folder)
    data = runtime.reference(str(folder / "loads.csv"))
    tool = keep(runtime, staged(runtime.ask("total tons by quarry", data)))
    card = staged(runtime.ask("average trips by stone", data))
    return Kept(folder, runtime, tool.tool_name, card.card_id)


@pytest.fixture
def kept(made: Kept, tmp_path: Path) -> Kept:
    """Return a copy of it, as on another machine."""
    shutil.copytree(made.folder, tmp_path / "copy")
    return replace(made, folder=tmp_path / "copy", runtime=new_runtime(tmp_path / "copy"))


def remade(kept: Kept, **changes: object) -> str:
    """Stage the card once more with other digests, under a fingerprint that fits them; return its id."""
    registry = kept.runtime.registry
    candidate, card = registry.candidate(kept.card), registry.card(kept.card)
    files = registry.package(kept.card).files
    golden = Golden.model_validate_json(files[GOLDEN]).replace(**changes)
    package = Package(files={**files, GOLDEN: golden.model_dump_json(indent=2) + "\n"})
    hints = annotations_for(candidate.capabilities).model_dump()
    rights = candidate.dependencies, candidate.capabilities
    mark = fingerprint(candidate.spec, candidate.version, package, hints, *rights)
    registry.stage(
        candidate.replace(tool_id="remade", fingerprint=mark), package, card.replace(card_id="remade", fingerprint=mark)
    )
    return "remade"


@pytest.mark.soak
def test_a_tool_gives_the_same_on_another_machine(kept: Kept) -> None:
    assert kept.verify(kept.tool, kept.folder / "loads.csv") == (
        True,
        "Same answer on the same data: `sum_by_group` gives the same 3 rows.",
    )


def test_a_card_that_waits_can_be_verified_too(kept: Kept) -> None:
    same, sentence = kept.verify(kept.card, kept.folder / "loads.csv")

    assert same, sentence


def test_the_same_values_in_another_format_are_the_same_data(kept: Kept) -> None:
    pd.read_csv(kept.folder / "loads.csv").to_parquet(kept.folder / "loads.parquet", index=False)

    same, sentence = kept.verify(kept.tool, kept.folder / "loads.parquet")

    assert same, sentence


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("10.37", "10.38", "The data differ: some values differ."),
        ("Westbruch,slate,4.71,2\n", "", "The data differ: 4 rows now, 5 then."),
        ("trips", "tours", "The data differ: other columns (`tours`, `trips`)."),
    ],
)
def test_other_data_are_named_first(kept: Kept, old: str, new: str, said: str) -> None:
    (kept.folder / "others.csv").write_text(LOADS.replace(old, new))

    assert kept.verify(kept.tool, kept.folder / "others.csv") == (False, said)


@pytest.mark.parametrize("file", ["tool.py", "tests.py", "golden.json"])
def test_a_changed_file_of_a_tool_is_named(kept: Kept, file: str) -> None:
    path = kept.runtime.registry.tool(kept.tool).path / file
    path.write_text(path.read_text() + "\n")

    same, sentence = kept.verify(kept.tool, kept.folder / "loads.csv")

    assert not same
    assert sentence.startswith("The code differs.")
    assert f"`{file}` was changed" in sentence


def test_changed_code_of_a_card_is_named(kept: Kept) -> None:
    path = next((kept.runtime.registry.root / "staging" / "candidates").iterdir()) / "tool.py"
    path.write_text(path.read_text().replace(".mean()", ".median()"))

    assert kept.verify(kept.card, kept.folder / "loads.csv") == (
        False,
        "The code differs: it is not the code that gave the answer.",
    )


def test_a_changed_plan_of_a_card_is_named(kept: Kept) -> None:
    path = next((kept.runtime.registry.root / "staging" / "candidates").iterdir()) / "plan.json"
    path.write_text(path.read_text() + "\n")

    same, sentence = kept.verify(kept.card, kept.folder / "loads.csv")

    assert not same
    assert sentence.startswith("The plan differs: `plan.json` was changed")


def test_another_library_is_named_where_the_answer_differs_and_only_mentioned_where_not(kept: Kept) -> None:
    golden = Golden.model_validate_json(kept.runtime.registry.package(kept.card).files[GOLDEN])
    older = {**golden.libraries, "pandas": "1.0"}
    table = kept.folder / "loads.csv"

    same, sentence = kept.verify(remade(kept, libraries=older), table)
    assert same
    assert "although pandas is" in sentence
    assert "(1.0 then)" in sentence

    other = golden.result.replace(sha256="0" * 64)
    same, sentence = kept.verify(remade(kept, libraries=older, result=other), table)
    assert not same
    assert "and so does a library: pandas is" in sentence


def test_an_answer_that_differs_though_nothing_else_does_is_said_to(kept: Kept) -> None:
    golden = Golden.model_validate_json(kept.runtime.registry.package(kept.card).files[GOLDEN])

    same, sentence = kept.verify(remade(kept, result=golden.result.replace(rows=7)), kept.folder / "loads.csv")

    assert not same
    assert sentence == (
        "The answer differs, 3 rows now against 7, although data, code, libraries and plan are the same."
    )


def test_a_terminal_prints_the_sentence_and_ends_with_1_where_something_differs(
    kept: Kept, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCPGEN_REGISTRY__PATH", str(kept.runtime.registry.root))
    monkeypatch.chdir(kept.folder)
    start_anew()
    (kept.folder / "others.csv").write_text(LOADS.replace("10.37", "10.38"))

    right = main(["verify", kept.tool, "--data", str(kept.folder / "loads.csv")])
    first = capsys.readouterr().out
    wrong = main(["verify", kept.tool, "--data", str(kept.folder / "others.csv")])

    assert (right, wrong) == (0, 1)
    assert "Same answer on the same data" in first
    assert "The data differ: some values differ." in capsys.readouterr().out
    start_anew()


def test_an_answer_verifies_itself_in_python(kept: Kept) -> None:
    frame = pd.read_csv(kept.folder / "loads.csv")
    answer = answer_to(
        kept.runtime, "median tons by stone", kept.runtime.reference("frame", frame), variables={"frame": frame}
    ).stage()

    assert answer.verify(frame).same
    assert not answer.verify(frame.head(3)).same


def test_the_command_stands_on_the_card(kept: Kept) -> None:
    card = kept.runtime.card(kept.card)

    assert card.verify == f"mcpgen verify {kept.card} --data loads.csv"


def test_digests_hold_no_rows(kept: Kept) -> None:
    text = kept.runtime.registry.package(kept.card).files[GOLDEN]

    assert [value for value in ("Nordhang", "slate", "10.37", "8.83") if value in text] == []


def test_a_tool_of_an_older_registry_has_nothing_to_be_compared_with(kept: Kept, tmp_path: Path) -> None:
    shutil.copytree(RECORDED, tmp_path / "old" / "registry")
    older = replace(kept, runtime=new_runtime(tmp_path / "old", **{"feedback.card_days": 36_500}))

    with pytest.raises(NotVerifiable, match="saved by an older version"):
        older.verify("sum_by_group", kept.folder / "loads.csv")


def rechecked(kept: Kept, *names: str) -> tuple[bool, dict[str, str]]:
    """Type `recheck`, as in a notebook; returns whether all is well, and what is said of each tool."""
    said = perform(["recheck", *names], kept.runtime, {})
    rows = [line.strip("| ").split(" | ") for line in said.text.replace("`", "").splitlines()[2:]]
    return said.ok, {tool: f"{outcome}: {sentence}" for tool, outcome, sentence in rows}


def test_every_tool_is_checked_on_the_data_it_was_approved_on(kept: Kept) -> None:
    ok, said = rechecked(kept)

    assert ok
    assert list(said) == ["sum_by_group v1.0.0"]
    assert said["sum_by_group v1.0.0"].startswith("same answer: Same answer on the same data")


def test_an_answer_that_another_version_of_a_library_changes_is_told_with_the_library(kept: Kept) -> None:
    golden = Golden.model_validate_json(kept.runtime.registry.package(kept.card).files[GOLDEN])
    older = {**golden.libraries, "pandas": "2.9.9"}
    kept.runtime.approve(remade(kept, libraries=older, result=golden.result.replace(sha256="0" * 64)))

    ok, said = rechecked(kept, "mean_by_group")

    assert not ok
    assert said["mean_by_group v1.0.0"].startswith("DIFFERS: The answer differs")
    assert "(2.9.9 then)" in said["mean_by_group v1.0.0"]
    told = perform(["doctor"], kept.runtime, {}).text
    assert "`mean_by_group` was approved with other versions of its libraries. `%mcpgen recheck`" in told
    assert "calculate nearly the same" not in told
    assert "Not called for" not in told


def test_data_that_changed_or_went_away_say_nothing_about_a_tool(kept: Kept, made: Kept) -> None:
    table = made.folder / "loads.csv"
    text = table.read_text()
    try:
        table.write_text(text.replace("10.37", "10.38"))
        changed = rechecked(kept)
        table.unlink()
        gone = rechecked(kept)
    finally:
        table.write_text(text)

    assert changed == (True, {"sum_by_group v1.0.0": "not checked: The data differ: some values differ."})
    assert gone[0]
    assert gone[1]["sum_by_group v1.0.0"].startswith("not checked: ")
    assert "loads" in gone[1]["sum_by_group v1.0.0"]
