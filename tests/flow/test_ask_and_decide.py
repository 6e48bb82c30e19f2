"""From a question to a tool and back: the two transactions on real data, in the real sandbox, with a real registry."""

from __future__ import annotations

import shutil
from collections.abc import Set
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from jupyter_mcpgen.authors.author import Contract
from jupyter_mcpgen.authors.embedded import EmbeddedAuthor
from jupyter_mcpgen.data.demo import DEVICES, WEATHER, crashes
from jupyter_mcpgen.errors import (
    AlreadyDecided,
    CorruptRegistry,
    DataError,
    DataTooLarge,
    DecisionError,
    EmptyData,
    NameTaken,
    NotUnderstood,
    RegistryReadOnly,
    StaleApproval,
    ToolFailed,
    UnknownData,
    UnknownTool,
    UnreadableData,
    UnsoundApproval,
)
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.event import Event, StageFinished
from jupyter_mcpgen.model.feedback import Decision, OutputVerdict
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.model.request import DataRef, Request
from jupyter_mcpgen.model.validation import Verdict, is_sound
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.runtime import Runtime, build
from jupyter_mcpgen.settings import load_settings

ACCIDENTS = """state,severity,weather,date
CA,3,Clear,2024-01-01
TX,2,Rain,2024-01-02
NY,4,Snow,2024-01-03
CA,1,Clear,2024-01-04
TX,3,Fog,2024-01-05
"""
BY_WEATHER = {"Clear": 2.0, "Fog": 3.0, "Rain": 2.0, "Snow": 4.0}
F5 = "analyze fatal injury variations across weather conditions"
FATAL_CRASHES = "number of rows by weather_condition, largest first, where injuries_fatal is greater than 0"


def new_runtime(folder: Path, registry: Path | None = None) -> Runtime:
    overrides = {"registry.path": registry or folder / "registry"}
    return build(load_settings(project=folder, environment={}, overrides=overrides).values)


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    """Return a product of its own with an empty registry."""
    return new_runtime(tmp_path)


@pytest.fixture
def accidents(runtime: Runtime, tmp_path: Path) -> DataRef:
    """Return seed 000's five rows, as a file."""
    path = tmp_path / "accidents.csv"
    path.write_text(ACCIDENTS)
    return runtime.reference(str(path))


@dataclass(frozen=True)
class Desk:
    """A product with the crash frame on it."""

    runtime: Runtime
    data: DataRef

    def ask(self, question: str) -> Card:
        """Ask and return the card."""
        return staged(self.runtime.ask(question, self.data))


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Return a desk that the tests of this module share; none of them keeps a tool."""
    runtime = new_runtime(tmp_path_factory.mktemp("desk"))
    return Desk(runtime, runtime.reference("crashes", crashes()))


@pytest.fixture(scope="module")
def fatal_card(desk: Desk) -> Card:
    """Return the answer to F5, asked once."""
    return desk.ask(F5)


def staged(outcome: flow.Staged | flow.Reused) -> Card:
    assert isinstance(outcome, flow.Staged)
    return outcome.card


def figures(card: Card) -> dict[Any, Any]:
    """Return the last column of a card's table by the first."""
    return {row[0]: row[-1] for row in card.table.rows}


def keep(runtime: Runtime, card: Card) -> Card:
    return runtime.answer(card.card_id, card.fingerprint, "registration", "approve", None)


@dataclass(frozen=True)
class Waiting:
    """A product whose registry holds one card that waits, and the table it was asked of."""

    runtime: Runtime
    card: Card
    data: DataRef


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Waiting:
    """Return the answer to one question about seed 000's five rows, asked once."""
    folder = tmp_path_factory.mktemp("asked")
    (folder / "accidents.csv").write_text(ACCIDENTS)
    runtime = new_runtime(folder)
    data = runtime.reference(str(folder / "accidents.csv"))
    return Waiting(runtime, staged(runtime.ask("average severity by weather", data)), data)


@pytest.fixture
def waiting(asked: Waiting, tmp_path: Path) -> Waiting:
    """Return a copy of that registry, to decide in."""
    shutil.copytree(asked.runtime.registry.root, tmp_path / "registry")
    return replace(asked, runtime=new_runtime(tmp_path))


