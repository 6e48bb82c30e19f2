"""Reading the result channel: the answers that are whole, and never an exception."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_mcpgen.sandbox.job import Answer
from jupyter_mcpgen.sandbox.jobs.channel import Received, read_answers


def frame(header: object, text: bytes = b"", table: bytes = b"") -> bytes:
    encoded = header if isinstance(header, bytes) else json.dumps(header).encode()
    blobs = b"".join(len(blob).to_bytes(8, "big") + blob for blob in (text, table))
    return len(encoded).to_bytes(4, "big") + encoded + blobs


def test_a_whole_frame_is_an_answer() -> None:
    header = {"loaded": True, "details": {"a": 1}, "milliseconds": 2.5, "has_table": True}

    received = read_answers(frame(header, "Käse".encode(), b"arrow"), 1)

    assert received == Received((Answer("Käse", b"arrow", {"a": 1}, None, None, 2.5),))


def test_an_error_without_text_has_no_text() -> None:
    received = read_answers(frame({"error_type": "ValueError", "error_message": "no"}), 1)

    assert received.answers == (Answer(error_type="ValueError", error_message="no"),)


def test_an_admitted_failure_to_load_is_told_apart() -> None:
    received = read_answers(frame({"loaded": False, "error_type": "SyntaxError", "error_message": "bad"}), 3)

    assert received == Received(load_error=Answer(error_type="SyntaxError", error_message="bad"))


def test_answers_before_the_damage_are_kept() -> None:
    received = read_answers(frame({}, b"first") + frame({}, b"second")[:-1], 2)

    assert [answer.text for answer in received.answers] == ["first"]
    assert received.problem == "The result channel cannot be trusted: a frame is cut short or lies about its length."


def test_more_answers_than_calls_are_a_problem() -> None:
    received = read_answers(frame({}, b"a") * 2, 1)

    assert (len(received.answers), received.problem) == (
        1,
        "The result channel cannot be trusted: it holds more answers than there were calls.",
    )


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        b"3",
        b"[" * 100_000,
        b'{"a": ' * 5000,
        b'{"milliseconds": true, "details": 1}',
        b'{"details": {"a": ' + b"[" * 40 + b"]" * 40 + b"}}",
        b'{"details": {"a": [' + b"1," * 200_000 + b"1]}}",
        b'{"details": {"' + b"a" * 10_001 + b'": 1}}',
        b"9" * 5000,
    ],
)
def test_a_header_that_is_no_object_of_ours_is_a_problem(header: bytes) -> None:
    assert read_answers(frame(header), 1).problem is not None


def test_numbers_that_json_does_not_have_become_null() -> None:
    assert read_answers(frame(b'{"details": {"a": NaN, "b": -Infinity}}'), 1).answers[0].details == {
        "a": None,
        "b": None,
    }


@given(st.binary(max_size=200), st.integers(0, 3))
def test_no_bytes_raise(data: bytes, expected: int) -> None:
    received = read_answers(data, expected)

    assert len(received.answers) <= expected


@given(st.binary(min_size=1, max_size=20), st.integers(0, 60))
def test_no_damage_to_good_frames_raises(noise: bytes, place: int) -> None:
    good = frame({"details": {}}, b"text", b"table")

    read_answers(good[:place] + noise + good[place + len(noise) :], 1)
