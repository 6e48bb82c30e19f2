"""The list of runtimes says of each whether it is ready, and if not why and what to do."""

from __future__ import annotations

from pathlib import Path

from jupyter_mcpgen.errors import EngineUnavailable
from jupyter_mcpgen.model.fuel import FuelUnit
from jupyter_mcpgen.sandbox.docker.engine import Engine
from jupyter_mcpgen.sandbox.docker.execution import DockerExecutor
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES
from jupyter_mcpgen.sandbox.runtime_kind import RuntimeKind
from jupyter_mcpgen.sandbox.runtimes import RuntimeState, runtimes


def nobody(url: str | None) -> Engine:
    raise EngineUnavailable("the Docker daemon is not running; start it.")


def test_every_language_is_listed_for_each_way_of_running_it(tmp_path: Path) -> None:
    found = runtimes(DockerExecutor(connect=nobody), tmp_path)

    names = [one.name for one in found]
    assert names == [*LANGUAGES, "wasm-javascript", "wasm-python", *(f"docker-{name}" for name in LANGUAGES)]
    assert all((one.reason is None) == (one.state is RuntimeState.READY) for one in found)


def test_an_engine_that_is_not_asked_for_is_left_alone(tmp_path: Path) -> None:
    assert RuntimeKind.CONTAINER not in {one.kind for one in runtimes(cache=tmp_path)}


def test_an_engine_that_is_missing_is_the_reason_of_all_its_languages(tmp_path: Path) -> None:
    contained = [one for one in runtimes(DockerExecutor(connect=nobody), tmp_path) if one.kind is RuntimeKind.CONTAINER]

    assert {(one.state, one.reason) for one in contained} == {
        (RuntimeState.MISSING, "the Docker daemon is not running; start it.")
    }


def test_an_empty_cache_is_cold_or_the_extra_is_missing_and_only_wasm_has_hard_fuel(tmp_path: Path) -> None:
    wasm = [one for one in runtimes(cache=tmp_path) if one.kind is RuntimeKind.WASM]

    assert [one.state in (RuntimeState.COLD, RuntimeState.MISSING) for one in wasm] == [True, True]
    assert {(one.fuel_unit, one.has_hard_fuel) for one in wasm} == {(FuelUnit.INSTRUCTIONS, True)}
    assert not any(one.has_hard_fuel for one in runtimes(cache=tmp_path) if one.kind is not RuntimeKind.WASM)