# ── golden numbers ───────────────────────────────────────────────────────────


def test_fatal_injuries_are_added_up_and_neither_rows_nor_crashes_are_counted(fatal_card: Card) -> None:
    assert fatal_card.reading == "sum of injuries_fatal by weather_condition, largest first"
    assert figures(fatal_card) == {name: totals.deaths for name, totals in WEATHER.items()}
    assert sum(figures(fatal_card).values()) == 389
    assert fatal_card.sound
    assert fatal_card.evidence_sentence == (
        "389 = column total. 209,305 of 209,306 rows used, 1 without `weather_condition`. "
        "Checked two ways (pandas, SQL): equal. Data unchanged."
    )


def test_the_other_readings_of_fatal_injuries_are_offered_beside_it(fatal_card: Card) -> None:
    offered = {chip.reading for chip in fatal_card.chips if not chip.chosen}

    assert {"mean of injuries_fatal by weather_condition, largest first", FATAL_CRASHES} <= offered


def test_another_reading_takes_the_place_of_the_card(desk: Desk) -> None:
    card = desk.ask(F5)

    picked = desk.runtime.pick(card.card_id, FATAL_CRASHES)

    assert {name: count for name, count in figures(picked).items() if count} == {
        name: totals.fatal_crashes for name, totals in WEATHER.items() if totals.fatal_crashes
    }
    assert sum(figures(picked).values()) == 351
    assert picked.sound
    assert picked.question == F5
    assert desk.runtime.card(card.card_id).status is ToolStatus.REJECTED
    with pytest.raises(DecisionError, match=r"`median` is no reading of this card\. Readings to pick: "):
        desk.runtime.pick(picked.card_id, "median")


def test_injuries_by_traffic_control_device_have_the_published_totals(desk: Desk) -> None:
    card = desk.ask("compare injuries by traffic control device")

    assert figures(card) == {name: totals.total for name, totals in DEVICES.items()}
    assert card.evidence_sentence.startswith("80,105 = column total. 209,306 of 209,306 rows used.")
    assert card.sound


def test_a_column_that_is_not_there_is_not_invented_and_the_nearest_is_offered(desk: Desk) -> None:
    before = desk.runtime.registry.candidates()

    with pytest.raises(NotUnderstood, match=r"`severity`.*`most_severe_injury`"):
        desk.runtime.ask("Analyze traffic accidents by severity", desk.data)

    assert desk.runtime.registry.candidates() == before


def test_a_column_whose_name_stands_twice_is_not_chosen_for_the_person(runtime: Runtime, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("price,shop,price\n1,A,2\n3,B,4\n")
    data = runtime.reference(str(tmp_path / "t.csv"))

    with pytest.raises(DataError, match=r"2 columns named `price`.*Rename them"):
        runtime.ask("average price", data)
    assert staged(runtime.ask("how many rows by shop", data)).table.rows == (("A", 1), ("B", 1))


def test_whole_numbers_that_a_float_cannot_hold_travel_as_text(runtime: Runtime, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("shop,views\nA,9007199254740993\nB,2\n")
    data = runtime.reference(str(tmp_path / "t.csv"))

    card = staged(runtime.ask("total views by shop", data))
    keep(runtime, card)
    called = runtime.call_tool(card.tool_name, {"file_path": data.path})

    assert dict(card.table.rows) == {"A": "9007199254740993", "B": 2}
    assert [row["sum_views"] for row in called.structured["rows"]] == ["9007199254740993", 2]
    assert "9007199254740993" in called.text


def test_a_test_without_its_columns_is_answered_with_a_question_that_lists_them(desk: Desk) -> None:
    question = (
        "Run ANOVA across groups, then perform a Tukey HSD post-hoc (multiple-comparisons correction required) "
        "and report adjusted p-values and effect sizes."
    )
    before = desk.runtime.registry.candidates()

    with pytest.raises(NotUnderstood, match=r"which number and groups\?.*Columns of groups: .*`weather_condition`"):
        desk.runtime.ask(question, desk.data)

    assert desk.runtime.registry.candidates() == before


def test_what_nothing_here_computes_is_recorded_as_missing_and_nothing_runs_in_its_place(desk: Desk) -> None:
    question = "Cluster the crashes by damage"
    before = desk.runtime.registry.candidates()

    with pytest.raises(NotUnderstood, match=r"cannot compute clusters"):
        desk.runtime.ask(question, desk.data)

    assert desk.runtime.registry.candidates() == before
    entry = desk.runtime.registry.audit.entries()[-1]
    assert entry.action == "MISSING_CAPABILITY"
    assert question in (entry.notes or "")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Show me the top 10 states by accident count", {"CA": 2, "TX": 2, "NY": 1}),
        ("Calculate average severity by weather condition", BY_WEATHER),
        ("Filter accidents where severity > 3 and show count by state", {"NY": 1}),
    ],
)
def test_the_seeds_sample_questions_have_their_published_answers(
    runtime: Runtime, accidents: DataRef, question: str, rows: dict[str, float]
) -> None:
    card = staged(runtime.ask(question, accidents))

    assert figures(card) == rows
    assert card.sound


