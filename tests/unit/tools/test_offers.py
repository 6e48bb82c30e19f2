"""The built-in tools say what the seeds say: names, parameters, words, and a page each."""

from __future__ import annotations

import json
import pkgutil
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import jupyter_mcpgen.tools
from jupyter_mcpgen.errors import NameTaken, SettingsError, ToolFailed
from jupyter_mcpgen.registry.reserved import check_name
from jupyter_mcpgen.runtime import Runtime, build, open_to_code
from jupyter_mcpgen.sandbox.execution.executor import Executor
from jupyter_mcpgen.sandbox.policy import Level
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.settings import ServerSettings, Settings, state_folder
from jupyter_mcpgen.tools.families import confinement_note, offers
from jupyter_mcpgen.tools.offer import Offer, plain_schema

MOST_DESCRIBED = 1_024
DISCOVERY = {"list_available_tools", "search_tools", "call_tool"}
"""They are no offers of a family, and have their pages here too."""
RUNS_CODE = {
    "execute_code", "create_session", "coding_execute_code", "coding_monitor_execution", "code_execute",
    "coding_debug_code",
}  # fmt: skip
LANGUAGES = ["bash", "c", "cpp", "go", "java", "javascript", "python", "rust"]


@pytest.fixture(scope="module")
def runtime() -> Iterator[Runtime]:
    made = build(Settings())
    yield made
    made.sessions.close()


@pytest.fixture(scope="module")
def by_name(runtime: Runtime) -> dict[str, Offer[Any]]:
    return {offer.name: offer for offer in offers(runtime)}


def typed(schema: dict[str, Any]) -> dict[str, Any]:
    """Return each parameter's type, and whether it is required."""
    required = schema.get("required", [])
    return {name: (part["type"], name in required) for name, part in schema["properties"].items()}


SEED_PARAMETERS = {
    "coding_execute_code": {
        "language": ("string", True),
        "code": ("string", True),
        "stdin": ("string", False),
        "timeout": ("integer", False),
        "session_id": ("string", False),
    },
    "coding_monitor_execution": {
        "language": ("string", True),
        "code": ("string", True),
        "sample_interval_ms": ("integer", False),
        "include_memory_profile": ("boolean", False),
        "timeout": ("integer", False),
    },
    "coding_run_in_docker": {
        "language": ("string", True),
        "code": ("string", True),
        "image": ("string", False),
        "environment": ("object", False),
        "memory_limit": ("string", False),
        "cpu_limit": ("number", False),
        "network_enabled": ("boolean", False),
        "timeout": ("integer", False),
    },
    "code_execute": {"language": ("string", True), "code": ("string", True), "timeout": ("integer", False)},
    "code_list_languages": {},
    "coding_analyze_file": {
        "file_path": ("string", True),
        "analysis_types": ("array", False),
        "severity_threshold": ("string", False),
    },
    "coding_analyze_project": {
        "path": ("string", True),
        "include_patterns": ("array", False),
        "exclude_patterns": ("array", False),
        "output_path": ("string", False),
        "report_format": ("string", False),
    },
    "coding_check_quality_gates": {
        "path": ("string", True),
        "gates": ("object", False),
        "fail_on_violation": ("boolean", False),
    },
    "coding_generate_report": {
        "analysis_results": ("object", True),
        "output_path": ("string", True),
        "format": ("string", False),
        "include_charts": ("boolean", False),
        "include_recommendations": ("boolean", False),
        "title": ("string", False),
    },
    "coding_debug_code": {
        "source_code": ("string", True),
        "stdout": ("string", True),
        "stderr": ("string", True),
        "exit_code": ("integer", True),
        "language": ("string", False),
        "max_retries": ("integer", False),
    },
    "code_debug": {
        "code": ("string", True),
        "stdout": ("string", False),
        "stderr": ("string", False),
        "exit_code": ("integer", False),
    },
    "code_review_file": {"path": ("string", True)},
    "code_review_project": {"path": ("string", True)},
    "list_runtimes": {},
    "list_available_packages": {},
}
SEED_RESULTS = {
    "coding_execute_code": {"stdout", "stderr", "exit_code", "execution_time", "status", "error_message"},
    "coding_monitor_execution": {"success", "execution_result", "metrics", "timeline"},
    "coding_run_in_docker": {
        "stdout", "stderr", "exit_code", "execution_time", "status", "container_id", "resource_usage",
    },
    "list_runtimes": {"runtimes"},
    "list_available_packages": {"packages"},
    "create_session": {"session_id", "language", "created_at", "auto_persist_globals"},
    "execute_code": {"stdout", "stderr", "exit_code", "execution_time_ms", "fuel_consumed", "success", "metadata"},
}  # fmt: skip


