"""Settings come from seven places, the later ones win, and each value says where it came from."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from jupyter_mcpgen.errors import SettingsError
from jupyter_mcpgen.settings import (
    PROJECT_MAY_SET,
    LlmSettings,
    LoadedSettings,
    PlannerSettings,
    Settings,
    checkout_registry,
    load_settings,
)
from jupyter_mcpgen.verbs.configuration import config

ROOT = Path(__file__).parents[2]


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
    paths = "{active_path: registry/active, staging_path: registry/staging, archive_path: registry/archive}"

    loaded = load_settings(tmp_path / "project", named(tmp_path, f"registry: {paths}"))

    assert loaded.values.registry_path == Path("registry")


def test_who_works_in_the_checkout_has_its_registry_unless_they_name_a_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "docs")
    monkeypatch.delenv("JUPYTER_DATA_DIR", raising=False)

    assert Settings().registry_path == ROOT / "registry_store"
    monkeypatch.setenv("JUPYTER_DATA_DIR", "/elsewhere")
    assert Settings().registry_path == Path("/elsewhere/mcpgen/registry")


def test_nobody_else_is_given_the_registry_of_a_checkout(tmp_path: Path) -> None:
    assert checkout_registry(tmp_path) is None
    assert checkout_registry(tmp_path, tmp_path / "jupyter_mcpgen") is None


def test_a_file_that_is_no_yaml_is_refused_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "mcpgen.yaml").write_text("server: [")

    with pytest.raises(SettingsError, match=r"mcpgen\.yaml"):
        load_settings(tmp_path, {})


SEED_CONFIG = """
llm:
  provider: "local"
  inference_engine: "vllm"
  base_url: "http://localhost:8000/v1"
  code_generation_model:
    model_name: "Qwen/Qwen2.5-Coder-32B-Instruct"
    quantization: "awq"
    gpu_memory_utilization: 0.85
    temperature: 0.1
    max_tokens: 4096
    top_p: 0.95
  fallback_model:
    model_name: "Qwen/Qwen2.5-Coder-7B-Instruct"
    quantization: "fp16"
    gpu_memory_utilization: 0.15
    temperature: 0.2
    max_tokens: 2048
multi_gpu:
  enabled: false
  tensor_parallel_size: 2
"""
SHORT_CONFIG = """
llm: {model: "gpt-4", temperature: 0.2, max_tokens: 2000}
validation:
  max_repair_iterations: 3
  sandbox_timeout_seconds: 30
  quality_thresholds: {functional_correctness_min: 0.90, test_pass_rate_min: 0.95}
  metric_weights: {functional_correctness: 0.40}
  code_bleu_weights: {ngram: 0.25}
registry: {active_path: "registry/active", staging_path: "registry/staging", archive_path: "registry/archive"}
feedback:
  approve_keywords: ["yes", "ship it"]
  reject_keywords: ["no"]
  default_decision: "REJECTED"
