"""One container engine for all the tests that need one; where there can be none, they are skipped and say why."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.containers import Place, container_engine


@pytest.fixture(scope="session")
def engine_or_reason(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place | str]:
    with container_engine(tmp_path_factory.mktemp("engine")) as found:
        yield found


@pytest.fixture(scope="session")
def place(engine_or_reason: Place | str) -> Place:
    if isinstance(engine_or_reason, str):
        pytest.skip(engine_or_reason)
    return engine_or_reason