@pytest.mark.parametrize("name", SEED_PARAMETERS)
def test_parameters_are_the_seeds(by_name: dict[str, Offer[Any]], name: str) -> None:
    assert typed(by_name[name].input_schema) == SEED_PARAMETERS[name]


def test_defaults_and_bounds_are_the_seeds(by_name: dict[str, Offer[Any]]) -> None:
    execute = by_name["coding_execute_code"].input_schema["properties"]
    monitor = by_name["coding_monitor_execution"].input_schema["properties"]
    docker = by_name["coding_run_in_docker"].input_schema["properties"]

    assert execute["language"]["enum"] == LANGUAGES
    assert [execute["timeout"][key] for key in ("default", "minimum", "maximum")] == [30, 1, 300]
    assert [monitor[key]["default"] for key in ("sample_interval_ms", "include_memory_profile", "timeout")] == [
        100, False, 60,
    ]  # fmt: skip
    assert [docker[key]["default"] for key in ("memory_limit", "cpu_limit", "network_enabled", "timeout")] == [
        "256m", 1.0, False, 30,
    ]  # fmt: skip


@pytest.mark.parametrize("name", SEED_RESULTS)
def test_results_have_the_seeds_keys(by_name: dict[str, Offer[Any]], name: str) -> None:
    assert SEED_RESULTS[name] <= set(by_name[name].output_schema["properties"])


def test_every_schema_is_a_schema_and_every_parameter_is_explained(by_name: dict[str, Offer[Any]]) -> None:
    from jsonschema import Draft202012Validator  # costs more than a second in each process

    for offer in by_name.values():
        Draft202012Validator.check_schema(offer.input_schema)
        Draft202012Validator.check_schema(offer.output_schema)
        unexplained = [name for name, part in offer.input_schema["properties"].items() if "description" not in part]
        assert (offer.name, set(unexplained) - {"language", "code"}) == (offer.name, set())


def test_every_page_belongs_to_a_tool_and_long_ones_say_when_to_use_it_and_what_to_mind(
    by_name: dict[str, Offer[Any]],
) -> None:
    folder = Path(jupyter_mcpgen.tools.__file__).parent
    pages = {path.stem for path in folder.glob("descriptions/*.md")}

    assert pages == {*by_name, *DISCOVERY}
    assert {path.stem for path in folder.glob("guides/*.md")} <= {*pages, "errors"}
    for name in ("execute_code", "create_session", "coding_execute_code"):
        description, guide = by_name[name].description, by_name[name].guide
        assert [heading for heading in ("WHEN TO USE", "PITFALLS") if heading not in description] == []
        assert [heading for heading in ("DECISION TREE", "EXAMPLES") if heading not in guide] == []
        assert "EXAMPLES" not in description
        assert description in guide


def test_no_description_is_longer_than_a_kilobyte(by_name: dict[str, Offer[Any]]) -> None:
    sizes = {name: len(offer.description.encode()) for name, offer in by_name.items()}

    assert {name: size for name, size in sizes.items() if size > MOST_DESCRIBED} == {}


def test_the_note_of_a_machine_with_much_to_say_leaves_room_for_the_page(tmp_path: Path) -> None:
    runtime = build(Settings())
    many = tuple(tmp_path / f"a folder with a long name, number {number}" for number in range(40))
    runtime.__dict__["executor"] = Executor(data=many)

    assert "40 paths, see `list_runtimes`" in confinement_note(runtime)
    assert max(len(offer.description.encode()) for offer in offers(runtime)) <= MOST_DESCRIBED


def test_the_guide_has_the_schema_of_the_answer_which_the_list_of_tools_leaves_out(
    by_name: dict[str, Offer[Any]],
) -> None:
    for offer in by_name.values():
        block = offer.guide.partition("```json\n")[2].rpartition("\n```")[0]
        assert json.loads(block) == offer.output_schema


def test_the_examples_in_the_guides_are_arguments_that_fit(by_name: dict[str, Offer[Any]]) -> None:
    found = 0
    for offer in by_name.values():
        for line in re.findall(r"^(?:- |EXAMPLES?: ).*$", offer.guide, re.MULTILINE):
            for example in re.findall(r"\{\".*?\}(?= and |$)", line):
                offer.parsed(json.loads(example))
                found += 1
    assert found >= 15


