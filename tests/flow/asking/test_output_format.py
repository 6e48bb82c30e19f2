"""A result is given in the form that was asked for, and its record says how it was made."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jupyter_mcpgen.card_text import markdown, plain
from jupyter_mcpgen.cli import main
from jupyter_mcpgen.model.intent import OutputFormat
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import ACCIDENTS, BY_WEATHER, Waiting, figures, shown, staged
from tests.products import own_place

QUESTION = "average severity by weather"
ROWS = [{"weather": name, "mean_severity": mean} for name, mean in BY_WEATHER.items()]


def test_an_answer_as_json_is_the_same_answer(runtime: Runtime, accidents: DataRef) -> None:
    table, card = (shown(runtime, runtime.compute(f"{QUESTION}{form}", accidents)) for form in ("", " as JSON"))

    assert (card.reading, card.tool_name, figures(card)) == (table.reading, table.tool_name, BY_WEATHER)
    assert sorted(json.loads(card.text), key=lambda row: row["weather"]) == ROWS
    assert table.text == ""
    for said in (plain(card), markdown(card)):
        assert card.text in said


@pytest.mark.soak
@pytest.mark.ungated
def test_another_reading_keeps_the_form(runtime: Runtime, accidents: DataRef) -> None:
    card = staged(runtime.ask("how does severity vary by weather as markdown", accidents))

    other = runtime.pick(card.card_id, card.chips[0].label)

    assert other.reading != card.reading
    assert other.text.startswith("| weather |")


def test_a_terminal_prints_json_that_the_next_program_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "accidents.csv").write_text(ACCIDENTS)

    with own_place(tmp_path, gates=False):
        assert main(["ask", f"{QUESTION} as JSON", "accidents.csv"]) == 0

    said = capsys.readouterr().out
    read, _ = json.JSONDecoder().raw_decode(said[said.index("[\n") :])
    assert sorted(read, key=lambda row: row["weather"]) == ROWS


def test_the_record_of_a_run_says_what_the_answer_assumes_and_how_long_it_took(
    asked: Waiting,
) -> None:
    card = asked.card
    candidate = asked.runtime.registry.candidate(card.card_id)

    ran = candidate.run_artifacts
    assert ran is not None
    assert (ran.metadata["assumptions"], ran.metadata["limitations"]) == (
        list(card.assumptions),
        list(card.limitations),
    )
    assert card.ran.startswith("Ran over 5 rows in ")
    assert card.ran in plain(card)


def test_the_contract_on_disk_has_the_annotation_of_each_parameter(
    asked: Waiting,
) -> None:
    candidate = asked.runtime.registry.candidate(asked.card.card_id)

    (spec,) = asked.runtime.registry.root.glob(f"staging/candidates/{asked.card.card_id}*/spec.json")

    written = json.loads(spec.read_text())["parameters"]
    assert [each["annotation"] for each in written] == [each.annotation for each in candidate.spec.parameters]
    assert written[0]["annotation"].startswith("Annotated[str, Field(description=")


def test_an_intent_says_the_form(runtime: Runtime, accidents: DataRef) -> None:
    computed = runtime.compute(f"{QUESTION} as JSON", accidents)

    assert computed.intent.output_format is OutputFormat.JSON
