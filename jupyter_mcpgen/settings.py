"""All settings as one typed value, read once at the edges.

Order, later wins: defaults, `mcpgen.yaml` in Jupyter's configuration folder, JupyterLab's settings page, the choice of
`model use`, the project's `mcpgen.yaml`, the file that `MCPGEN_CONFIG` names, environment variables `MCPGEN_*` (nested
with `__`), options of a command. The keys of seed 000 §§5.1 and 5.5 are accepted; `docs/settings.md` lists those that
have an effect.

A project's file comes with the project, and whatever runs in a page of JupyterLab may change its settings page, so
neither may say where data is sent, how much of it, what confines code, what is open to others, or where trusted tools
come from: approvals are not signed, so anyone who can write to a
registry can approve tools in it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from jupyter_mcpgen.errors import SettingsError
from jupyter_mcpgen.scales import CodeBleuWeights, GapScale, MetricWeights, QualityThresholds, QualityTiers
from jupyter_mcpgen.settings_files import read_file, read_json5, read_value

FILE_NAME = "mcpgen.yaml"
CHOSEN_MODEL = "mcpgen-model.yaml"
CHOSEN_OPTIONS = "mcpgen-options.yaml"
"""The file beside it that `model use` writes; what a person wrote themselves stays as it is."""
CONFIG_VARIABLE = "MCPGEN_CONFIG"
"""Names one more file of settings, such as the `config.yaml` of a seed; the option `--config` sets it."""
PROJECT_MAY_SET: Mapping[str, frozenset[str] | None] = {
    "llm": frozenset({"temperature", "max_tokens", "surface"}),
    "multi_gpu": None,
    "planner": None,
    "gap": None,
    "validation": None,
    "data": frozenset(),
    "sandbox": frozenset({"memory_mb", "max_rows", "max_columns", "begin_at_load"}),
    "registry": frozenset(),
    "feedback": None,
    "promotion": None,
    "guidance": None,
    "fuel_analysis": None,
    "server": frozenset({"port", "families", "search_beyond", "session_idle_seconds", "session_memory_mb"}),
}
"""What a project's file and JupyterLab's settings page may set; `None` is all of a section.

Other keys decide who sees data, what confines code and which tools are trusted.
"""
SEARCH_BEYOND = 30
"""A list of more tools than that confuses the models of clients; a figure of people who run servers."""
_OF_THE_SERVER = "belongs to the model server; set it when you start that"
_OF_THE_REPLY = "the server is recognised by what it answers"
_NO_OTHER_CODE = "nothing measures it yet: there is no code of somebody else to compare a tool with"
_OF_CODE_BLEU = ("code_bleu", "ngram", "weighted_ngram", "ast", "dataflow")
_DECIDED = "decisions are made with commands and buttons, never with words"
_ALWAYS = "this is always so"
WITHOUT_EFFECT: Mapping[str, str] = {
    "llm.provider": _OF_THE_REPLY,
    "llm.inference_engine": _OF_THE_REPLY,
    "llm.code_generation_model.quantization": _OF_THE_SERVER,
    "llm.code_generation_model.gpu_memory_utilization": _OF_THE_SERVER,
    "llm.fallback_model.quantization": _OF_THE_SERVER,
    "llm.fallback_model.gpu_memory_utilization": _OF_THE_SERVER,
    "multi_gpu.enabled": _OF_THE_SERVER,
    "multi_gpu.tensor_parallel_size": _OF_THE_SERVER,
    "validation.code_bleu_weights": _NO_OTHER_CODE,
    "validation.metric_weights.code_bleu": _NO_OTHER_CODE,
    **{f"validation.quality_thresholds.{part}_min": _NO_OTHER_CODE for part in _OF_CODE_BLEU},
    "feedback.timeout_seconds": "a card waits for `feedback.card_days`",
    "feedback.approve_keywords": _DECIDED,
    "feedback.reject_keywords": _DECIDED,
    "feedback.default_decision": _DECIDED,
    "promotion.require_version_bump": _ALWAYS,
    "promotion.keep_promotion_log": _ALWAYS,
}
"""Keys that are accepted so that existing files load, with the reason why they change nothing."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class NamedModelSettings(_Section):
    """One model of the server, as the seed's long form has it; what is not given is that of `llm`."""

    model_name: str
    temperature: float | None = None
    max_tokens: int | None = Field(default=None, ge=1)
    top_p: float | None = Field(default=None, gt=0, le=1)
    quantization: str | None = None
    gpu_memory_utilization: float | None = None


