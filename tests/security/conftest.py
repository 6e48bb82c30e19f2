"""What attacks on programs share."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.sandbox.jobs.layers import Layer
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.levels import LEVELS, require


@pytest.fixture(scope="module", params=LEVELS)
def layers(request: pytest.FixtureRequest) -> frozenset[Layer]:
    """Every wall of a level; fails where programs cannot have one, unless that is known."""
    of_level: frozenset[Layer] = LEVELS[request.param]
    require(ProgramSandbox(layers=of_level).missing(), of_level)
    return of_level
