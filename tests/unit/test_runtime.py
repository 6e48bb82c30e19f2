"""What the settings become when the parts are put together."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

import pytest

from jupyter_mcpgen.data.workspace import OWNER, Owner
from jupyter_mcpgen.errors import SandboxUnavailable
from jupyter_mcpgen.runtime import build
from jupyter_mcpgen.sandbox.policy import Limits
from jupyter_mcpgen.sandbox.service import Sandbox
from jupyter_mcpgen.settings import load_settings


def test_the_settings_bound_every_run_and_the_tables_in_and_out_of_it(tmp_path: Path) -> None:
    wanted = {
        "registry.path": tmp_path,
        "sandbox.max_rows": 5,
        "sandbox.max_columns": 4,
        "sandbox.memory_mb": 600,
        "validation.sandbox_timeout_seconds": 7,
    }

    limits = build(load_settings(project=tmp_path, environment={}, overrides=wanted).values).limits

    assert limits == Limits(wall_seconds=7.0, cpu_seconds=7, memory_mb=600, rows=5, columns=4)


def test_the_products_of_a_process_have_folders_of_their_own_below_one(tmp_path: Path) -> None:
    settings = load_settings(project=tmp_path, environment={}, overrides={"registry.path": tmp_path}).values

    folders = [build(settings).workspace for _ in range(3)]

    assert len(set(folders)) == 3
    (home,) = {folder.parent for folder in folders}
    assert Owner.model_validate_json((home / OWNER).read_bytes()).pid == os.getpid()


def test_the_sandbox_is_proved_by_attacks_before_its_first_job_and_the_proof_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    runtime = build(load_settings(project=tmp_path, environment={}, overrides={"registry.path": tmp_path}).values)

    runtime.sandbox.close()

    (proof,) = (tmp_path / "data" / "mcpgen" / "sandbox").glob("sandbox-*.json")
    assert '"blocked": true' in proof.read_text(encoding="utf-8")


def test_a_sandbox_that_an_attack_gets_through_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(Sandbox, "prove", _broken)
    runtime = build(load_settings(project=tmp_path, environment={}, overrides={"registry.path": tmp_path}).values)

    with pytest.raises(SandboxUnavailable, match="an attack got through"):
        _ = runtime.sandbox


def _broken(sandbox: Sandbox, cache: Path | None = None) -> NoReturn:
    sandbox.close()
    raise SandboxUnavailable("an attack got through")
