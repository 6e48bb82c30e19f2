"""Whatever a model server does, the client gives the good reply or one plain sentence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import ModelError
from jupyter_mcpgen.llm.endpoint import Endpoint
from jupyter_mcpgen.llm.prompt import Prompt
from tests.imitations.acts import field_of
from tests.imitations.endpoints import Pauses, endpoint_at, prompt
from tests.imitations.quirks import ABSENT, QUIRKS, Quirk
from tests.imitations.server import Imitation

LONG = "Which colour, and how many? Reply with JSON. " * 700


PLAIN = re.compile(r"[A-Z`][^\n]*\.")


def outcome_of(endpoint: Endpoint, asked: Prompt) -> object:
    try:
        return endpoint.ask(asked)[0].value
    except ModelError as error:
        return error


@pytest.mark.one_in(2)
@pytest.mark.parametrize("quirk", QUIRKS, ids=lambda quirk: quirk.name)
def test_a_quirk_ends_in_the_good_reply_or_in_one_plain_sentence(quirk: Quirk, tmp_path: Path) -> None:
    pauses = Pauses()

    with Imitation(quirk.rules) as server, endpoint_at(server.address, tmp_path, pauses=pauses) as endpoint:
        outcome = outcome_of(endpoint, prompt(LONG) if quirk.long else prompt())

    assert outcome == quirk.gives or type(outcome) is quirk.gives, repr(outcome)
    assert quirk.says in str(outcome)
    assert isinstance(outcome, dict) or PLAIN.fullmatch(str(outcome))
    last = server.chats[-1].body
    assert len(server.chats) == quirk.requests
    assert {name: field_of(last, name) for name in quirk.last} == {
        name: None if value == ABSENT else value for name, value in quirk.last.items()
    }
    assert pauses.seconds == pytest.approx(list(quirk.pauses))
