"""Settings come from five places, the later ones win, and each value says where it came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.errors import SettingsError
from jupyter_mcpgen.settings import load_settings


def test_a_later_source_wins_and_is_named_as_the_origin(tmp_path: Path) -> None:
    (tmp_path / "mcpgen.yaml").write_text("server: {port: 4000}\nllm: {temperature: 0}\n")

    loaded = load_settings(tmp_path, {"MCPGEN_SERVER__PORT": "5000"}, {"server.port": 6000})

    assert loaded.values.server.port == 6000
    assert loaded.values.llm.temperature == 0
    assert {key: origin for key, _, origin in loaded.rows() if origin != "default"} == {
        "server.port": "the command",
        "llm.temperature": f"`{tmp_path / 'mcpgen.yaml'}`",
    }


@pytest.mark.parametrize(
    ("environment", "named"),
    [
        ({"MCPGEN_SERVER__PORT": "many"}, "`MCPGEN_SERVER__PORT`"),
        ({"MCPGEN_SANDBOX__MINIMUM_LEVEL": "7"}, "sandbox.minimum_level"),
        ({"MCPGEN_SERVER__PROT": "1"}, "server.prot"),
        ({"MCPGEN_REGISTRY__ACTIVE_PATH": "/a/active", "MCPGEN_REGISTRY__STAGING_PATH": "/b/staging"}, "one folder"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_by_name(
    environment: dict[str, str], named: str, tmp_path: Path
) -> None:
    with pytest.raises(SettingsError, match=named):
        load_settings(tmp_path, environment)


def test_the_seeds_own_registry_paths_are_honoured(tmp_path: Path) -> None:
    (tmp_path / "mcpgen.yaml").write_text(
        "registry: {active_path: registry/active, staging_path: registry/staging, archive_path: registry/archive}\n"
    )

    assert load_settings(tmp_path, {}).values.registry_path == Path("registry")


def test_a_file_that_is_no_yaml_is_refused_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "mcpgen.yaml").write_text("server: [")

    with pytest.raises(SettingsError, match=r"mcpgen\.yaml"):
        load_settings(tmp_path, {})
