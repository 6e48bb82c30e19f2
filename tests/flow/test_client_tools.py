"""Tools that AI clients make, from offer to call, with a real client, a real server process, and a person beside it.

The walks are the specification's checklists (seed 002) with the rulings: nothing is live before a person says so.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.consent import ConsentDecision
from jupyter_mcpgen.notebook_values import FOLDER, ValueServer
from jupyter_mcpgen.runtime import Runtime, build
from jupyter_mcpgen.server import launch
from jupyter_mcpgen.settings import load_settings, state_folder

SOON = 60.0
PROGRAM = [sys.executable, "-c", "import sys; from jupyter_mcpgen.cli import main; sys.exit(main())"]
ADD = "def test_add(a, b):\n    return a + b"
ADDENDS = [
    {"name": "a", "type": "number", "description": "First number", "required": True},
    {"name": "b", "type": "number", "description": "Second number", "required": True},
]
TWICE = "import numpy as np\n\ndef multiply_by_two(arr):\n    return (np.array(arr) * 2).tolist()"
QUICK = "import numpy as np\n\ndef quick_test(x):\n    return x * multiplier"

Call = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return where everything of these tests is kept: registry, consents and sockets."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_DATA_DIR", str(folder / "jupyter"))
        patch.setenv("JUPYTER_CONFIG_DIR", str(folder / "config"))
        patch.setenv("MCPGEN_REGISTRY__PATH", str(folder / "registry"))
        yield folder


@pytest.fixture(scope="module")
def server(home: Path) -> Iterator[launch.ServerStatus]:
    state = state_folder() / "server"
    yield launch.start(home / "registry", folder=state)
    launch.stop(state)


@contextlib.asynccontextmanager
async def connected(server: launch.ServerStatus, era: str = "auto") -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {server.token.get_secret_value()}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=SOON) as http,
        Client(streamable_http_client(server.url, http_client=http), mode=era, cache=None) as client,
    ):
        yield client


def calls_of(client: Client) -> Call:
    async def call(name: str, /, **arguments: Any) -> dict[str, Any]:
        answer = await client.call_tool(name, arguments)
        told = answer.content[0].text if answer.content else ""
        return {**(answer.structured_content or {}), "is_error": answer.is_error, "text": told}

    return call


def typed(*words: str) -> str:
    """Return what the terminal says to a command of a person."""
    ran = subprocess.run([*PROGRAM, *words], capture_output=True, text=True, timeout=120, check=False)
    return ran.stdout + ran.stderr


async def decide(pending: dict[str, Any], how: ConsentDecision = ConsentDecision.ALLOW) -> None:
    """Have a person look at a request and decide, in a process of their own beside the server."""

    def decided() -> None:
        consents = person().consents
        request = consents.request(pending["request_id"])
        consents.decide(request.request_id, request.token, how, [Confirms.UNCHECKED])

    await asyncio.to_thread(decided)


async def live(client: Client, name: str, version: str = "1.0.0") -> None:
    """Wait until a client finds a version of a tool, as one that heard of the change does."""
    async with asyncio.timeout(SOON):
        while (await calls_of(client)("dynamic_inspect_tool", name=name)).get("version") != version or (
            name not in await listed(client)
        ):
            await asyncio.sleep(0.05)


@lru_cache(maxsize=1)
def person() -> Runtime:
    """Return the product of the person, over the registry and the state of the module's home."""
    return build(load_settings().values)


async def listed(client: Client) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}


