"""The sandbox of a process is begun beside everything else, and taken once."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.errors import SandboxUnavailable
from jupyter_mcpgen.settings import SandboxSettings
from jupyter_mcpgen.warming import Begun

UNCONFINED = SandboxSettings(minimum_level=0)
IMPOSSIBLE = SandboxSettings(backend="container")  # and no image is set


def test_a_sandbox_that_was_begun_is_taken_once() -> None:
    begun = Begun()
    begun.begin(UNCONFINED)
    assert begun.waiting

    first, second = begun.take(UNCONFINED), begun.take(UNCONFINED)
    first.close()
    second.close()

    assert first is not second
    assert not begun.waiting


def test_a_sandbox_that_was_begun_with_other_settings_is_ended() -> None:
    begun = Begun()
    begun.begin(SandboxSettings(minimum_level=0, backend="process"))

    taken = begun.take(UNCONFINED)
    taken.close()

    assert not begun.waiting


@pytest.mark.parametrize("wanted", [IMPOSSIBLE, UNCONFINED], ids=["its own settings", "others"])
def test_whoever_begins_a_sandbox_does_not_wait_for_it_and_whoever_takes_it_is_told(wanted: SandboxSettings) -> None:
    begun = Begun()

    begun.begin(IMPOSSIBLE)

    assert not begun.waiting
    if wanted is IMPOSSIBLE:
        with pytest.raises(SandboxUnavailable, match="no image is set"):
            begun.take(wanted)
    else:
        begun.take(wanted).close()
