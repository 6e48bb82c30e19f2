"""All settings as one typed value, read once at the edges.

Order, later wins: defaults, `mcpgen.yaml` in Jupyter's configuration folder, the project's `mcpgen.yaml`,
environment variables `MCPGEN_*` (nested with `__`), options of a command. The keys of seed 000 §5.5 are
accepted; `docs/settings.md` lists those that have an effect.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from jupyter_mcpgen.errors import SettingsError

FILE_NAME = "mcpgen.yaml"


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LlmSettings(_Section):
    """The optional language model; `None` means the built-in planner alone."""

    model: str | None = None
    base_url: str | None = None
    temperature: float = 0.2
    max_tokens: int = 2000


class ValidationSettings(_Section):
    """Bounds of the gates."""

    max_repair_iterations: int = Field(default=3, ge=0)
    sandbox_timeout_seconds: float = Field(default=30, ge=1, le=300)
    quality_thresholds: Mapping[str, float] = Field(default_factory=dict)
    metric_weights: Mapping[str, float] = Field(default_factory=dict)
    code_bleu_weights: Mapping[str, float] = Field(default_factory=dict)


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
    """Where tools are kept; `None` means Jupyter's data folder. The seed's three paths may be given instead."""

    path: Path | None = None
    active_path: Path | None = None
    staging_path: Path | None = None
    archive_path: Path | None = None

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
    card_days: float = Field(default=7, gt=0)
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
    allow_remote: bool = False

    families: tuple[Literal["sandbox", "coding"], ...] = ("sandbox", "coding")
    """The kinds of built-in tools that are offered besides the approved ones."""
    session_idle_seconds: float = Field(default=3600, gt=0)
    """A session that nobody used for so long is destroyed."""
    session_memory_mb: int | None = Field(default=None, ge=32)
    """How much memory all sessions may be given together; `None` is half of the machine's."""

    @field_validator("data_folders", "families", mode="before")
    @classmethod
    def _one_or_several(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value


class PlannerSettings(_Section):
    """The built-in planner; `language` is the one that questions are asked in."""

    language: Literal["en", "de"] = "en"


class Settings(_Section):
    """Every setting, frozen."""

    llm: LlmSettings = LlmSettings()
    planner: PlannerSettings = PlannerSettings()
    validation: ValidationSettings = ValidationSettings()
    sandbox: SandboxSettings = SandboxSettings()
    registry: RegistrySettings = RegistrySettings()
    feedback: FeedbackSettings = FeedbackSettings()
    promotion: PromotionSettings = PromotionSettings()
    server: ServerSettings = ServerSettings()

    @property
    def registry_path(self) -> Path:
        """The root folder of the registry."""
        if self.registry.path is not None:
            return self.registry.path.expanduser()
        for path in (self.registry.active_path, self.registry.staging_path, self.registry.archive_path):
            if path is not None:
                return path.expanduser().parent
        return jupyter_folder("data") / "mcpgen" / "registry"


class LoadedSettings(BaseModel):
    """The settings, and for each key where its value came from."""

    model_config = ConfigDict(frozen=True)

    values: Settings
    origins: Mapping[str, str]

    def rows(self) -> Iterator[tuple[str, Any, str]]:
        """Yield key, value and origin of every setting, in order."""
        for section in type(self.values).model_fields:
            for key, value in dict(getattr(self.values, section)).items():
                name = f"{section}.{key}"
                yield name, value, self.origins.get(name, "default")


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
    merged: dict[str, dict[str, Any]] = {}
    for origin, tree in _sources(project or Path.cwd(), os.environ if environment is None else environment, overrides):
        for section, keys in tree.items():
            if not isinstance(keys, Mapping):
                raise SettingsError(f"`{section}` in {origin} must hold keys, not `{keys!r}`.")
            for key, value in keys.items():
                merged.setdefault(section, {})[key] = value
                origins[f"{section}.{key}"] = origin
    try:
        return LoadedSettings(values=Settings.model_validate(merged), origins=origins)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"][:2])
        origin = next((said for name, said in origins.items() if f"{name}.".startswith(f"{key}.")), "the defaults")
        raise SettingsError(
            f"The setting `{key}` from {origin} cannot be used: {first['msg']}. `%mcpgen config` lists all settings."
        ) from error


def _sources(
    project: Path, environment: Mapping[str, str], overrides: Mapping[str, Any] | None
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path in (jupyter_folder("config") / FILE_NAME, project / FILE_NAME):
        if path.is_file():
            yield f"`{path}`", _read_yaml(path)
    for name, value in environment.items():
        section, _, key = name.removeprefix("MCPGEN_").lower().partition("__")
        if name.startswith("MCPGEN_") and key:
            yield f"`{name}`", {section: {key: _parse(name, value)}}
    for dotted, value in (overrides or {}).items():
        section, _, key = dotted.partition(".")
        yield "the command", {section: {key: value}}


def _parse(name: str, text: str) -> Any:
    import yaml  # deferred: most people set nothing

    try:
        return yaml.safe_load(text) if text.strip() else text
    except yaml.YAMLError as error:
        raise SettingsError(f"The value of `{name}` cannot be read: {_place_of(error)}. Put it in quotes.") from error


def _read_yaml(path: Path) -> Mapping[str, Any]:
    import yaml  # deferred: most people set nothing

    try:
        tree = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except yaml.YAMLError as error:
        raise SettingsError(
            f"`{path}` is not valid YAML: {_place_of(error)}. Correct it, or delete the file."
        ) from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"`{path}` cannot be read as settings: it is not UTF-8 text.") from error
    except OSError as error:
        raise SettingsError(f"`{path}` cannot be read as settings: {error.strerror or error}.") from error
    if not isinstance(tree, Mapping):
        raise SettingsError(f"`{path}` must hold sections of keys, such as `registry:` with `path: …` below it.")
    return tree


def _place_of(error: Exception) -> str:
    """Say in one line what is wrong with a YAML text, and where."""
    problem, mark = getattr(error, "problem", None), getattr(error, "problem_mark", None)
    where = f" in line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""
    return f"{problem or 'it holds a character that YAML forbids'}{where}"