@pytest.mark.every_run("auto")
@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_a_tool_is_offered_looked_at_changed_and_taken_back(server: launch.ServerStatus, era: str) -> None:
    name = f"add_{era}"
    source = ADD.replace("test_add", name)
    offered = {
        "name": name,
        "source_code": source,
        "parameters": ADDENDS,
        "version": "1.0.0",
        "description": "Add two numbers together for testing",
        "author": "test_user",
        "capabilities": ["cap:python.builtin"],
        "returns": {"type": "number", "description": "Sum of a and b"},
    }

    async def story() -> None:
        async with connected(server, era) as client:
            call = calls_of(client)
            before = await call("dynamic_registry_stats")

            pending = await call("dynamic_register_tool", **offered)
            assert (pending["status"], pending["success"], pending["is_error"]) == ("pending", False, False)
            assert name not in await listed(client)
            assert (await call(name, a=2, b=3))["is_error"]
            waiting = await call("dynamic_inspect_tool", name=pending["request_id"])
            assert (waiting["status"], waiting["source_code"]) == ("pending", source)

            await decide(pending)
            again = await call("dynamic_register_tool", **offered)
            assert (again["status"], again["message"]) == ("success", f"Tool '{name}' registered successfully")
            assert name in await listed(client)
            answer = await call(name, a=2, b=3)
            assert (answer["status"], answer["result"]) == ("success", 5)

            page = await call("dynamic_inspect_tool", name=name)
            assert (page["version"], page["author"], page["invocation_count"]) == ("1.0.0", "test_user", 1)
            assert page["resource_limits"] == {"timeout_seconds": 5, "memory_mb": 100, "rate_limit_per_minute": 10}
            assert [each["decision"] for each in page["approval_history"]] == ["allow"]
            tools = await call("dynamic_list_tools", author="test_user")
            assert name in [each["name"] for each in tools["tools"]]
            assert tools["count"] == tools["total"] == len(tools["tools"])

            changed = await call(
                "dynamic_update_tool", name=name, version="1.1.0", description="Add two numbers, again"
            )
            assert changed["diff"]["source_code_changed"] is False
            assert (await call("dynamic_inspect_tool", name=name))["version"] == "1.0.0"
            await decide(changed)
            await live(client, name, "1.1.0")
            second = await call(
                "dynamic_update_tool", name=name, version="2.0.0", source_code=f"def {name}(a, b):\n    return a - b",
                resource_limits={"timeout_seconds": 10},
            )  # fmt: skip
            assert second["diff"]["source_code_changed"] is True
            assert second["diff"]["resource_limits_changed"] == {"timeout_seconds": {"old": 5, "new": 10}}
            assert (await call(name, a=2, b=3))["result"] == 5
            await decide(second)
            await live(client, name, "2.0.0")
            assert (await call(name, a=2, b=3))["result"] == -1
            shown = await call("dynamic_inspect_tool", name=name, show_diff=True)
            assert (shown["diff"]["before"], shown["diff"]["after"]) == ("1.1.0", "2.0.0")
            assert "-    return a + b" in shown["diff"]["code"]

            gone = await call("dynamic_revoke_tool", name=name, reason="no longer needed")
            assert (gone["status"], gone["success"]) == ("success", True)
            assert (await call(name, a=2, b=3))["is_error"]
            assert name not in await listed(client)
            after = await call("dynamic_registry_stats")
            assert after["total_tools"] == before["total_tools"]

    asyncio.run(story())


def test_the_shortest_offers_are_enough(server: launch.ServerStatus) -> None:
    async def story() -> None:
        async with connected(server) as client:
            call = calls_of(client)
            clock = await call(
                "dynamic_register_tool", name="get_timestamp",
                source_code="import time\n\ndef get_timestamp():\n    return time.time()",
            )  # fmt: skip
            await decide(clock)
            await live(client, "get_timestamp")
            assert (await call("get_timestamp"))["result"] > 1.7e9

            minimal = await call("dynamic_register_tool", name="test_add", source_code=ADD)
            await decide(minimal)
            await live(client, "test_add")
            assert (await call("test_add", a=20, b=22))["result"] == 42

            texts = await call(
                "dynamic_register_tool", name="multiply_by_two", version="1.0.0", author="test_user",
                description="Multiply array by two using NumPy", capabilities='["cap:python.numpy"]',
                parameters='[{"name": "arr", "type": "array", "description": "Input array", "required": true}]',
                returns='{"type": "array", "description": "Multiplied array"}', source_code=TWICE,
            )  # fmt: skip
            await decide(texts)
            await live(client, "multiply_by_two")
            answer = await call("multiply_by_two", arr=[1, 2, 3])
            assert (answer["status"], answer["result"]) == ("success", [2, 4, 6])
            assert (await call("multiply_by_two", arr="1, 2, 3"))["is_error"]

    asyncio.run(story())


