"""A desk for the browser tests: cards in a folder of JSON files, decided as the real runtime decides."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from IPython.display import display

from jupyter_mcpgen.errors import AlreadyDecided, UnknownCandidate
from jupyter_mcpgen.lab.channel import Channel
from jupyter_mcpgen.lab.clerk import DeskClerk
from jupyter_mcpgen.lab.mime import bundle
from jupyter_mcpgen.model.answer import RowsBehind
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card, CardDecision, Chip, StageTime
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.diff import Diff as Diff
from jupyter_mcpgen.model.feedback import Decision, Face, OutputVerdict, read_decision, read_output_verdict
from jupyter_mcpgen.model.file_preview import FilePreview
from jupyter_mcpgen.model.parts import PartChoices
from jupyter_mcpgen.model.plain_code import PlainCode
from jupyter_mcpgen.model.question import QuestionBack
from jupyter_mcpgen.model.request import ReadOptions
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.model.spec import ToolParameter
from jupyter_mcpgen.model.validation import Evidence, Place, Verdict
from jupyter_mcpgen.pipeline.course import Course
from jupyter_mcpgen.pipeline.draft import Staged
from jupyter_mcpgen.pipeline.explain import Explained
from jupyter_mcpgen.pipeline.results import Results
from jupyter_mcpgen.pipeline.trial import table_of
from jupyter_mcpgen.toolkit.charts import vega_lite_chart

_WEATHER = [("CLEAR", 271), ("RAIN", 63), ("CLOUDY", 29), ("SNOW", 14), ("FOG/SMOKE/HAZE", 8), ("SLEET", 4)]

CODE = '''\
@mcp.tool()
def sum_by_group(
    data: Annotated[str, Field(description="Path of the table to read.")],
    value: Annotated[str, Field(description="The column to add up.")] = "injuries_fatal",
    by: Annotated[str, Field(description="The column to group by.")] = "weather_condition",
) -> str:
    """Add up a column per group."""
    frame = load_csv_data_with_types(data)
    result = frame.groupby(by, as_index=False)[value].sum().sort_values(value, ascending=False)
    return Report(result).render()
'''


class FolderDesk:
    """Cards by id, one file each, so that they outlive the kernel."""

    def __init__(self, folder: Path = Path("cards")) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)

    def card(self, card_id: str) -> Card:
        """Return a card as it stands now."""
        path = self.folder / f"{card_id}.json"
        if not path.exists():
            raise UnknownCandidate(card_id)
        return Card.model_validate_json(path.read_text())

    def question(self, question_id: str) -> QuestionBack:
        """Hold no question open."""
        raise UnknownCandidate(question_id)

    def choices(self, card_id: str, key: str) -> PartChoices:
        """Have no parts to change."""
        raise UnknownCandidate(card_id)

    def adjust(self, card_id: str, parts: Mapping[str, Sequence[str]], course: Course | None = None) -> Staged:
        """Have no parts to change."""
        raise UnknownCandidate(card_id)

    def preview_file(
        self, card_id: str, options: ReadOptions | None = None, sheet: str | None = None, *, is_other: bool = False
    ) -> FilePreview:
        """Have no files to look into."""
        raise UnknownCandidate(card_id)

    def read_file_so(
        self,
        card_id: str,
        options: ReadOptions,
        sheet: str | None = None,
        course: Course | None = None,
        *,
        is_other: bool = False,
    ) -> Card:
        """Have no files to read."""
        raise UnknownCandidate(card_id)

    def ask_again(self, asked_id: str, question: str, course: Course | None = None) -> Card:
        """Have no tables to ask about."""
        raise UnknownCandidate(asked_id)

    def keep(self, card: Card) -> Card:
        """Write a card down."""
        (self.folder / f"{card.card_id}.json").write_text(card.model_dump_json())
        return card

    def answer(
        self,
        card_id: str,
        fingerprint: str,
        step: str,
        answer: str,
        notes: str | None,
        confirmed: Collection[Confirms] = (),
        face: Face = Face.NOTEBOOK,
    ) -> Card:
        """Decide as the answer says."""
        card = self.card(card_id)
        if card.status is not ToolStatus.STAGED:
            raise AlreadyDecided(card.tool_name, card.status)
        assert fingerprint == card.fingerprint
        if step == "output":
            said = card.feedback.replace(output=read_output_verdict(answer), notes=notes)
            fine = said.output is OutputVerdict.ACCEPTED
            return self.keep(card.replace(feedback=said, status=card.status if fine else ToolStatus.REJECTED))
        decided = card.feedback.replace(decision=read_decision(answer), notes=notes)
        approved = decided.decision is Decision.APPROVED
        return self.keep(
            card.replace(feedback=decided, status=ToolStatus.PROMOTED if approved else ToolStatus.REJECTED)
        )

    def refined(self, card_id: str) -> Card | None:
        """Make no new answer of a reason."""
        return None

    def undo(self, card_id: str) -> Card:
        """Take a promotion back."""
        return self.keep(self.card(card_id).replace(status=ToolStatus.STAGED, feedback=CardDecision()))

    @property
    def results(self) -> Results:
        """Hold of each result what its card shows."""
        return Results(lambda card: pd.DataFrame(list(card.table.rows), columns=list(card.table.columns)))

    def explain(self, card_id: str, row: int, column: str | None = None) -> Explained:
        """Return two crashes of the weather that was asked for."""
        weather = self.card(card_id).table.rows[row - 1][0]
        rows = pd.DataFrame({"crash": [1, 2], "weather_condition": [weather, weather]})
        return Explained(reading=f"rows, where weather_condition is {weather}", rows=rows)

    def rows_behind(self, card_id: str, row: int) -> RowsBehind:
        """Return them as a page shows them."""
        found = self.explain(card_id, row)
        return RowsBehind(reading=found.reading, table=table_of(found.rows))

    def plain_code(self, card_id: str, variables: Mapping[str, Any]) -> PlainCode:
        """Return how the crashes are added up."""
        return PlainCode(pandas='crashes.groupby("weather_condition").sum()', sql="SELECT 1")

    def look_late(self, card_id: str) -> Card:
        """Find nothing more."""
        return self.card(card_id)

    def pick(self, card_id: str, chip: str, course: Course | None = None) -> Card:
        """Answer in another reading."""
        card = self.card(card_id)
        chips = tuple(one.replace(chosen=one.label == chip) for one in card.chips)
        (reading,) = (one.reading for one in chips if one.chosen)
        changes = {"card_id": f"{card_id}-{chip}", "reading": reading, "chips": chips}
        return self.keep(card.replace(**changes, reused=False, status=ToolStatus.STAGED))


def load() -> FolderDesk:
    """Do what `%load_ext jupyter_mcpgen` does: open the channel of this kernel, once however often it is loaded."""
    desk = FolderDesk()
    if "channel" not in globals():
        server = "no server is running, `serve` starts one"
        globals()["channel"] = Channel(lambda: DeskClerk(lambda: desk, lambda: server, globals()))
    return desk


def show(desk: FolderDesk, card_id: str, **changes: Any) -> None:
    """Stage a card and display it."""
    display(bundle(desk.keep(crash_card(card_id).replace(**changes))), raw=True)


def show_draft(desk: FolderDesk, card_id: str) -> None:
    """Display a card whose code is still being tested, and which no desk holds."""
    card = crash_card(card_id).replace(status=ToolStatus.DRAFT, sound=False)
    display(bundle(card), raw=True, display_id=card_id)


def stage(desk: FolderDesk, card_id: str) -> None:
    """Stage a card, and put it in the place of its draft."""
    display(bundle(desk.keep(crash_card(card_id))), raw=True, display_id=card_id, update=True)


def failed_rows() -> dict[str, Any]:
    """Return the evidence of a card whose rows do not add up."""
    told = "209,304 of 209,306 rows used; the result has other rows."
    first, rows, *others = crash_card("any").evidence
    evidence = (first, rows.replace(verdict=Verdict.FAILED, sentence=told), *others)
    return {"evidence": evidence, "evidence_sentence": told}


def stores(number: int) -> dict[str, Any]:
    """Return the table and the chart of the sales of some stores."""
    rows = tuple((f"a store with the number {place:02}", 1000 - place) for place in range(number))
    table = Table(columns=("store", "sales"), types=("text", "integer"), rows=rows, total_rows=number)
    frame = pd.DataFrame(rows, columns=table.columns)
    return {"table": table, "chart": vega_lite_chart(frame, "bar", "store", "sales")}


def boxes() -> dict[str, Any]:
    """Return the table and the chart of the prices of two regions, each with its quartiles."""
    columns = ("region", "column", "min", "q25", "median", "q75", "max")
    rows = (("north", "price", 1.0, 2.0, 3.0, 5.0, 9.0), ("south", "price", 2.0, 4.0, 6.0, 7.0, 8.0))
    types = ("text", "text", "real", "real", "real", "real", "real")
    table = Table(columns=columns, types=types, rows=rows, total_rows=len(rows))
    return {"table": table, "chart": vega_lite_chart(pd.DataFrame(rows, columns=columns), "box", "region", "region")}


def _passed(check: str, sentence: str, place: Place) -> Evidence:
    return Evidence(check=check, verdict=Verdict.PASSED, sentence=sentence, place=place)


def crash_card(card_id: str) -> Card:
    """Make the card of the crash question, with a chart and a full set of checks."""
    rows = tuple(_WEATHER)
    return Card(
        card_id=card_id,
        tool_name="sum_by_group",
        version="1.0.0",
        fingerprint="3f5e" * 16,
        question="how do fatal injuries vary by weather in crashes",
        data_name="crashes",
        reading="sum of injuries_fatal by weather_condition",
        chips=(
            Chip(label="sum", reading="sum of injuries_fatal by weather_condition", chosen=True),
            Chip(label="count of crashes", reading="count of crashes by weather_condition"),
            Chip(label="mean", reading="mean of injuries_fatal by weather_condition"),
        ),
        status=ToolStatus.STAGED,
        sound=True,
        table=Table(
            columns=("weather_condition", "injuries_fatal"), types=("text", "integer"), rows=rows, total_rows=len(rows)
        ),
        chart={
            "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
            "data": {"values": [{"weather_condition": name, "injuries_fatal": total} for name, total in rows]},
            "mark": "bar",
            "encoding": {
                "y": {"field": "weather_condition", "type": "nominal", "sort": "-x", "title": None},
                "x": {"field": "injuries_fatal", "type": "quantitative"},
            },
        },
        evidence_sentence=(
            "Calculation checked: pandas and SQL agree. 209,305 of 209,306 rows used. 389 = column total."
        ),
        read_by="Read by the planner: is this what you meant?",
        evidence=(
            _passed("two_ways", "Calculation checked: pandas and SQL agree.", Place.LINE),
            _passed("rows", "209,305 of 209,306 rows used.", Place.LINE),
            _passed("total_injuries_fatal", "389 = column total.", Place.LINE),
            _passed("left_out", "1 row without weather was left out.", Place.NOTE),
            _passed("generated_tables", "Passed 10 edge-case tables (empty, missing values, ties…).", Place.FOLDED),
            _passed("repeatable", "Ran again in a fresh process: same result.", Place.FOLDED),
            Evidence(check="zones", verdict=Verdict.NOT_APPLICABLE, sentence="No total exists for a time zone."),
        ),
        assumptions=("An empty injuries_fatal counts as 0.",),
        limitations=("Says nothing about how often each weather occurs.",),
        code=CODE,
        signature="sum_by_group(data: str, value: str = 'injuries_fatal', by: str = 'weather_condition') -> str",
        parameters=(
            ToolParameter(name="data", type="str", description="Path of the table to read."),
            ToolParameter(
                name="value",
                type="str",
                description="The column to add up.",
                required=False,
                default="injuries_fatal",
            ),
            ToolParameter(
                name="by",
                type="str",
                description="The column to group by.",
                required=False,
                default="weather_condition",
            ),
        ),
        capabilities=("cap:files.read",),
        sandbox="level 2: Landlock + seccomp + limits, no network",
        stages=tuple(
            StageTime(stage=stage, milliseconds=spent)
            for stage, spent in (("intent", 11.2), ("spec", 2.1), ("code", 1.4), ("validate", 640.0), ("trial", 210.0))
        ),
        created_at="2026-11-20T10:00:00Z",
    )
