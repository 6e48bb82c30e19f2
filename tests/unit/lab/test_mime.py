"""What a page without the extension, a terminal and the saved notebook show."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from io import StringIO

import pytest
from rich.console import Console

from jupyter_mcpgen.card_text import html, markdown, plain
from jupyter_mcpgen.cli.terminal import print_answer, print_card
from jupyter_mcpgen.lab.messages import CARD_MIME
from jupyter_mcpgen.lab.mime import bundle
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.card import Card, CardDecision, Chip
from jupyter_mcpgen.model.diff import Diff
from jupyter_mcpgen.model.feedback import OutputVerdict
from jupyter_mcpgen.model.run import Table
from jupyter_mcpgen.model.validation import TWO_WAYS, Verdict
from jupyter_mcpgen.pipeline.present import evidence_sentence
from tests.lab.desk import crash_card


def print_in_a_terminal(card: Card) -> str:
    """Return what a terminal shows of the answer."""
    written = StringIO()
    print_answer(card, Console(file=written, width=200))
    return written.getvalue()


def print_whole_in_a_terminal(card: Card) -> str:
    """Return what a terminal shows of the card."""
    written = StringIO()
    print_card(card, Console(file=written, width=200))
    return written.getvalue()


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> `|*[a](javascript:b)\n\n# c"


class Tags(HTMLParser):
    """The tags of a page and whether they are balanced."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag and its attributes."""
        self.seen |= {tag, *(name for name, _ in attrs)}
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the innermost tag."""
        assert self.open.pop() == tag


def hostile_card() -> Card:
    card = crash_card("h")
    return card.replace(
        question=HOSTILE,
        reading=HOSTILE,
        evidence_sentence=HOSTILE,
        evidence=tuple(one.replace(sentence=HOSTILE) for one in card.evidence),
        assumptions=(HOSTILE,),
        limitations=(HOSTILE,),
        chips=(Chip(label=HOSTILE, reading=HOSTILE),),
        code=HOSTILE,
        table=Table(columns=(HOSTILE,), types=("text",), rows=((HOSTILE,),), total_rows=1),
        status=ToolStatus.REJECTED,
        diff=next_version(HOSTILE, "```\n" + HOSTILE),
        feedback=CardDecision(notes=HOSTILE),
    )


def next_version(sentence: str, code: str) -> Diff:
    """Return what a next version changes."""
    return Diff(
        tool_name="sum_by_group",
        before="1.0.0",
        before_fingerprint="0" * 64,
        after="1.0.1",
        summary=sentence,
        contract=(sentence,),
        result="On `crashes` the result is the same as that of v1.0.0 (7 rows).",
        code=code,
    )


def test_the_bundle_carries_the_card_and_three_fallbacks() -> None:
    card = crash_card("a")

    shown = bundle(card)

    assert set(shown) == {CARD_MIME, "text/html", "text/markdown", "text/plain"}
    assert Card.model_validate(shown[CARD_MIME]) == card


@pytest.mark.parametrize("render", [html, markdown, plain])
@pytest.mark.parametrize("verdict", [Verdict.PASSED, Verdict.FAILED])
def test_every_check_is_said_once(render: Callable[[Card], str], verdict: Verdict) -> None:
    card = crash_card("a")
    first, *others = card.evidence
    evidence = (first.replace(verdict=verdict), *others)
    card = card.replace(evidence=evidence, evidence_sentence=evidence_sentence(evidence))

    said = render(card)

    assert [item.sentence for item in evidence if said.count(item.sentence) != 1] == []
    assert said.count("✗") == (verdict is Verdict.FAILED)


@pytest.mark.parametrize("render", [html, markdown, plain])
def test_who_read_the_question_is_asked_about_until_somebody_said_that_it_is_right(
    render: Callable[[Card], str],
) -> None:
    card = crash_card("a")
    accepted = card.replace(feedback=CardDecision(output=OutputVerdict.ACCEPTED))

    assert "Read by the planner: is this what you meant?" in render(card)
    assert "Read by the planner" not in render(accepted)


@pytest.mark.parametrize("render", [html, markdown, plain, print_whole_in_a_terminal])
def test_the_card_of_a_next_version_says_what_changes_with_its_code(render: Callable[[Card], str]) -> None:
    diff = next_version("v1.0.1 takes the place of v1.0.0.", "-    return table.sum()\n+    return table.mean()\n")

    said = render(crash_card("a").replace(diff=diff))

    assert "What changes from v1.0.0" in said
    assert "v1.0.1 takes the place of v1.0.0." in said
    assert "the result is the same as that of v1.0.0 (7 rows)." in said
    assert "-    return table.sum()" in said
    assert "+    return table.mean()" in said
    assert "What changes" not in render(crash_card("a"))


@pytest.mark.parametrize("render", [html, markdown, plain, print_in_a_terminal])
def test_a_calculation_that_nothing_checked_is_not_marked_with_a_tick(render: Callable[[Card], str]) -> None:
    card = crash_card("a")
    line = card.evidence_sentence
    unchecked = card.replace(
        evidence=tuple(
            one.replace(verdict=Verdict.NOT_APPLICABLE) if one.check == TWO_WAYS else one for one in card.evidence
        )
    )

    assert f"✓ {line[:20]}" in render(card)
    assert f"– {line[:20]}" in render(unchecked)
    assert f"✓ {line[:20]}" not in render(unchecked)


def test_hostile_text_is_text_in_html() -> None:
    tags = Tags(html(hostile_card()))

    assert tags.open == []
    assert tags.seen.isdisjoint({"script", "img", "onerror", "a", "src"})


def outside_code(text: str) -> str:
    """Return Markdown without its block of code, which ends at a fence as long as the one that opened it."""
    rest, blocks = re.subn(r"^(`{3,})diff\n.*?\n\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert blocks == 1
    return rest


def test_hostile_text_makes_no_markup_in_markdown() -> None:
    text = outside_code(markdown(hostile_card()))

    assert "<" not in text.replace("\\<", "")
    assert "\n# c" not in text
    assert "[a](" not in text


@pytest.mark.parametrize("render", [html, markdown, plain])
def test_a_staged_card_says_how_to_decide_without_a_button(render) -> None:  # type: ignore[no-untyped-def]
    text = render(crash_card("a1"))

    assert "%mcpgen approve a1" in text
    assert "%mcpgen reject a1" in text
    assert "jupyter mcpgen approve a1" in text


@pytest.mark.parametrize("render", [html, markdown, plain])
def test_a_card_shows_its_other_readings_and_how_to_switch_until_it_is_decided(render) -> None:  # type: ignore[no-untyped-def]
    card = crash_card("a1").replace(chips=tuple(Chip(label=label, reading=label) for label in ("mean", "only May")))

    assert "Other readings: (1) mean; (2) only May." in render(card)
    assert "%mcpgen pick a1 1" in render(card)
    assert "Other readings" not in render(card.replace(status=ToolStatus.PROMOTED))


def test_hostile_names_of_other_readings_are_text() -> None:
    card = hostile_card().replace(status=ToolStatus.STAGED, feedback=CardDecision())

    assert "Other readings" in html(card)
    assert Tags(html(card)).seen.isdisjoint({"script", "img", "onerror", "a", "src"})
    assert "\n# c" not in outside_code(markdown(card))
    assert "[a](" not in outside_code(markdown(card))


def test_a_card_that_is_not_sound_offers_no_approval() -> None:
    text = plain(crash_card("a1").replace(sound=False))

    assert "approve" not in text
    assert "cannot be saved as a tool: its checks did not pass" in text


def test_the_text_card_is_readable_in_a_terminal() -> None:
    card = crash_card("a1").replace(status=ToolStatus.PROMOTED)

    assert plain(card).splitlines()[:4] == [
        "sum of injuries_fatal by weather_condition",
        "weather_condition  injuries_fatal",
        "CLEAR                         271",
        "RAIN                           63",
    ]
    assert plain(card).splitlines()[-1] == (
        "sum_by_group 1.0.0 is live: Python tools.sum_by_group(…), MCP tool sum_by_group."
    )


def test_numbers_read_as_a_person_writes_them() -> None:
    rows = ((2015, 1234567, 0.123456789, 1234567.891, None, True, "2024-05-01T00:00:00"),)
    table = Table(
        columns=tuple("abcdefg"),
        types=("integer", "integer", "real", "real", "text", "boolean", "date"),
        rows=rows,
        total_rows=40,
    )

    assert plain(crash_card("n").replace(table=table)).splitlines()[2].split() == [
        "2015", "1,234,567", "0.123457", "1,234,567.89", "–", "True", "2024-05-01",
    ]  # fmt: skip
    assert "Showing 1 of 40 rows." in plain(crash_card("n").replace(table=table))
