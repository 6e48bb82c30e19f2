"""Each backend in turn, and a tool that is run on it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_mcpgen.sandbox.job import Call, Job, Run
from jupyter_mcpgen.sandbox.jobs.process_backend import ProcessBackend
from jupyter_mcpgen.sandbox.policy import Limits, Policy
from tests.conformance.backends.process_backends import BACKENDS, REPORT, Runner
from tests.levels import require


@pytest.fixture(scope="module")
def scratch_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scratch")


@pytest.fixture(scope="module", params=sorted(BACKENDS))
def backend(request: pytest.FixtureRequest, scratch_root: Path) -> Iterator[ProcessBackend]:
    layers, spares = BACKENDS[request.param]
    backend = ProcessBackend(layers=layers, scratch_root=scratch_root, spares=spares)
    require(backend.missing(), layers)
    backend.warm()
    yield backend
    backend.close()


@pytest.fixture
def run(backend: ProcessBackend, tmp_path: Path) -> Runner:
    def run_tool(source: str, *calls: dict[str, object], policy: Policy | None = None, **limits: int) -> Run:
        package = tmp_path / "package"
        package.mkdir(exist_ok=True)
        (package / "tool.py").write_text(textwrap.dedent(source), encoding="utf-8")
        (package / "helpers.py").write_text(REPORT, encoding="utf-8")
        job = Job(package, "tool", tuple(Call(arguments) for arguments in calls or ({},)))
        return backend.run(job, policy or Policy(limits=replace(Limits(wall_seconds=60), **limits)))

    return run_tool