promotion: {require_version_bump: true, keep_promotion_log: true}
"""


def named(folder: Path, text: str) -> dict[str, str]:
    (folder / "config.yaml").write_text(text)
    return {"MCPGEN_CONFIG": str(folder / "config.yaml")}


def test_every_key_of_the_seeds_long_form_loads_and_says_what_is_the_servers(tmp_path: Path) -> None:
    loaded = load_settings(tmp_path / "project", named(tmp_path, SEED_CONFIG))

    llm = loaded.values.llm
    assert llm.base_url == "http://localhost:8000/v1"
    assert llm.code_generation_model is not None
    assert llm.code_generation_model.top_p == 0.95
    assert llm.fallback_model is not None
    assert llm.fallback_model.max_tokens == 2048
    said = config(loaded).text
    assert said.splitlines()[-1] == (
        "No effect here: `llm.provider`, `llm.inference_engine` (the server is recognised by what it answers); "
        "`llm.code_generation_model.quantization`, `llm.code_generation_model.gpu_memory_utilization`, "
        "`llm.fallback_model.quantization`, `llm.fallback_model.gpu_memory_utilization`, `multi_gpu.enabled`, "
        "`multi_gpu.tensor_parallel_size` (belongs to the model server; set it when you start that)."
    )


def test_every_key_of_the_seeds_short_form_loads_and_says_what_has_no_effect(tmp_path: Path) -> None:
    loaded = load_settings(tmp_path / "project", named(tmp_path, SHORT_CONFIG))

    assert loaded.values.llm.model == "gpt-4"
    assert {key for key, _ in loaded.without_effect()} == {
        "validation.code_bleu_weights",
        "feedback.approve_keywords",
        "feedback.reject_keywords",
        "feedback.default_decision",
        "promotion.require_version_bump",
        "promotion.keep_promotion_log",
    }


def test_the_seeds_two_names_of_models_outside_of_any_section_are_taken(tmp_path: Path) -> None:
    llm = load_settings(tmp_path / "p", named(tmp_path, 'primary_model: "a"\nfallback_model: "b"\n')).values.llm

    assert (llm.model, llm.fallback_model and llm.fallback_model.model_name) == ("a", "b")


def test_a_file_in_the_folder_is_not_picked_up_because_of_its_name(tmp_path: Path) -> None:
    named(tmp_path, SEED_CONFIG)

    assert load_settings(tmp_path, {}).values.llm.base_url is None


def test_a_named_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"`.*nowhere\.yaml`.*is not a file"):
        load_settings(tmp_path, {"MCPGEN_CONFIG": str(tmp_path / "nowhere.yaml")})


def test_a_project_cannot_decide_what_is_sent_where_and_config_says_so(tmp_path: Path) -> None:
    (tmp_path / "mcpgen.yaml").write_text(
        "llm:\n  base_url: https://example.com/v1\n  api_key_env: HOME\n  model: m\n  privacy: rows\n"
        "  low_cardinality_values: true\n  second_reader: true\n  fallback_model: {model_name: f}\n"
        "  budget: {per_day: 9}\n  temperature: 0\n  surface: plan\n"
    )

    loaded = load_settings(tmp_path, {})

    assert loaded.values.llm == LlmSettings(temperature=0, surface="plan")
    assert [line.partition(" ")[0] for line in loaded.ignored] == [
        "`llm.base_url`",
        "`llm.api_key_env`",
        "`llm.model`",
        "`llm.privacy`",
        "`llm.low_cardinality_values`",
        "`llm.second_reader`",
        "`llm.fallback_model`",
        "`llm.budget`",
    ]
    assert "`llm.base_url` from `" in config(loaded).text


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sandbox.minimum_level", 0),
        ("sandbox.backend", "process"),
        ("sandbox.data_paths", "/home"),
        ("sandbox.docker_host", "tcp://example.com:2375"),
        ("sandbox.docker_images", "example.com/x"),
        ("sandbox.docker_job_image", "example.com/x"),
        ("sandbox.docker_network", True),
        ("data.urls", True),
        ("server.host", "0.0.0.0"),  # noqa: S104  what is refused
        ("server.allow_remote", True),
        ("server.data_folders", "/"),
        ("server.source_folders", "/"),
        ("server.output_folders", "/"),
        ("registry.path", "tools"),
        ("registry.active_path", "tools/active"),
        ("registry.staging_path", "tools/staging"),
        ("registry.archive_path", "tools/archive"),
    ],
)
def test_a_project_cannot_weaken_what_confines_code_or_open_anything(tmp_path: Path, key: str, value: object) -> None:
    section, name = key.split(".")
    (tmp_path / "mcpgen.yaml").write_text(yaml.safe_dump({section: {name: value}, "planner": {"language": "de"}}))

    loaded = load_settings(tmp_path, {})

    assert loaded.values == Settings(planner=PlannerSettings(language="de"))
    assert loaded.ignored[0].startswith(f"`{key}` from ")
    assert f"`{key}` from `" in config(loaded).text


def test_every_section_says_what_a_project_may_set_of_it() -> None:
    sections = Settings.model_fields

    assert set(PROJECT_MAY_SET) == set(sections)
    for section, keys in PROJECT_MAY_SET.items():
        assert keys is None or keys <= set(type(getattr(Settings(), section)).model_fields)


def test_the_same_file_decides_once_the_person_names_it(tmp_path: Path) -> None:
    (tmp_path / "mcpgen.yaml").write_text("llm: {base_url: 'https://example.com/v1'}\n")

    loaded = load_settings(tmp_path, {"MCPGEN_CONFIG": str(tmp_path / "mcpgen.yaml")})

    assert loaded.values.llm.base_url == "https://example.com/v1"


def test_a_key_below_another_is_set_by_any_source_and_keeps_its_neighbours(tmp_path: Path) -> None:
    environment = named(tmp_path, "llm: {budget: {per_question: 5, per_day: 6}}") | {"MCPGEN_LLM__BUDGET__PER_DAY": "7"}

    loaded = load_settings(tmp_path / "p", environment, {"llm.budget.per_question": 8})

    assert {key: (value, origin) for key, value, origin in loaded.rows() if "budget" in key} == {
        "llm.budget.per_question": (8, "the command"),
        "llm.budget.per_day": (7, "`MCPGEN_LLM__BUDGET__PER_DAY`"),
    }


@pytest.mark.parametrize(
    ("environment", "named_key", "hidden"),
    [
        ({"MCPGEN_LLM__API_KEY_ENV": "sk-abc-secret"}, r"llm\.api_key_env", "sk-abc-secret"),
        ({"MCPGEN_LLM__BASE_URL": "https://me:secret@a/v1"}, r"llm\.base_url", "secret@"),
        ({"MCPGEN_LLM__BUDGET__PER_DAY": "-1"}, r"llm\.budget\.per_day", "~"),
        ({"MCPGEN_LLM__PRIVACY": "all"}, r"llm\.privacy", "~"),
    ],
)
def test_a_value_of_the_model_that_cannot_be_used_is_refused_without_repeating_secrets(
    environment: dict[str, str], named_key: str, hidden: str, tmp_path: Path
) -> None:
    with pytest.raises(SettingsError, match=named_key) as refused:
        load_settings(tmp_path, environment)

    assert hidden not in str(refused.value)


def test_the_option_of_the_terminal_names_a_file_of_settings(tmp_path: Path) -> None:
    named(tmp_path, SEED_CONFIG)
    code = "import sys; from jupyter_mcpgen.cli import main; sys.exit(main(sys.argv[1:]))"
    call = [sys.executable, "-c", code]

    done = subprocess.run([*call, "--config", "config.yaml", "config"], capture_output=True, text=True, cwd=tmp_path)
    missing = subprocess.run([*call, "--config"], capture_output=True, text=True, cwd=tmp_path)

    assert "No effect here:" in done.stdout
    assert done.returncode == 0
    assert (missing.returncode, missing.stdout) == (2, "")
    assert missing.stderr == "Name a file of settings after `--config`.\n"


def test_the_second_reader_is_a_setting_with_an_effect() -> None:
    loaded = load_settings(environment={"MCPGEN_LLM__SECOND_READER": "true"})

    assert loaded.values.llm.second_reader
    assert loaded.without_effect() == ()


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """Return the file in which JupyterLab keeps what is set on its page."""
    path = tmp_path / "user-settings" / "jupyter-mcpgen" / "card.jupyterlab-settings"
    path.parent.mkdir(parents=True)
    return path


def from_page(page: Path, **environment: str) -> LoadedSettings:
    return load_settings(page.parent, {"JUPYTERLAB_SETTINGS_DIR": str(page.parents[1]), **environment})


def test_what_is_set_in_jupyterlab_counts_less_than_a_variable_and_leaves_the_page_to_itself(page: Path) -> None:
    page.write_text("""{
    // mcpgen
    "page": {"rows": 5},
    "planner": {"language": "de"}, // German
    "server": {"port": 4000},
}""")

    loaded = from_page(page, MCPGEN_SERVER__PORT="5000")

    assert {key: (value, origin) for key, value, origin in loaded.rows() if origin != "default"} == {
        "planner.language": ("de", "JupyterLab's settings page"),
        "server.port": (5000, "`MCPGEN_SERVER__PORT`"),
    }


def test_a_page_must_not_decide_who_is_trusted(page: Path) -> None:
    page.write_text('{"registry": {"path": "/tmp/x"}, "sandbox": {"minimum_level": 0, "memory_mb": 600}}')

    loaded = from_page(page)

    assert loaded.values.sandbox.model_dump(include={"minimum_level", "memory_mb"}) == {
        "minimum_level": 2,
        "memory_mb": 600,
    }
    assert loaded.values.registry.path is None
    assert [line.partition(", because a page must not")[0] for line in loaded.ignored] == [
        "`registry.path` from JupyterLab's settings page is ignored",
        "`sandbox.minimum_level` from JupyterLab's settings page is ignored",
    ]


@pytest.mark.parametrize("text", ["{", "[]", '{"server": 3}', '{"server": {"port": "many"}}'])
def test_a_settings_page_that_cannot_be_used_is_named(text: str, page: Path) -> None:
    page.write_text(text)

    with pytest.raises(SettingsError, match=r"card\.jupyterlab-settings|JupyterLab's settings page"):
        from_page(page)


def test_jupyterlab_offers_every_setting_that_a_page_may_make() -> None:
    spec = importlib.util.spec_from_file_location("make_settings_page", ROOT / "docs" / "make_settings_page.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)

    shown = json.loads(made.SCHEMA.read_text())

    assert shown == json.loads(made.schema()), "run `python docs/make_settings_page.py`, then `jlpm format`"
    offered = {f"{section}.{key}" for section, part in shown["properties"].items() for key in part["properties"]}
    left = {section for section in PROJECT_MAY_SET if section not in shown["properties"]}
    assert left == {"data", "registry", "promotion", "multi_gpu"}  # nothing of these may be set, or has an effect
    assert {"planner.language", "feedback.card_days", "sandbox.memory_mb", "server.port"} <= offered
    assert {key for key in offered if key.startswith(("registry", "llm.base_url", "sandbox.minimum"))} == set()