# ── a decision ───────────────────────────────────────────────────────────────


def test_a_question_becomes_a_tool_that_gives_the_same_numbers_and_can_be_taken_back(
    runtime: Runtime, accidents: DataRef
) -> None:
    events: list[Event] = []
    runtime.listeners.append(events.append)
    card = staged(runtime.ask("average severity by weather", accidents))
    assert (card.status, card.sound, runtime.active()) == (ToolStatus.STAGED, True, ())
    hops = [event.stage.value for event in events if isinstance(event, StageFinished)]
    assert hops == ["intent", "gap", "spec", "code", "validate", "trial", "present"]

    accepted = runtime.answer(card.card_id, card.fingerprint, "output", "yes, looks good!", None)
    assert (accepted.status, accepted.feedback.output) == (ToolStatus.STAGED, OutputVerdict.ACCEPTED)
    assert runtime.active() == ()

    kept = keep(runtime, card)
    assert (kept.status, kept.feedback.decision) == (ToolStatus.PROMOTED, Decision.APPROVED)
    assert [tool.name for tool in runtime.active()] == [card.tool_name]
    assert events[-1].kind == "registry_changed"

    answer = runtime.call_tool(card.tool_name, {"file_path": accidents.path})
    assert not answer.failed
    assert {row["weather"]: row["mean_severity"] for row in answer.structured["rows"]} == BY_WEATHER
    assert answer.structured["rows_in"] == 5
    frame = runtime.run_tool(card.tool_name, accidents, {"group_by_columns": ["state"]})
    assert dict(zip(frame["state"], frame["mean_severity"], strict=True)) == {"CA": 2.0, "NY": 4.0, "TX": 2.5}
    assert frame.attrs["mcpgen"]["version"] == "1.0.0"

    with pytest.raises(AlreadyDecided, match="already promoted"):
        runtime.answer(card.card_id, card.fingerprint, "output", "no", None)

    undone = runtime.undo(card.card_id)
    assert (undone.status, runtime.active()) == (ToolStatus.STAGED, ())
    with pytest.raises(UnknownTool, match=card.tool_name):
        runtime.call_tool(card.tool_name, {"file_path": accidents.path})
    assert keep(runtime, undone).status is ToolStatus.PROMOTED


def test_a_question_that_is_asked_again_before_a_decision_has_one_card(runtime: Runtime, accidents: DataRef) -> None:
    first = staged(runtime.ask("average severity by weather", accidents))
    runtime.conversation.clear()

    again = staged(runtime.ask("average severity by weather", accidents))
    Path(accidents.path).write_text(ACCIDENTS + "TX,5,Fog,2024-01-06\n")
    changed = staged(runtime.ask("average severity by weather", accidents))

    assert again == first
    assert changed.card_id != first.card_id
    assert figures(changed)["Fog"] == 4.0
    assert len(runtime.registry.staged()) == 2


def test_a_rejected_tool_is_archived_with_the_reason_and_cannot_be_called(waiting: Waiting) -> None:
    runtime, card = waiting.runtime, waiting.card

    rejected = runtime.answer(card.card_id, card.fingerprint, "registration", "reject", "should be the median")

    assert (rejected.status, rejected.feedback.notes) == (ToolStatus.REJECTED, "should be the median")
    assert (runtime.active(), runtime.registry.staged()) == ((), ())
    assert rejected.table == card.table
    with pytest.raises(AlreadyDecided, match="already rejected"):
        keep(runtime, card)


