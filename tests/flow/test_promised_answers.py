"""Every tool that the server lists gives what its schema promises: in the list, or, of built-in tools, in the guide."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import httpx2
import pytest
from mcp import Client

from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.server import launch
from tests.flow.surface import Served, serving
from tests.levels import needs
from tests.small_tools import SmallTool

pytestmark = needs(ProgramSandbox().missing())
SEED = {"type": "object", "properties": {"seed": {"type": "string"}}, "required": ["seed"]}
TOOLS = (SmallTool("name_seed", "return seed", SEED), SmallTool("count_seeds", "return 12", gives={"type": "integer"}))
CLIMB = {"name": "climb", "source_code": "def climb(step: int):\n    return step + 1"}
SESSION = {"session_id": "garden"}
WHERE = {"language": "python", "target_directory": "made"}
UNKNOWN = "NameError: name 'math' is not defined"
CALLS: Sequence[tuple[str, Mapping[str, Any]]] = (
    ("name_seed", {"seed": "oat"}),
    ("count_seeds", {}),
    ("list_available_tools", {}),
    ("search_tools", {"query": "seed"}),
    ("call_tool", {"name": "name_seed", "arguments": {"seed": "rye"}}),
    ("list_runtimes", {}),
    ("list_available_packages", {}),
    ("execute_code", {"code": "print(1)"}),
    ("execute_code", {"code": "1 / 0"}),
    ("create_session", SESSION),
    ("execute_code", {"code": "x = 2", **SESSION}),
    ("write_session_file", {**SESSION, "path": "a.txt", "content": "oats"}),
    ("list_sessions", {}),
    ("list_session_files", SESSION),
    ("read_session_file", {**SESSION, "path": "a.txt"}),
    ("delete_session_file", {**SESSION, "path": "a.txt"}),
    ("destroy_session", SESSION),
    ("coding_execute_code", {"language": "python", "code": "print(1)"}),
    ("code_execute", {"language": "python", "code": "print(1)"}),
    ("code_list_languages", {}),
    ("coding_monitor_execution", {"language": "python", "code": "print(1)"}),
    ("coding_run_in_docker", {"language": "python", "code": "print(1)"}),
    ("coding_analyze_file", {"file_path": "sow.py"}),
    ("coding_analyze_file", {"file_path": "gone.py"}),
    ("coding_analyze_project", {"path": ".", "output_path": "sown.json"}),
    ("coding_analyze_project", {"path": "gone"}),
    ("coding_check_quality_gates", {"path": "."}),
    ("coding_check_quality_gates", {"path": ".", "gates": {"max_beds": 1}}),
    ("coding_generate_report", {"analysis_results": {"total_issues": 1}, "output_path": "sown.html"}),
    ("coding_generate_report", {"analysis_results": {}, "output_path": "sown.html"}),
    ("code_review_file", {"path": "sow.py"}),
    ("code_review_file", {"path": "gone.py"}),
    ("code_review_project", {"path": "."}),
    ("code_review_project", {"path": "gone"}),
    ("coding_debug_code", {"source_code": "print(math.pi)", "stdout": "", "stderr": UNKNOWN, "exit_code": 1}),
    ("coding_debug_code", {"source_code": "print(1)", "stdout": "", "stderr": "", "exit_code": 0}),
    ("code_debug", {"code": "print(math.pi)", "stderr": UNKNOWN}),
    ("code_debug", {"code": "print(1)", "stderr": UNKNOWN}),
    ("trigger_build", {"target": "docs:all"}),
    ("trigger_build", {"target": "image:all"}),
    ("get_build_status", {"build_id": "build_0"}),
    ("synthesize_component_from_spec", {"specification_file": "gone.yaml", **WHERE}),
    ("synthesize_component_from_prompt", {"prompt": "a function that sows", **WHERE}),
    ("dynamic_register_tool", CLIMB),
    ("dynamic_register_tool", {**CLIMB, "source_code": "def climb(:"}),
    ("dynamic_update_tool", {"name": "nobody", "version": "2.0.0"}),
    ("dynamic_list_tools", {}),
    ("dynamic_inspect_tool", {"name": "climb"}),
    ("dynamic_registry_stats", {}),
    ("dynamic_revoke_tool", {"name": "climb", "reason": "enough"}),
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    garden = tmp_path_factory.mktemp("garden")
    (garden / "own").mkdir()
    (garden / "own" / "sow.py").write_text("def sow(beds: int) -> int:\n    return beds + 1\n")
    opened = {name: str(garden / "own") for name in ("MCPGEN_SERVER__SOURCE_FOLDERS", "MCPGEN_SERVER__OUTPUT_FOLDERS")}
    with serving(garden, TOOLS, opened) as served:
        yield served


def test_every_answer_is_what_the_schema_in_the_list_or_in_the_guide_promises(served: Served) -> None:
    from jsonschema import Draft202012Validator  # costs more than a second in each process

    async def story() -> tuple[set[str], list[str], list[tuple[str, list[str]]]]:
        async with served.client("auto", "http") as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            schemas = {name: tool.output_schema or await _in_guide(client, name) for name, tool in tools.items()}
            silent, flawed = [], []
            for name, arguments in CALLS:
                answer = await client.call_tool(name, dict(arguments))
                promised = schemas[arguments["name"] if name == "call_tool" else name]
                flaws = [flaw.message for flaw in Draft202012Validator(promised).iter_errors(answer.structured_content)]
                silent += [] if answer.structured_content else [f"{name}: {answer.content[0].text}"]
                flawed += [(name, flaws)] if flaws else []
            return set(tools), silent, flawed

    listed, silent, flawed = asyncio.run(story())

    assert (silent, flawed) == ([], [])
    assert listed == {name for name, _ in CALLS}


async def _in_guide(client: Client, name: str) -> Mapping[str, Any]:
    page = (await client.read_resource(f"mcpgen://guides/{name}")).contents[0].text
    found = re.search(r"SCHEMA OF THE ANSWER\n```json\n(.+)\n```", page)
    return json.loads(found[1]) if found is not None else {}


def listed_bytes(server: launch.ServerStatus, revision: str) -> bytes:
    """Return the bytes that a connection of its own gets for `tools/list`."""
    headers = {
        "Accept": "application/json, text/event-stream",
        "Authorization": f"Bearer {server.token.get_secret_value()}",
        "MCP-Protocol-Version": revision,
    }
    who = {"name": "reader", "version": "1"}
    with httpx2.Client(headers=headers, timeout=60) as http:

        def post(id_: int | None, method: str, params: Mapping[str, Any]) -> httpx2.Response:
            numbered = {} if id_ is None else {"id": id_}
            message = {"jsonrpc": "2.0", **numbered, "method": method, "params": params}
            return http.post(server.url, json=message, headers={"Mcp-Method": method})

        if revision < "2026":
            hello = post(1, "initialize", {"protocolVersion": revision, "capabilities": {}, "clientInfo": who})
            http.headers["Mcp-Session-Id"] = hello.headers["Mcp-Session-Id"]
            post(None, "notifications/initialized", {})
            return post(2, "tools/list", {}).content
        meta = "io.modelcontextprotocol/"
        told = {f"{meta}protocolVersion": revision, f"{meta}clientInfo": who, f"{meta}clientCapabilities": {}}
        return post(2, "tools/list", {"_meta": told}).content


@pytest.mark.soak
@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_the_list_is_the_same_bytes_for_two_connections_and_after_two_restarts(served: Served, revision: str) -> None:
    def running() -> launch.ServerStatus:
        return launch.start(served.registry, folder=served.state)

    seen = [listed_bytes(running(), revision), listed_bytes(running(), revision)]
    for _ in range(2):
        launch.stop(served.state)
        seen.append(listed_bytes(running(), revision))

    assert b'"name_seed"' in seen[0]
    assert seen == [seen[0]] * 4
