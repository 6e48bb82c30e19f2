"""What attacks on programs share."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.levels import LEVELS


@pytest.fixture(scope="module", params=LEVELS)
def layers(request: pytest.FixtureRequest) -> frozenset[Layer]:
    """Every wall of a level; skips a level that programs cannot have here, with the reason."""
    of_level: frozenset[Layer] = LEVELS[request.param]
    missing = ProgramSandbox(layers=of_level).missing()
    if missing is not None:
        pytest.skip(missing)
    return of_level