@pytest.mark.soak
def test_a_variable_of_the_notebook_is_read_only_with_the_capability_and_as_it_is_at_the_call(
    server: launch.ServerStatus, home: Path
) -> None:
    variables = {"multiplier": 10}

    async def story() -> None:
        async with connected(server) as client:
            call = calls_of(client)
            without = await call(
                "dynamic_register_tool", name="quick_test", source_code=QUICK, capabilities=["cap:python.numpy"]
            )
            assert (without["status"], without["error"]) == ("error", "SchemaValidationError")
            assert "`multiplier`" in without["message"]
            assert "`cap:notebook.read`" in without["message"]

            pending = await call(
                "dynamic_register_tool", name="quick_test", source_code=QUICK,
                capabilities=["cap:python.numpy", "cap:notebook.read"],
            )  # fmt: skip
            shown = await asyncio.to_thread(typed, "inbox", pending["request_id"])
            assert "a copy of multiplier" in shown.replace("`", "")
            await decide(pending)
            await live(client, "quick_test")
            closed = await call("quick_test", x=5)
            assert closed["is_error"]
            assert "no notebook is open" in closed["text"]

            kernel = ValueServer(home / "jupyter" / "mcpgen" / FOLDER, lambda: variables)
            try:
                assert (await call("quick_test", x=5))["result"] == 50
                variables["multiplier"] = 3
                assert (await call("quick_test", x=5))["result"] == 15
                variables["multiplier"] = object()
                assert "which JSON does not have" in (await call("quick_test", x=5))["text"]
            finally:
                kernel.close()

    asyncio.run(story())


@pytest.mark.soak
def test_a_client_may_wait_and_hears_of_the_decision_or_of_the_end_of_its_time(server: launch.ServerStatus) -> None:
    async def story() -> None:
        async with connected(server) as client:
            call = calls_of(client)

            late = await call(
                "dynamic_register_tool", name="late", source_code="def late():\n    return 1", wait_seconds=0.2
            )
            assert (late["status"], late["error"]) == ("error", "ConsentTimeoutError")
            request_id = late["request_id"]
            assert (await call("dynamic_inspect_tool", name=request_id))["status"] == "pending"

            async def declined() -> None:
                while (page := await call("dynamic_inspect_tool", name="refused"))["status"] != "pending":
                    await asyncio.sleep(0.1)
                await asyncio.to_thread(
                    typed, "consent", page["request_id"], "decline", "use", "the", "one", "we", "have"
                )

            waits = call(
                "dynamic_register_tool", name="refused", source_code="def refused():\n    return 1", wait_seconds=50
            )
            answer, _ = await asyncio.gather(waits, declined())
            assert (answer["status"], answer["error"]) == ("error", "ConsentDeniedError")
            assert "use the one we have" in answer["message"]
            assert (await call("refused"))["is_error"]

    asyncio.run(story())


@pytest.mark.soak
def test_standing_consent_covers_the_same_bytes_of_the_same_client_and_nothing_else(
    server: launch.ServerStatus, home: Path
) -> None:
    offered = {"name": "steady", "source_code": "def steady(x: float):\n    return x + 1"}

    async def story() -> None:
        async with connected(server) as client:
            call = calls_of(client)
            first = await call("dynamic_register_tool", **offered)
            await decide(first, ConsentDecision.ALWAYS_ALLOW)
            kept = home / "jupyter" / "mcpgen" / "consents" / "always_allow.json"
            assert oct(kept.stat().st_mode & 0o777) == "0o600"
            assert [each["tool_name"] for each in json.loads(kept.read_text())["consents"]] == ["steady"]

            await call("dynamic_revoke_tool", name="steady")
            again = await call("dynamic_register_tool", **offered)
            assert (again["status"], (await call("steady", x=1))["result"]) == ("success", 2)
            history = (await call("dynamic_inspect_tool", name="steady"))["approval_history"]
            assert [each["decision"] for each in history] == ["allow", "always_allow"]

            await call("dynamic_revoke_tool", name="steady")
            other_byte = await call(
                "dynamic_register_tool", **{**offered, "source_code": offered["source_code"] + "\n"}
            )
            assert other_byte["status"] == "pending"
            await call("dynamic_revoke_tool", name="steady")
            third = await call(
                "dynamic_register_tool", name="third", source_code="def third():\n    return 3", author="steady"
            )
            assert third["status"] == "pending"

            assert "will be asked about again" in await asyncio.to_thread(typed, "consent", "steady", "forget")
            assert (await call("dynamic_register_tool", **offered))["status"] == "pending"

    asyncio.run(story())


