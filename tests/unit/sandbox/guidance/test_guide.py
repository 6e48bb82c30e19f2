"""Error guidance: pairs of a failure and what its author is told, and what holds for every failure."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.model.fuel import FuelUnit
from jupyter_mcpgen.model.guidance import ERRORS, ErrorGuidance, ErrorType
from jupyter_mcpgen.sandbox.guidance.guide import guide
from jupyter_mcpgen.sandbox.guidance.rules.ending import Bounds, Ending, Surroundings
from jupyter_mcpgen.sandbox.guidance.rules.javascript_host import NODE
from jupyter_mcpgen.sandbox.guidance.rules.stderr import MOST_READ, raised_in, read_ends
from jupyter_mcpgen.sandbox.job import Outcome
from jupyter_mcpgen.server.guides import errors_page, sections_of

ROOT = Path(__file__).parents[4]
FOLDER = ROOT / "tests" / "cases" / "guidance"
RUNTIMES = {
    "native": Surroundings(),
    "node": Surroundings(javascript=NODE),
    "programs": Surroundings(starts_programs=True),
}
TRACEBACK = """\
Traceback (most recent call last):
  File "main.py", line 1, in <module>
    1 / 0
ZeroDivisionError: division by zero
"""


@dataclass(frozen=True)
class Pair:
    """A failure, and the type, words and examples of its guidance."""

    name: str
    ending: Ending
    kind: str
    says: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    never: tuple[str, ...] = field(default=())


def pairs() -> list[Any]:
    """Read every pair of the case files."""
    return [
        pytest.param(read({"language": tree.get("language", "python"), **row}), id=f"{path.stem}: {row['name']}")
        for path in sorted(FOLDER.glob("*.toml"))
        for tree in [tomllib.loads(path.read_text(encoding="utf-8"))]
        for row in tree["pair"]
    ]


def read(row: dict[str, Any]) -> Pair:
    """Return one row of a case file."""
    bounds = Bounds(
        row.pop("fuel_budget", None),
        row.pop("fuel_consumed", None),
        FuelUnit(row.pop("fuel_unit", "instructions")),
        row.pop("memory_bytes", None),
        row.pop("wall_seconds", None),
    )
    ending = Ending(
        Outcome(row.pop("outcome", "failed")),
        row.pop("exit_code", 1),
        row.pop("trap", None),
        row.pop("stderr", ""),
        code=row.pop("code", ""),
        language=row.pop("language"),
        bounds=bounds,
        surroundings=replace(RUNTIMES[row.pop("runtime", "native")], beside=row.pop("beside", {}).get),
        names=tuple(row.pop("names", ())),
        is_uncompiled=row.pop("is_uncompiled", False),
    )
    wanted = {key: tuple(row.pop(key, ())) for key in ("says", "shows", "never")}
    pair = Pair(row.pop("name"), ending, row.pop("type"), **wanted)
    assert not row, f"unknown keys in `{pair.name}`: {sorted(row)}"
    return pair


def text(guidance: ErrorGuidance) -> str:
    """Return all steps of guidance as one text."""
    return "\n".join(guidance.actionable_guidance)


@pytest.mark.parametrize("pair", pairs())
def test_a_failure_gets_the_guidance_beside_it(pair: Pair) -> None:
    guidance = guide(pair.ending)

    if pair.kind == "none":
        assert guidance is None
        return
    assert guidance is not None
    shown = "\n".join(part for example in guidance.code_examples for part in (example.before, example.after))
    assert guidance.error_type == pair.kind
    assert [words for words in pair.says if words not in text(guidance)] == []
    assert [words for words in pair.shows if words not in shown] == []
    assert [words for words in pair.never if words in text(guidance) + shown] == []


def test_every_type_of_error_has_a_pair() -> None:
    assert {param.values[0].kind for param in pairs()} == {kind.value for kind in ErrorType} | {"none"}


@pytest.mark.parametrize("pair", pairs())
def test_b19_every_guidance_has_steps_an_example_and_documents_that_exist(pair: Pair) -> None:
    guidance = guide(pair.ending)
    if guidance is None:
        return

    assert all(guidance.actionable_guidance)
    assert all(example.before and example.after and example.explanation for example in guidance.code_examples)
    assert guidance.code_examples
    assert [link for link in guidance.related_docs if not leads_somewhere(link)] == []


def test_b19_the_documentation_has_a_section_on_every_type_and_on_no_other() -> None:
    assert set(sections_of(errors_page())) - {"Fuel"} == {kind.value for kind in ErrorType}


def test_b19_a_link_to_nowhere_would_be_noticed() -> None:
    assert not leads_somewhere(f"{ERRORS}/NoSuchSection")
    assert not leads_somewhere("docs/nothing.md#outoffuel")


def leads_somewhere(link: str) -> bool:
    """Return whether clients of the server can read what a link names."""
    return link in {f"{ERRORS}/{name}" for name in sections_of(errors_page())}


def test_b20_guidance_survives_json() -> None:
    guidance = guide(Ending(Outcome.FAILED, 1, stderr=TRACEBACK))

    assert guidance is not None
    assert ErrorGuidance.model_validate_json(guidance.model_dump_json()) == guidance
    assert set(guidance.model_dump()) == {"error_type", "actionable_guidance", "related_docs", "code_examples"}


def test_what_the_structured_channel_says_counts_before_what_the_program_printed() -> None:
    ending = Ending(Outcome.FAILED, 1, stderr=TRACEBACK, error_type="KeyError", error_message="'a'")

    guidance = guide(ending)

    assert guidance is not None
    assert guidance.error_type is ErrorType.KEY_NOT_FOUND


def test_the_program_still_says_on_which_line_the_structured_exception_was() -> None:
    ending = Ending(Outcome.COMPLETED, 0, stderr=TRACEBACK, error_type="ZeroDivisionError", error_message="x")

    guidance = guide(ending)

    assert guidance is not None
    assert "on line 1, `1 / 0`" in text(guidance)


def test_other_languages_get_guidance_for_limits_only() -> None:
    failed = guide(Ending(Outcome.FAILED, 1, stderr=TRACEBACK, language="rust"))
    stopped = guide(Ending(Outcome.TIMED_OUT, language="rust"))

    assert failed is None
    assert stopped is not None
    assert stopped.error_type is ErrorType.TIMEOUT


@pytest.mark.parametrize("noise", ["warning: x\n" * 10_000, "a" * 200_000 + "\n"])
def test_r46_an_exception_is_found_at_the_end_and_at_the_beginning_but_not_in_the_middle(noise: str) -> None:
    at_the_end, at_the_beginning = noise + TRACEBACK, TRACEBACK + noise

    assert raised_in(at_the_end, "python") == raised_in(at_the_beginning, "python") == raised_in(TRACEBACK, "python")
    assert raised_in(noise + TRACEBACK + noise, "python") is None


def test_r46_the_end_counts_before_the_beginning() -> None:
    first = TRACEBACK.replace("ZeroDivisionError: division by zero", "ValueError: early")

    raised = raised_in(first + "x\n" * 10_000 + TRACEBACK, "python")

    assert raised is not None
    assert raised.name == "ZeroDivisionError"


class CountedText(str):
    """Text that notes how much of it was read."""

    taken = 0

    def __getitem__(self, key: Any) -> str:
        piece = super().__getitem__(key)
        self.taken += len(piece)
        return piece


class CountedBytes(bytes):
    """Bytes that note how much of them was read."""

    taken = 0

    def __getitem__(self, key: Any) -> Any:
        piece = super().__getitem__(key)
        self.taken += len(piece)
        return piece


@given(size=st.integers(0, 40_000), extra=st.sampled_from(["", TRACEBACK]))
def test_at_most_ten_kilobytes_of_standard_error_are_read(size: int, extra: str) -> None:
    for stderr in (CountedText("x\n" * size + extra), CountedBytes(b"x\n" * size + extra.encode())):
        raised_in(stderr, "python")

        assert stderr.taken <= MOST_READ == 10 * 1024


def test_a_short_text_is_read_whole_and_once() -> None:
    assert read_ends("abc") == ("abc",)
    assert [len(piece) for piece in read_ends("a" * 50_000)] == [8192, 2048]


@given(
    stderr=st.one_of(st.text(), st.binary(), st.text(st.characters(exclude_categories=()), max_size=200)),
    code=st.text(st.characters(exclude_categories=())),
    trap=st.none() | st.text(),
    outcome=st.sampled_from(Outcome),
    language=st.sampled_from(["python", "javascript", "bash", ""]),
    error_type=st.none() | st.text(),
)
def test_nothing_a_program_writes_makes_guidance_raise(
    stderr: str | bytes, code: str, trap: str | None, outcome: Outcome, language: str, error_type: str | None
) -> None:
    guidance = guide(Ending(outcome, 1, trap, stderr, error_type, code=code, language=language))

    assert guidance is None or ErrorGuidance.model_validate_json(guidance.model_dump_json()) == guidance


MESSAGES = (
    "KeyError: '{}'",
    "FileNotFoundError: [Errno 2] No such file or directory: '{}'",
    "NameError: name '{}' is not defined",
    "ModuleNotFoundError: No module named '{}'",
    "ValueError: {}",
    "TypeError: {}",
    "AttributeError: '{}' object has no attribute '{}'",
    "SyntaxError: {}",
    "{}: {}",
    "TypeError: {} is not iterable",
    "ReferenceError: '{}' is not defined",
    "Error: ENOENT, open '{}'",
)


@given(
    message=st.sampled_from(MESSAGES),
    word=st.text(),
    line=st.text(),
    language=st.sampled_from(["python", "javascript"]),
)
def test_no_message_of_an_exception_makes_guidance_raise_or_run_away(
    message: str, word: str, line: str, language: str
) -> None:
    said = message.replace("{}", word)
    stderr = f'Traceback (most recent call last):\n  File "main.py", line 1, in <module>\n    {line}\n{said}\n'

    guidance = guide(Ending(Outcome.FAILED, 1, stderr=stderr, code=line, language=language, names=(word, "total")))

    assert guidance is None or all(len(step) < 2_000 for step in guidance.actionable_guidance)


@pytest.mark.parametrize(
    "hostile",
    [
        " " * 9_000, "a" * 9_000, "a." * 4_500, "Error" * 1_800, "File \"" * 1_500, "'" * 9_000, "at :1" * 1_800,
        "\x1b[" * 4_500, "caused by:" * 900, "1:" * 4_500, "A" + "Error: " * 1_200, "['" * 4_500, "ufunc " * 1_500,
    ],
)  # fmt: skip
@pytest.mark.parametrize("language", ["python", "javascript"])
def test_text_made_to_slow_patterns_down_is_answered(hostile: str, language: str) -> None:
    for stderr in (hostile, TRACEBACK + hostile, f"{TRACEBACK.rstrip()}{hostile}", f"TypeError: {hostile}"):
        guide(Ending(Outcome.FAILED, 1, hostile[:3_000], stderr, code=hostile, language=language))
        guide(Ending(Outcome.FAILED, 1, None, stderr, code=hostile, language=language))