class BudgetSettings(_Section):
    """How many tokens may be used, those of prompts and those of replies together; `None` is no limit."""

    per_question: int | None = Field(default=None, ge=1)
    per_day: int | None = Field(default=None, ge=1)


class PriceSettings(_Section):
    """What a million tokens cost, to show costs; nobody else knows."""

    input_per_mtok: float = Field(default=0, ge=0)
    output_per_mtok: float = Field(default=0, ge=0)
    cached_input_per_mtok: float | None = Field(default=None, ge=0)
    currency: str = "USD"


class LlmSettings(_Section):
    """The optional language model; without one there is the built-in planner alone."""

    model: str | None = None
    base_url: str | None = None
    api_key_env: str | None = None
    """The name of the environment variable with the key; never the key."""
    provider: str | None = None
    inference_engine: str | None = None
    temperature: float = 0.2
    max_tokens: int = Field(default=2000, ge=1)
    code_generation_model: NamedModelSettings | None = None
    fallback_model: NamedModelSettings | None = None
    """Asked where the first model is missing, busy or broken."""
    privacy: Literal["none", "masked", "rows"] = "none"
    """What of the data a prompt may hold, besides names and types: nothing, shapes of values, or some rows."""
    low_cardinality_values: bool = False
    """Whether a prompt may hold the values of columns that have few different ones."""
    second_reader: bool = False
    """Whether the model also reads what the planner read, in the background."""
    surface: Literal["sql", "plan", "auto"] = "auto"
    """What the model is asked for: SQL, a plan in a form that only has the table's names, or SQL first."""
    candidates: int = Field(default=1, ge=1, le=10)
    """How many replies the model is asked for at a time; the one that most of them agree with is taken."""
    budget: BudgetSettings = BudgetSettings()
    prices: PriceSettings | None = None
    timeout_seconds: float = Field(default=600, ge=1)
    """How long one request may take."""
    embedding: str | None = None
    """An embedding model of the same server, which compares questions with tools; without one their words are."""
    cache: bool = True
    """Whether replies are kept, so that the same prompt is not sent twice."""

    @property
    def names_a_model(self) -> bool:
        """True where a model is named; whether there is an address for it is another question."""
        return self.model is not None or self.code_generation_model is not None

    @field_validator("fallback_model", "code_generation_model", mode="before")
    @classmethod
    def _name_alone(cls, value: object) -> object:
        return {"model_name": value} if isinstance(value, str) else value

    @field_validator("api_key_env")
    @classmethod
    def _a_name(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", value):
            raise ValueError("it must be the name of an environment variable, not the key itself")
        return value

    @field_validator("base_url")
    @classmethod
    def _without_password(cls, value: str | None) -> str | None:
        if value is not None and (urlsplit(value).username or urlsplit(value).password):
            raise ValueError("it must not hold a user name or a password; use `llm.api_key_env` for a key")
        return value


class MultiGpuSettings(_Section):
    """The seed's keys for the start of a model server."""

    enabled: bool = False
    tensor_parallel_size: int = 1


class ValidationSettings(_Section):
    """Bounds of the gates."""

    max_repair_iterations: int = Field(default=3, ge=0)
    sandbox_timeout_seconds: float = Field(default=30, ge=1, le=300)
    quality_thresholds: QualityThresholds = QualityThresholds()
    quality_tiers: QualityTiers = QualityTiers()
    metric_weights: MetricWeights = MetricWeights()
    code_bleu_weights: CodeBleuWeights = CodeBleuWeights()


class SandboxSettings(_Section):
    """What confines generated code. Levels are 1 (strongest) to 3; `0` accepts an unconfined process, by name only."""

    minimum_level: Literal[0, 1, 2, 3] = 2
    memory_mb: int = Field(default=4096, ge=512)
    max_rows: int = Field(default=10_000_000, ge=1)
    max_columns: int = Field(default=10_000, ge=1)
    data_paths: tuple[Path, ...] = ()
    """Files and folders that code sent by a client may read; it can write none of them."""
    begin_at_load: bool = True
    """Whether `%load_ext` starts the processes that wait for tools, in the background."""
    backend: Literal["auto", "process", "namespaces", "landlock", "container", "macos"] = "auto"
    """How tools are confined; `auto` is the strongest way there is here."""
    docker_images: tuple[str, ...] = ()
    """Container images that code sent by a client may name, besides the languages' own."""
    docker_job_image: str | None = None
    """The container image that tools run in where they run in containers: with Python and pandas."""
    docker_network: bool = False
    """Whether a client may ask for a network in a container."""
    docker_host: str | None = None
    """Where the container engine listens; `None` is `DOCKER_HOST`, or the usual place."""

    @field_validator("data_paths", "docker_images", mode="before")
    @classmethod
    def _one_or_several(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value


class RegistrySettings(_Section):
    """Where tools are kept; `None` means Jupyter's data folder, or `registry_store` for who works in our checkout.

    The seed's three paths may be given instead.
    """

    path: Path | None = None
    active_path: Path | None = None
    staging_path: Path | None = None
    archive_path: Path | None = None
    require_signatures: bool = False
    """Whether only tools run whose approval you signed, or somebody whose key you trust."""
    trusted_signers: tuple[str, ...] = ()
    """Public keys of other people, in hex; `doctor` shows yours."""
    shared: bool = False
    """Whether a team shares the folder in version control: each person has a log of their own, and signatures count."""

    @property
    def needs_signatures(self) -> bool:
        """Whether an approval counts only with a signature."""
        return self.require_signatures or self.shared

    @field_validator("trusted_signers", mode="before")
    @classmethod
    def _keys(cls, value: object) -> object:
        several = (value,) if isinstance(value, str) else value
        if isinstance(several, list | tuple) and not all(re.fullmatch("[0-9a-f]{64}", str(key)) for key in several):
            raise ValueError("each key is 64 digits and letters from a to f")
        return several

    @model_validator(mode="after")
    def _one_folder(self) -> Self:
        places = {"active": self.active_path, "staging": self.staging_path, "archive": self.archive_path}
        roots = {path.expanduser().parent for path in places.values() if path is not None}
        named = all(path is None or path.name == name for name, path in places.items())
        if not named or len(roots | ({self.path.expanduser()} if self.path else set())) > 1:
            raise ValueError(
                "a registry is one folder with `active`, `staging` and `archive` in it; give that folder as `path`, "
                "or three paths in one folder with these names"
            )
        return self


class FeedbackSettings(_Section):
    """How long a question to a person stays open. Words that approve are fixed, not configurable (ruling R1)."""

    timeout_seconds: float = 300
    card_days: float = Field(default=7, gt=0, le=36_500)
    """After so many days without a decision a card goes to the archive, from where it can be reopened."""
    approve_keywords: tuple[str, ...] = ()
    reject_keywords: tuple[str, ...] = ()
    default_decision: Literal["REJECTED", "PENDING"] = "REJECTED"


class PromotionSettings(_Section):
    """Rules of the second transaction."""

    require_version_bump: bool = True
    keep_promotion_log: bool = True


class ServerSettings(_Section):
    """The MCP server; port 0 takes a free one.

    `data_folders` are open to clients besides the folders where the server and Jupyter were started and those of files
    that were asked about. `allow_remote` lets `host` be an address that other machines reach, over plain HTTP.
    """

    host: str = "127.0.0.1"
    port: int = Field(default=0, ge=0, le=65535)
    data_folders: tuple[Path, ...] = ()
    source_folders: tuple[Path, ...] = ()
    """Folders with source code that clients may have analyzed and built, with all below them."""
    output_folders: tuple[Path, ...] = ()
    """Folders that reports, builds and generated code may be written into, with all below them."""
    allow_remote: bool = False

    families: tuple[Literal["sandbox", "coding", "dynamic", "building"], ...] = (
        "sandbox",
        "coding",
        "dynamic",
        "building",
    )
    """The kinds of built-in tools that are offered besides the approved ones."""
    mode: Literal["safe", "unsafe"] = "safe"
    """What clients' tools may ask for: in `safe` mode nothing that writes."""
    consent_seconds: float = Field(default=300, gt=0, le=3600)
    """How long a client may wait for a person's decision about its tool."""
    client_tools: int = Field(default=100, ge=0)
    """How many tools clients may have made at a time."""
    client_tools_mb: float = Field(default=10, gt=0)
    """How large they may be together."""
    client_call_seconds: float = Field(default=5, gt=0, le=300)
    client_call_mb: int = Field(default=100, ge=16)
    client_calls_per_minute: int = Field(default=10, ge=1)
    """The limits of a client's tool that names none of its own."""
    elicitation: bool = False
    """Whether a decision about an offered tool may be made in the client that offers it (MCP elicitation)."""
    auto_correct_json: bool = False
    """Whether malformed JSON that a client sends about its tool is corrected, and said to be."""
    search_beyond: int = Field(default=SEARCH_BEYOND, ge=0)
    """With more approved tools than this, the lists of the server name none of them, and clients search."""
    session_idle_seconds: float = Field(default=3600, gt=0)
    """A session that nobody used for so long is destroyed."""
    session_memory_mb: int | None = Field(default=None, ge=32)
    """How much memory all sessions may be given together; `None` is half of the machine's."""

    @field_validator("data_folders", "source_folders", "output_folders", "families", mode="before")
    @classmethod
    def _one_or_several(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value


class GuidanceSettings(_Section):
    """Whether clients are told what to do about a failure of the code that they sent."""

    enabled: bool = True


class FuelAnalysisSettings(_Section):
    """Whether clients are told what the code that they sent used of its budget, and which one to ask for."""

    enabled: bool = True


class PlannerSettings(_Section):
    """The built-in planner; `language` is the one that questions are asked in."""

    language: Literal["en", "de"] = "en"


class DataSettings(_Section):
    """Where the tables of questions may be."""

    urls: bool = False
    """Whether a file that a question names by its address on the web is fetched."""


class Settings(_Section):
    """Every setting, frozen."""

    llm: LlmSettings = LlmSettings()
    multi_gpu: MultiGpuSettings = MultiGpuSettings()
    planner: PlannerSettings = PlannerSettings()
    gap: GapScale = GapScale()
    data: DataSettings = DataSettings()
    validation: ValidationSettings = ValidationSettings()
    sandbox: SandboxSettings = SandboxSettings()
    registry: RegistrySettings = RegistrySettings()
    feedback: FeedbackSettings = FeedbackSettings()
    promotion: PromotionSettings = PromotionSettings()
    server: ServerSettings = ServerSettings()
    guidance: GuidanceSettings = GuidanceSettings()
    fuel_analysis: FuelAnalysisSettings = FuelAnalysisSettings()

    @property
    def registry_path(self) -> Path:
        """The root folder of the registry."""
        if self.registry.path is not None:
            return self.registry.path.expanduser()
        for path in (self.registry.active_path, self.registry.staging_path, self.registry.archive_path):
            if path is not None:
                return path.expanduser().parent
        own = None if "JUPYTER_DATA_DIR" in os.environ else checkout_registry(Path.cwd())
        return own or jupyter_folder("data") / "mcpgen" / "registry"


def checkout_registry(here: Path, package: Path = Path(__file__).parent) -> Path | None:
    """Return the registry of the checkout that the product runs from, for somebody who stands in it."""
    root = package.parent.resolve()
    is_checkout = (root / "registry_store" / "starter").is_dir() and (root / "pyproject.toml").is_file()
    return root / "registry_store" if is_checkout and here.resolve().is_relative_to(root) else None


class LoadedSettings(BaseModel):
    """The settings, for each key where its value came from, and what was ignored."""

    model_config = ConfigDict(frozen=True)

    values: Settings
    origins: Mapping[str, str]
    ignored: tuple[str, ...] = ()
    """A sentence for each key that its source may not set."""

    def rows(self) -> Iterator[tuple[str, Any, str]]:
        """Yield key, value and origin of every setting, in order."""
        for name, value in _leaves(self.values):
            yield name, value, self._origin(name) or "default"

    def without_effect(self) -> tuple[tuple[str, str], ...]:
        """Return the keys that somebody set and that change nothing, each with the reason."""
        return tuple((key, why) for key, why in WITHOUT_EFFECT.items() if self._origin(key))

    def _origin(self, name: str) -> str | None:
        """Return where a value came from; where several parts of it were set, the place of the last one."""
        below = [origin for key, origin in self.origins.items() if key == name or key.startswith(f"{name}.")]
        return below[-1] if below else None


def jupyter_folder(kind: Literal["config", "data", "runtime"]) -> Path:
    """Return one of Jupyter's folders of the current user."""
    from jupyter_core.paths import jupyter_config_dir, jupyter_data_dir, jupyter_runtime_dir  # deferred: 30 ms

    folders = {"config": jupyter_config_dir, "data": jupyter_data_dir, "runtime": jupyter_runtime_dir}
    return Path(folders[kind]())


def state_folder() -> Path:
    """Return the folder for the server's state and the sandbox's proof: Jupyter's data folder, outside the registry."""
    return jupyter_folder("data") / "mcpgen"


def load_settings(
    project: Path | None = None,
    environment: Mapping[str, str] | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> LoadedSettings:
    """Merge all sources into one value.

    `overrides` maps dotted keys to values. Raises `SettingsError` that names the key and the file or variable.
    """
    origins: dict[str, str] = {}
    merged: dict[str, Any] = {}
    ignored: list[str] = []
    here, told = project or Path.cwd(), os.environ if environment is None else environment
    for source in _sources(here, told, overrides):
        tree = source.tree
        if source.closed_to:
            tree, refused = _harmless(tree)
            ignored += [_ignored(key, source) for key in refused]
        for section, keys in tree.items():
            if not isinstance(keys, Mapping):
                raise SettingsError(f"`{section}` in {source.origin} must hold keys, not `{keys!r}`.")
        _merge(merged, tree, source.origin, origins)
    try:
        return LoadedSettings(values=Settings.model_validate(merged), origins=origins, ignored=tuple(ignored))
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        said = next((said for name, said in origins.items() if _share_a_path(name, key)), "the defaults")
        raise SettingsError(
            f"The setting `{key}` from {said} cannot be used: {first['msg']}. `%mcpgen config` lists all settings."
        ) from error


def remember_model(chosen: Mapping[str, str | None]) -> None:
    """Keep which model to ask; `chosen` holds keys of `llm`."""
    import yaml  # deferred: only a choice writes

    path = jupyter_folder("config") / CHOSEN_MODEL
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump({"llm": dict(chosen)}), encoding="utf-8")


def forget_model() -> None:
    """Forget which model to ask; one that a person wrote into their settings stays."""
    (jupyter_folder("config") / CHOSEN_MODEL).unlink(missing_ok=True)


def remember_option(key: str, value: object) -> None:
    """Keep the value of one setting that a person chose with a command; `key` is dotted."""
    import yaml  # deferred: only a choice writes

    path = jupyter_folder("config") / CHOSEN_OPTIONS
    tree = dict(read_file(path)) if path.is_file() else {}
    _merge(tree, _nested(tuple(key.split(".")), value), "", {})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump(tree), encoding="utf-8")


class _Source(NamedTuple):
    origin: str
    tree: Mapping[str, Any]
    closed_to: str = ""
    """Who must not decide about data, code and trust, where this source is theirs."""


def _sources(project: Path, environment: Mapping[str, str], overrides: Mapping[str, Any] | None) -> Iterator[_Source]:
    own = jupyter_folder("config") / FILE_NAME
    if own.is_file():
        yield _Source(f"`{own}`", read_file(own))
    page = _settings_page(environment)
    if page.is_file():
        ours = {section: keys for section, keys in read_json5(page).items() if section in Settings.model_fields}
        yield _Source("JupyterLab's settings page", ours, closed_to="a page")
    chosen = jupyter_folder("config") / CHOSEN_MODEL
    if chosen.is_file():
        yield _Source("`model use`", read_file(chosen))
    options = jupyter_folder("config") / CHOSEN_OPTIONS
    if options.is_file():
        yield _Source("`option`", read_file(options))
    if (project / FILE_NAME).is_file() and project != own.parent:
        yield _Source(f"`{project / FILE_NAME}`", read_file(project / FILE_NAME), closed_to="a project")
    if named := environment.get(CONFIG_VARIABLE, "").strip():
        path = Path(named).expanduser()
        if not path.is_file():
            raise SettingsError(f"`{named}`, which `{CONFIG_VARIABLE}` or `--config` names, is not a file.")
        yield _Source(f"`{path}`", read_file(path))
    for name, value in environment.items():
        section, *keys = name.removeprefix("MCPGEN_").lower().split("__")
        if name.startswith("MCPGEN_") and keys and all(keys):
            yield _Source(f"`{name}`", _nested((section, *keys), read_value(name, value)))
    for dotted, value in (overrides or {}).items():
        yield _Source("the command", _nested(tuple(dotted.split(".")), value))


def _settings_page(environment: Mapping[str, str]) -> Path:
    """Return where JupyterLab keeps what a person set for our extension."""
    folder = environment.get("JUPYTERLAB_SETTINGS_DIR")
    users = Path(folder) if folder else jupyter_folder("config") / "lab" / "user-settings"
    return users / "jupyter-mcpgen" / "card.jupyterlab-settings"


def _nested(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    first, *rest = path
    return {first: _nested(tuple(rest), value) if rest else value}


def _merge(
    into: dict[str, Any], tree: Mapping[str, Any], origin: str, origins: dict[str, str], above: str = ""
) -> None:
    """Put the values of one source over those of earlier ones, key by key."""
    for key, value in tree.items():
        name = f"{above}{key}"
        if isinstance(value, Mapping):
            below = into.get(key)
            into[key] = below if isinstance(below, dict) else {}
            _merge(into[key], value, origin, origins, f"{name}.")
        else:
            into[key] = value
            for old in [old for old in origins if f"{old}.".startswith(f"{name}.")]:
                del origins[old]
            origins[name] = origin


def _harmless(tree: Mapping[str, Any]) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """Return the settings that a project may make, and the names of those that it may not."""
    refused = tuple(
        f"{section}.{key}"
        for section, keys in tree.items()
        if isinstance(keys, Mapping) and (allowed := PROJECT_MAY_SET.get(section)) is not None
        for key in keys
        if key not in allowed
    )
    kept = {
        section: {key: value for key, value in keys.items() if f"{section}.{key}" not in refused}
        if isinstance(keys, Mapping)
        else keys
        for section, keys in tree.items()
    }
    return kept, refused


def _ignored(key: str, source: _Source) -> str:
    return (
        f"`{key}` from {source.origin} is ignored, because {source.closed_to} must not decide who sees data, what "
        "confines code, or which tools are trusted. "
        f"Set it in `{jupyter_folder('config') / FILE_NAME}`, or name a file with `{CONFIG_VARIABLE}`."
    )


def _share_a_path(one: str, other: str) -> bool:
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


def _leaves(section: BaseModel, above: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in section:
        if isinstance(value, BaseModel):
            yield from _leaves(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", value