def test_names_bounds_and_rates_are_kept(server: launch.ServerStatus) -> None:
    async def story() -> None:
        async with connected(server) as client:
            call = calls_of(client)
            for name, error in (
                ("sum", "NameConflictError"),
                ("execute_code", "NameConflictError"),
                ("Bad", "SchemaValidationError"),
            ):
                refused = await call("dynamic_register_tool", name=name, source_code=f"def {name}():\n    return 1")
                assert (refused["status"], refused["error"], refused["is_error"]) == ("error", error, True)
            for fields, place in (
                ({"description": "short"}, "description"),
                ({"version": "1.0"}, "version"),
                ({"source_code": "x" * 10_001}, "source_code"),
                ({"capabilities": ["network"]}, "capabilities"),
                ({"parameters": "[{name: x}]"}, "parameters"),
                ({"capabilities": ["cap:files.write"]}, "safe mode"),
            ):
                offered = {"name": "bounded", "source_code": "def bounded():\n    return 1", **fields}
                refused = await call("dynamic_register_tool", **offered)
                assert (refused["status"], place in refused["message"]) == ("error", True), refused
            missing = await call("dynamic_update_tool", name="nowhere", description="Something else entirely")
            assert missing["error"] == "ToolNotFoundError"

            rare = await call(
                "dynamic_register_tool", name="rare", source_code="def rare():\n    return 1",
                resource_limits={"rate_limit_per_minute": 1},
            )  # fmt: skip
            await decide(rare)
            await live(client, "rare")
            assert (await call("rare"))["result"] == 1
            beyond = await call("rare")
            assert beyond["is_error"]
            assert "has a limit of 1 call per minute" in beyond["text"]

    asyncio.run(story())


@pytest.mark.soak
def test_a_restarted_server_serves_the_same_tools_over_stdio(server: launch.ServerStatus, home: Path) -> None:
    async def offered() -> None:
        async with connected(server) as client:
            call = calls_of(client)
            await decide(
                await call(
                    "dynamic_register_tool", name="lasting", source_code="def lasting():\n    return [1, {'a': None}]"
                )
            )

    async def later() -> dict[str, Any]:
        arguments = [
            "-m",
            "jupyter_mcpgen.server",
            "--stdio",
            "--registry",
            str(home / "registry"),
            "--state",
            str(home / "other"),
        ]
        started = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
        async with Client(stdio_client(started), cache=None) as client:
            return await calls_of(client)("lasting")

    asyncio.run(offered())

    assert asyncio.run(later())["result"] == [1, {"a": None}]


@pytest.mark.soak
def test_malformed_json_is_corrected_only_where_the_person_switched_that_on(server: launch.ServerStatus) -> None:
    offered = {
        "name": "noted",
        "source_code": "import numpy as np\n\ndef noted(test):\n    return test",
        "parameters": "[{name: test}]",
    }

    async def story(server: launch.ServerStatus) -> dict[str, Any]:
        async with connected(server) as client:
            call = calls_of(client)
            answer = await call("dynamic_register_tool", **offered)
            if answer["status"] == "pending":
                await decide(answer)
                answer = await call("dynamic_register_tool", **offered)
            return answer

    refused = asyncio.run(story(server))
    said = typed("option", "auto_correct_json") + typed("restart")
    restarted = launch.status(state_folder() / "server")
    assert restarted is not None, said
    corrected = asyncio.run(story(restarted))

    assert (refused["status"], refused["error"]) == ("error", "SchemaValidationError")
    assert refused["message"].startswith("Invalid JSON in `parameters`")
    assert (corrected["status"], corrected["corrected_field"]) == ("success_corrected", "parameters")
    assert (corrected["original"], corrected["corrected"]) == ("[{name: test}]", [{"name": "test"}])
    assert restarted.port == server.port


@pytest.mark.soak
def test_every_step_of_a_client_stands_in_the_log(server: launch.ServerStatus, home: Path) -> None:
    lines = [json.loads(line) for line in (home / "registry" / "audit" / "log.jsonl").read_text().splitlines()]

    found = {line["action"] for line in lines if line["by"].startswith("client: ")}
    assert {"REGISTER", "UPDATE", "REVOKE", "ERROR", "CORRECTED"} <= found
    assert all(line["by"].startswith("client: ") is False for line in lines if line["action"] == "APPROVED")