def test_what_runs_code_says_at_which_level(runtime: Runtime, by_name: dict[str, Offer[Any]]) -> None:
    note = confinement_note(runtime)

    assert note.startswith("SANDBOX: ")
    assert {name for name, offer in by_name.items() if offer.description.endswith(note)} == RUNS_CODE


def test_a_machine_that_cannot_confine_programs_says_so_on_every_tool() -> None:
    weak = build(Settings())
    weak.__dict__["executor"] = Executor(sandbox=ProgramSandbox(layers=frozenset(), minimum=Level.LANDLOCK))

    assert confinement_note(weak).startswith("SANDBOX: not available here, so every call ends as `setup_error`")


def test_annotations_follow_from_what_a_tool_can_do(by_name: dict[str, Offer[Any]]) -> None:
    reads = {name for name, offer in by_name.items() if offer.annotations.readOnlyHint}
    removes = {name for name, offer in by_name.items() if offer.annotations.destructiveHint}
    reaches_out = {name for name, offer in by_name.items() if offer.annotations.openWorldHint}

    assert reads == {
        "list_sessions", "list_session_files", "read_session_file", "list_runtimes", "list_available_packages",
        "code_list_languages", "dynamic_list_tools", "dynamic_inspect_tool", "dynamic_registry_stats",
        "coding_analyze_file", "coding_check_quality_gates", "code_review_file", "code_review_project",
        "get_build_status",
    }  # fmt: skip
    assert removes == {
        "destroy_session", "write_session_file", "delete_session_file", "coding_run_in_docker", "dynamic_revoke_tool",
        "coding_analyze_project", "coding_generate_report",
    }  # fmt: skip
    assert reaches_out == {"coding_run_in_docker"}


@pytest.mark.parametrize(
    ("families", "first", "count"),
    [
        ((), None, 0),
        (("coding",), "coding_execute_code", 13),
        (("sandbox",), "execute_code", 10),
        (("dynamic",), "dynamic_register_tool", 6),
        (("building",), "trigger_build", 4),
    ],
)
def test_families_can_be_left_out(families: tuple[Any, ...], first: str | None, count: int) -> None:
    runtime = build(Settings(server=ServerSettings(families=families)))

    names = [offer.name for offer in offers(runtime)]

    assert (names[:1], len(names)) == ([first] if first else [], count)


def test_no_approved_tool_can_take_the_name_of_a_built_in_one_or_of_a_module(by_name: dict[str, Offer[Any]]) -> None:
    modules = [module.name for module in pkgutil.iter_modules(jupyter_mcpgen.tools.__path__)]
    for name in (*by_name, *modules):
        with pytest.raises(NameTaken):
            check_name(name)


def test_an_unknown_or_unfit_argument_is_named(by_name: dict[str, Offer[Any]]) -> None:
    with pytest.raises(ToolFailed, match=r"no parameter `sesion_id`. Did you mean `session_id`"):
        by_name["execute_code"].parsed({"code": "1", "sesion_id": "x"})
    with pytest.raises(ToolFailed, match="`fuel_budget` does not fit"):
        by_name["execute_code"].parsed({"code": "1", "fuel_budget": "much"})
    with pytest.raises(ToolFailed, match=r"`path` is missing\. Its parameters: `session_id`, `path`"):
        by_name["read_session_file"].parsed({"session_id": "x"})


def test_an_optional_parameter_may_be_left_out_and_is_not_said_to_be_null() -> None:
    schema = {
        "title": "T",
        "type": "object",
        "properties": {"title": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None, "title": "Title"}},
    }

    assert plain_schema(schema) == {"type": "object", "properties": {"title": {"type": "string"}}}


def test_the_document_names_exactly_the_tools_that_are_offered(by_name: dict[str, Offer[Any]]) -> None:
    page = (Path(__file__).parents[3] / "docs" / "execution.md").read_text(encoding="utf-8")
    table = page.partition("## The tools")[2].partition("\n## ")[0]
    rows = [row.split("|")[2] for row in table.splitlines() if row.startswith("| ") and "---" not in row]

    assert set(re.findall(r"`(\w+)`", " ".join(rows))) == set(by_name)


def test_data_is_opened_to_code_by_name_and_never_with_what_the_server_keeps(tmp_path: Path) -> None:
    data, registry = tmp_path / "data", tmp_path / "registry"
    data.mkdir()

    assert open_to_code((data, tmp_path / "not there"), registry) == (data,)
    for closed in (Path("/"), Path(tempfile.gettempdir()), state_folder(), registry, registry / "active", tmp_path):
        with pytest.raises(SettingsError, match="must stay closed"):
            open_to_code((closed,), registry)
