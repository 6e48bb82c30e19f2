"""Code that no rule fixes is fixed by the language model that a person configured, and by none that they did not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_mcpgen.cli import main
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.imitations.acts import always, listing, says
from tests.imitations.server import Imitation, Wire
from tests.levels import needs
from tests.products import own_place

pytestmark = needs(ProgramSandbox().missing())
FAILS = "beds = {'north': 3}\nprint(beds['south'])\n"
FIX = {
    "cause": "no such bed",
    "change": "Asked for a bed that may be missing.",
    "code": FAILS.replace("['south']", ".get('south')"),
}


def listed(wire: Wire) -> None:
    wire.send(200, "application/json", json.dumps({"object": "list", "data": [{"id": "potter-7b"}]}).encode())


@pytest.fixture
def server() -> Iterator[Imitation]:
    with Imitation(((listing, listed), (always, says(json.dumps(FIX))))) as imitation:
        yield imitation


def test_the_model_is_sent_the_code_and_its_error_and_its_fix_is_tried(
    tmp_path: Path, server: Imitation, capsys: pytest.CaptureFixture[str]
) -> None:
    with own_place(tmp_path, gates=False):
        (tmp_path / "beds.py").write_text(FAILS)
        alone = main(["debug", "beds.py"])
        capsys.readouterr()
        assert server.chats == []
        main(["model", "use", server.address])

        helped = main(["debug", "beds.py"])

    told = capsys.readouterr().out
    (sent,) = [chat.raw.decode() for chat in server.chats]
    assert (alone, helped) == (1, 0)
    assert "The fix is from the language model." in " ".join(told.split())
    assert "+print(beds.get('south'))" in told
    assert "KeyError" in sent
    assert "beds['south']" in sent
