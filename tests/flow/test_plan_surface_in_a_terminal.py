"""A server that enforces forms is asked for a plan from a terminal; the preview shows the form that is sent."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from jupyter_mcpgen.authors.modelled.plan_form import plan_form
from jupyter_mcpgen.authors.modelled.sheet import Policy
from jupyter_mcpgen.data.profile import profile
from tests.flow.test_model_commands import KILNS, QUESTION, listed, place, typed
from tests.imitations.acts import always, listing, says
from tests.imitations.server import Imitation
from tests.unit.authors.test_plan_reply import by, figure, order, reply

__all__ = ["place"]
PLAN = reply(group=[by("kiln")], figures=[figure("lost", "sum", "cracked")], order=[order("lost")])


@pytest.fixture
def server() -> Iterator[Imitation]:
    with Imitation(((listing, listed), (always, says(json.dumps(PLAN))))) as imitation:
        yield imitation


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCPGEN_LLM__SURFACE", "plan")
    monkeypatch.setenv("MCPGEN_LLM__CANDIDATES", "2")


@pytest.mark.usefixtures("place", "settings")
def test_a_plan_is_asked_for_with_the_form_that_the_preview_showed(
    server: Imitation, capfd: pytest.CaptureFixture[str]
) -> None:
    typed(capfd, "model", "use", server.address)

    _, shown = typed(capfd, "preview", "--data", "kilns.csv", QUESTION)
    done, said = typed(capfd, "ask", "--csv", "--data", "kilns.csv", QUESTION)

    assert done == 0, said
    assert "B,5" in said
    assert [chat.body["response_format"]["json_schema"]["name"] for chat in server.chats] == ["plan", "plan"]
    form = server.chats[0].body["response_format"]["json_schema"]["schema"]
    assert form == plan_form(profile("kilns", KILNS), Policy(), QUESTION)
    assert "the form of the reply" in shown
    assert '"cracked"' in shown