def test_an_output_that_is_called_wrong_is_never_kept(waiting: Waiting) -> None:
    runtime, card = waiting.runtime, waiting.card

    wrong = runtime.answer(card.card_id, card.fingerprint, "output", "no, that is not it", None)

    assert (wrong.status, wrong.feedback.output) == (ToolStatus.REJECTED, OutputVerdict.REJECTED)
    with pytest.raises(AlreadyDecided):
        keep(runtime, card)


def test_only_the_clear_word_keeps_a_tool_and_only_for_what_was_shown(waiting: Waiting) -> None:
    runtime, card = waiting.runtime, waiting.card

    for words in ("", "yes", "ship it", "looks good", "I approve", "ok"):
        assert runtime.answer(card.card_id, card.fingerprint, "registration", words, None).status is ToolStatus.STAGED
    with pytest.raises(StaleApproval, match="not the ones that were shown"):
        runtime.answer(card.card_id, "0" * 64, "registration", "approve", None)

    assert runtime.active() == ()
    assert keep(runtime, card).status is ToolStatus.PROMOTED


def test_staged_files_that_were_changed_are_not_kept(waiting: Waiting) -> None:
    runtime, card = waiting.runtime, waiting.card
    folder = runtime.registry.root / runtime.registry.candidate(card.card_id).package_path
    tool = folder / "tool.py"
    tool.write_text(tool.read_text().replace('"mean"', '"max"'))

    with pytest.raises(DecisionError):
        keep(runtime, card)

    assert runtime.active() == ()


# ── a tool that exists ───────────────────────────────────────────────────────


def test_a_question_of_the_same_family_is_answered_by_the_tool_that_exists(waiting: Waiting) -> None:
    runtime, first, accidents = waiting.runtime, waiting.card, waiting.data
    keep(runtime, first)

    same = runtime.ask("average severity by weather", accidents)
    other = runtime.ask("average severity by state", accidents)
    another = runtime.ask("maximum severity by state", accidents)

    assert isinstance(same, flow.Reused)
    assert same.trial.table == first.table
    assert isinstance(other, flow.Reused)
    assert other.reuse.tool.name == first.tool_name
    assert {row[0]: row[1] for row in other.trial.table.rows} == {"CA": 2.0, "NY": 4.0, "TX": 2.5}
    assert is_sound(other.trial.evidence)
    assert isinstance(another, flow.Staged)


def test_a_name_that_is_taken_is_refused_and_the_one_that_has_it_stays(runtime: Runtime, accidents: DataRef) -> None:
    card = staged(runtime.ask("average severity by weather", accidents, name="severity"))

    with pytest.raises(NameTaken, match="`severity` belongs to another tool"):
        runtime.ask("count by state", accidents, name="severity")
    with pytest.raises(NameTaken, match="`execute_code` cannot be the name of a tool"):
        runtime.ask("count by state", accidents, name="execute_code")

    assert [candidate.spec.tool_name for candidate in runtime.registry.staged()] == ["severity"]
    assert keep(runtime, card).tool_name == "severity"


# ── faults ───────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class FaultyAuthor:
    """An author whose code is not what its contract says."""

    replaced: str
    by: str
    honest: EmbeddedAuthor = field(default_factory=EmbeddedAuthor)
    name: str = "faulty"

    def understand(self, request: Request, profile: Profile, other: Profile | None = None) -> Intent:
        """Read a request honestly."""
        return self.honest.understand(request, profile, other)

    def specify(self, intent: Intent, taken: Set[str], name: str | None = None) -> Contract:
        """Promise the right thing."""
        return self.honest.specify(intent, taken, name)

    def write(self, contract: Contract) -> Package:
        """Write something else."""
        package = self.honest.write(contract)
        assert self.replaced in package.code
        return Package(files={**package.files, "tool.py": package.code.replace(self.replaced, self.by)})


def ask_faulty(runtime: Runtime, data: DataRef, replaced: str, by: str) -> Card:
    services = replace(runtime.services, author=FaultyAuthor(replaced, by))
    request = Request(request_id="r", question="average severity by weather", data=data, asked_at="2026-01-22T10:00:00")
    return staged(flow.ask(request, services))


