"""What `%load_ext` says about where questions go is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.magics import greeting
from jupyter_mcpgen.settings import remember_model


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of settings that nobody else has."""
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_a_model_the_data_stay_here() -> None:
    assert "no language model, so your data stays on this machine" in greeting()


def test_a_model_that_was_chosen_is_named_and_nothing_is_claimed_about_the_data() -> None:
    remember_model({"model": "potter-7b", "base_url": "http://127.0.0.1:9/v1", "api_key_env": None})

    assert "`potter-7b`" in greeting()
    assert "stays on this machine" not in greeting()


def test_settings_without_a_model_change_nothing(config: Path) -> None:
    (config / "mcpgen.yaml").write_text("planner:\n  language: de\n", encoding="utf-8")

    assert "no language model" in greeting()


def test_settings_that_cannot_be_used_are_reported_and_the_extension_loads(config: Path) -> None:
    (config / "mcpgen.yaml").write_text("llm:\n  temperature: hot\n", encoding="utf-8")

    assert "`llm.temperature`" in greeting()
