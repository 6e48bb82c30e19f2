"""A reply is read strictly: one object that keeps to its schema, or a reason to ask again."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.llm.arriving import Arrived, Events, TooMuch
from jupyter_mcpgen.llm.parse import LONGEST, Unreadable, read_object, without_reasoning
from jupyter_mcpgen.llm.schema import checker, not_portable, without

SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": ["string", "number"]}},
    "required": ["a"],
    "additionalProperties": False,
}
BROKEN = checker(SCHEMA)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": "}{"}', "}{"),
        ('{"a": "\\"}"}', '"}'),
        ('before {"a": 1} after', 1),
        ('```\n{"a": 1}', 1),
        ('{"note": 1}\n```json\n{"a": 1}\n```', 1),
        ('<thinking>{"a": 2}</thinking>{"a": 1}', 1),
        ('{"a": 1}<think>{"a": 2}', 1),
        ('<REASONING>x</REASONING>{"a": 1}', 1),
        ('{"a": "<think>"}', "<think>"),
        ('{"a": 1,\n}', 1),
        ('{"a": ",}"}', ",}"),
    ],
)
def test_the_one_object_is_found(text: str, value: object) -> None:
    assert read_object(text, BROKEN) == {"a": value}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JSON object"),
        ("[1, 2]", "no JSON object"),
        ('{"a": 1', "not complete"),
        ('{"a": 1} {"a": 2}', "several"),
        ('{"a": 1, "b": 2}', "Additional properties"),
        ('{"a": Infinity}', "Infinity"),
        ('{"a": 1e999}', "too large"),
        ('{"a": "\\ud800"}', "surrogate"),
        ('{"a": 1, "a": 1}', "twice"),
        ('{"a": [1]}', "`a`: [1] is not of type"),
        ("{" * 5000 + "}" * 5000, ""),
        ('{"a":' * 3000 + "1" + "}" * 3000, ""),
    ],
)
def test_anything_else_is_refused_with_the_reason(text: str, reason: str) -> None:
    read = read_object(text, BROKEN)

    assert isinstance(read, Unreadable)
    assert reason in read.reason


@pytest.mark.parametrize(
    "text",
    [
        "<think>" * (LONGEST // 7),
        "```" + " " * LONGEST,
        "``` " * (LONGEST // 4),
        '{"' * (LONGEST // 2),
        '{"a": ' + "\\" * LONGEST,
        "{}" * (LONGEST // 2),
        "<|" * (LONGEST // 2),
        "{" + ", " * (LONGEST // 2) + "}",
        '{"a": 1},' * (LONGEST // 9),
    ],
    ids=["tags", "fence", "fences", "quotes", "backslashes", "objects", "markers", "commas", "copies"],
)
@pytest.mark.timeout(20)
def test_a_hostile_reply_is_read_in_linear_time(text: str) -> None:
    assert isinstance(read_object(text, BROKEN), Unreadable | dict)


def test_reasoning_is_taken_from_a_text() -> None:
    assert without_reasoning("<think>a</think>one<analysis>b</analysis> two<think>c") == "one two"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_events_are_the_same_however_they_are_cut_into_packets(size: int) -> None:
    sent = ': ping\r\n\r\ndata: {"a":\r\ndata: "ü\u2028"}\r\n\r\nevent: x\ndata:1\n\ndata: 2\r\rdata: 3'.encode()
    events = Events()

    data = [one for at in range(0, len(sent), size) for one in events.feed(sent[at : at + size])]

    assert [*data, *events.end()] == ['{"a":\n"ü\u2028"}', "1", "2", "3"]


@pytest.mark.parametrize(
    "record",
    [
        [],
        "x",
        {"choices": [None]},
        {"choices": [{"delta": "x"}]},
        {"choices": [{"delta": {"content": {"a": 1}, "tool_calls": [None, {"function": 1}]}}]},
        {"choices": {"a": 1}, "usage": [1], "model": 3},
        {"choices": [{"message": {"content": [None, {"text": 3}]}, "finish_reason": 4}]},
    ],
)
def test_a_chunk_of_any_shape_is_taken_without_a_traceback(record: Any) -> None:
    arrived = Arrived()

    arrived.take_record(record)

    assert (arrived.text, arrived.finish) == ("", "")


def test_a_reply_without_end_is_given_up() -> None:
    arrived = Arrived()
    half = {"choices": [{"delta": {"content": "x" * (LONGEST // 2 + 1)}}]}
    arrived.take_record(half)

    with pytest.raises(TooMuch, match="longer"):
        arrived.take_record(half)


def test_a_schema_that_some_server_would_not_take_is_found_out() -> None:
    schema = {
        "type": "object",
        "properties": {
            "pattern": {"type": "string", "pattern": "^a$"},
            "some": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"oneOf": []}]}},
        },
        "required": ["pattern"],
    }

    assert not_portable(SCHEMA) == ()
    assert not_portable(schema) == (
        "$ does not forbid additional properties",
        "$ does not require all of its properties",
        "$.pattern has `pattern`",
        "$.some[] has `oneOf`",
        "$.some[] has no `type`",
    )
    assert without(schema, frozenset({"pattern"}))["properties"]["pattern"] == {"type": "string"}


VALUES = st.one_of(
    st.text(), st.integers(-(10**15), 10**15), st.sampled_from(["<think>", "</think>", "```", "{}", '"}', "<|x|>"])
)
AROUND = {
    "alone": "{}",
    "in a fence": "```json\n{}\n```",
    "after a sentence": "Here it is: {} (I hope.)",
    "after reasoning": "<think>Perhaps.</think>\n{}",
    "after reasoning with an object": '<think>{{"a": "wrong"}}</think>{}',
    "before reasoning": "{}\n<thinking>Was it?</thinking>",
}


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
@given(value=VALUES, ascii_only=st.booleans())
def test_no_value_is_ever_read_as_another_one(around: str, value: object, ascii_only: bool) -> None:
    written = json.dumps({"a": value}, ensure_ascii=ascii_only)

    read = read_object(around.format(written), BROKEN)

    assert isinstance(read, Unreadable) or read == {"a": value}
    if around == "{}" or not isinstance(value, str) or not set(value) & set("<>`"):
        assert read == {"a": value}


@given(value=VALUES, data=st.data())
def test_no_part_of_a_reply_is_ever_taken_for_the_whole(value: object, data: st.DataObject) -> None:
    written = json.dumps({"a": value, "b": {"a": 1}})
    cut = data.draw(st.integers(0, len(written) - 1))

    assert isinstance(read_object(written[:cut], checker({"type": "object"})), Unreadable)