@pytest.mark.parametrize(
    ("replaced", "by"),
    [
        ('(value_column, "mean")', '(value_column, "median")'),
        ('(value_column, "mean")', '(value_column, "sum")'),
        ("df.groupby", "df.head(4).groupby"),
        ("ignore_index=True)", "ignore_index=True).head(2)"),
        ("analyze(df, ", "analyze(df.dropna(), "),
    ],
    ids=["median for mean", "sum for mean", "a row lost", "groups lost", "rows without a value lost"],
)
def test_a_tool_that_computes_something_else_is_shown_and_cannot_be_kept(
    runtime: Runtime, accidents: DataRef, replaced: str, by: str
) -> None:
    card = ask_faulty(runtime, accidents, replaced, by)

    assert not card.sound
    failed = [item.sentence for item in card.evidence if item.verdict is Verdict.FAILED]
    assert failed
    with pytest.raises(UnsoundApproval, match=r"cannot be approved: .*Reject it with a reason, or ask again"):
        keep(runtime, card)
    assert runtime.active() == ()
    assert runtime.card(card.card_id).status is ToolStatus.STAGED


def test_a_kept_tool_refuses_a_table_beyond_the_limits(waiting: Waiting, tmp_path: Path) -> None:
    card, many = waiting.card, tmp_path / "many.csv"
    keep(waiting.runtime, card)
    many.write_text(ACCIDENTS + "NV,1,Rain,2024-01-06\n")
    overrides = {"registry.path": waiting.runtime.registry.root, "sandbox.max_rows": 5}
    small = build(load_settings(project=tmp_path, environment={}, overrides=overrides).values)

    allowed = small.call_tool(card.tool_name, {"file_path": waiting.data.path})

    assert not allowed.failed
    with pytest.raises(DataTooLarge, match=r"`many.csv` has 6 rows and 4 columns; the limits are 5 and 10,000"):
        small.call_tool(card.tool_name, {"file_path": str(many)})
    with pytest.raises(DataTooLarge):
        small.run_tool(card.tool_name, small.reference(str(many)), {})


def test_a_tool_whose_answer_hangs_on_the_order_of_a_set_cannot_be_kept(runtime: Runtime, accidents: DataRef) -> None:
    letters = "{''.join(set('abcdefghijkl'))}"  # the table is right, and what is said of it differs

    card = ask_faulty(runtime, accidents, 'f"value_column: {value_column}"', f'f"value_column: {letters}"')

    failed = [item for item in card.evidence if item.verdict is Verdict.FAILED]
    assert [item.check for item in failed] == ["repeatable"]
    assert "with another hash seed, gave something else: on the generated table `typical`" in failed[0].sentence
    assert [(found.gate, found.rule) for found in card.findings] == [("behaviour", "not-repeatable")]
    assert not card.sound
    with pytest.raises(UnsoundApproval, match="another hash seed"):
        keep(runtime, card)


