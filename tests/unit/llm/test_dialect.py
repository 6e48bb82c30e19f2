"""What a server takes is known from its address where it would not say so, else found out, and kept for a day."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.llm.dialect import Dialect, Dialects, Mode, Sampling, first_dialect
from jupyter_mcpgen.llm.faults import adjusted, read_fault
from tests.imitations.endpoints import PAINT, prompt


@pytest.mark.parametrize(
    ("address", "mode", "limit"),
    [
        ("https://api.openai.com/v1", Mode.SCHEMA, "max_completion_tokens"),
        ("https://res.openai.azure.com/openai/v1", Mode.SCHEMA, "max_completion_tokens"),
        ("https://api.anthropic.com/v1", Mode.TEXT, "max_tokens"),
        ("https://openai.azure.com.example.com/v1", Mode.SCHEMA, "max_tokens"),
        ("http://localhost:11434/v1", Mode.SCHEMA, "max_tokens"),
    ],
)
def test_a_first_request_is_what_the_address_is_known_to_take(address: str, mode: Mode, limit: str) -> None:
    dialect = first_dialect(address)

    body = dialect.body(prompt(), Sampling(), "m")

    assert dialect.mode is mode
    assert body[limit] == 2000
    assert ("response_format" in body) is (mode is not Mode.TEXT)


def test_a_body_has_no_more_than_what_was_set() -> None:
    plain = Dialect(mode=Mode.TEXT, stream_usage=False)

    body = plain.body(prompt(), Sampling(None, None, None), "m")

    assert sorted(body) == ["messages", "model", "stream"]


def test_a_model_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    dialects = Dialects(tmp_path / "dialects.json")
    dialects.learn("a", "m", Dialect(temperature=False))
    dialects.learn("a", "n", Dialect(temperature=False))

    dialects.forget("a", "m")

    assert Dialects(tmp_path / "dialects.json").known("a", "m") is None
    assert Dialects(tmp_path / "dialects.json").known("a", "n") == Dialect(temperature=False)


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{", '{"a m": 1}', '{"a m": {"since": 9e99, "mode": "telepathy"}}', '{"a m": {"since": 9e99}}'],
)
def test_a_file_of_another_version_is_found_out_again(content: str, tmp_path: Path) -> None:
    (tmp_path / "dialects.json").write_text(content)

    assert Dialects(tmp_path / "dialects.json").known("a", "m") is None


def test_no_refusal_leads_in_a_circle() -> None:
    words = "max_tokens temperature top_p stream_options system role response_format grammar schema"
    dialect: Dialect | None = Dialect()
    seen = []

    while dialect is not None and len(seen) < 50:
        seen.append(dialect)
        dialect = adjusted(dialect, read_fault(400, words), PAINT)

    assert len(seen) < 12
    assert seen[-1].mode is Mode.TEXT