def test_code_that_a_gate_refuses_is_shown_and_never_run(runtime: Runtime, accidents: DataRef, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    code = f'import os\n\nos.system("touch {canary}")\n\nimport pandas as pd'

    card = ask_faulty(runtime, accidents, "import pandas as pd", code)

    assert not card.sound
    assert "os.system" in card.code
    assert any(finding.gate == "policy" and "os" in finding.message for finding in card.findings)
    assert "so it was not run" in card.evidence_sentence
    assert not canary.exists()
    with pytest.raises(UnsoundApproval):
        keep(runtime, card)


def test_a_tool_that_fails_on_the_data_is_shown_with_the_reason(runtime: Runtime, accidents: DataRef) -> None:
    card = ask_faulty(runtime, accidents, "df.groupby", "df.missing.groupby")

    assert not card.sound
    assert "AttributeError" in card.evidence_sentence
    with pytest.raises(UnsoundApproval):
        keep(runtime, card)


def test_an_active_tool_says_why_it_gave_no_result(waiting: Waiting, tmp_path: Path) -> None:
    runtime, card, accidents = waiting.runtime, waiting.card, waiting.data
    keep(runtime, card)
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")

    answer = runtime.call_tool(card.tool_name, {"file_path": str(tmp_path / "other.csv")})

    assert answer.failed
    assert "no column `severity`" in answer.text
    with pytest.raises(ToolFailed, match=r"no column `wether`.*did you mean `weather`"):
        runtime.run_tool(card.tool_name, accidents, {"group_by_columns": ["wether"]})
    with pytest.raises(ToolFailed, match="must be a list of at least 1 column"):
        runtime.run_tool(card.tool_name, accidents, {"group_by_columns": "weather"})


# ── bad input ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "content", "error", "message"),
    [
        ("empty.csv", b"", EmptyData, "`.*empty.csv` is empty"),
        ("binary.csv", b"\x00\x01\x02", UnreadableData, "cannot be read as a table: it is a binary file"),
        ("broken.parquet", b"PAR1nonsense", UnreadableData, "cannot be read as a table"),
        ("broken.json", b"{", UnreadableData, "cannot be read as a table: it is not valid JSON"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_the_reason(
    runtime: Runtime, tmp_path: Path, name: str, content: bytes, error: type[Exception], message: str
) -> None:
    (tmp_path / name).write_bytes(content)

    with pytest.raises(error, match=message):
        runtime.reference(str(tmp_path / name))


def test_a_file_that_is_not_there_is_named_with_the_nearest_one(runtime: Runtime, accidents: DataRef) -> None:
    with pytest.raises(UnknownData, match=r"no file named `.*acidents.csv`\. Did you mean `.*accidents.csv`\?"):
        runtime.reference(accidents.path.replace("accidents", "acidents"))


def test_a_file_that_vanished_since_it_was_named_is_said_to_be_gone(runtime: Runtime, accidents: DataRef) -> None:
    Path(accidents.path).unlink()

    with pytest.raises(UnknownData, match=r"no file named `accidents.csv`"):
        runtime.ask("average severity by weather", accidents)


def test_a_table_with_a_header_and_no_rows_has_an_answer(runtime: Runtime, tmp_path: Path) -> None:
    (tmp_path / "none.csv").write_text("state,weather\n")

    card = staged(runtime.ask("count by state", runtime.reference(str(tmp_path / "none.csv"))))

    assert (card.table.rows, card.sound) == ((), True)


def test_a_question_about_a_column_that_does_not_exist_names_it(runtime: Runtime, accidents: DataRef) -> None:
    with pytest.raises(NotUnderstood, match="`zorps`"):
        runtime.ask("average zorps by weather", accidents)

    assert runtime.registry.candidates() == ()


def test_hostile_names_and_values_are_data(runtime: Runtime) -> None:
    frame = pd.DataFrame(
        {
            'weather"""; import os #': ["'; drop table t; --", '"""', "{x}", '"""'],
            "amount": [1, 2, 3, 4],
        }
    )
    data = runtime.reference("hostile", frame)

    card = staged(runtime.ask("sum of amount by weather import os", data))

    assert card.sound, card.evidence_sentence
    assert figures(card) == {'"""': 6, "{x}": 3, "'; drop table t; --": 1}
    assert keep(runtime, card).status is ToolStatus.PROMOTED


def test_a_registry_that_cannot_be_written_is_named_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "accidents.csv").write_text(ACCIDENTS)
    runtime = new_runtime(tmp_path, tmp_path / "file" / "registry")

    with pytest.raises(RegistryReadOnly, match=r"cannot be written .*MCPGEN_REGISTRY__PATH"):
        runtime.ask("average severity by weather", runtime.reference(str(tmp_path / "accidents.csv")))

    assert (tmp_path / "file").read_text() == "mine"


def test_a_broken_list_of_tools_is_named_left_alone_and_can_be_rebuilt(waiting: Waiting) -> None:
    runtime, card, accidents = waiting.runtime, waiting.card, waiting.data
    keep(runtime, card)
    listed = runtime.registry.root / "active/metadata.json"
    listed.write_text("{ broken")

    with pytest.raises(CorruptRegistry, match=r"active/metadata\.json.*left untouched.*rebuild"):
        runtime.ask("average severity by weather", accidents)

    assert listed.read_text() == "{ broken"
    runtime.registry.rebuild()
    assert isinstance(runtime.ask("average severity by weather", accidents), flow.Reused)
    assert runtime.card(card.card_id).status is ToolStatus.PROMOTED
