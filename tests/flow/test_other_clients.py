"""Clients of other projects, over both transports: they find, call, hear and read what a Python client does."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.flow.surface import Served, person, serving
from tests.node import packages
from tests.small_tools import SmallTool

soak = pytest.mark.soak
pytestmark = [pytest.mark.timeout(1_200), pytest.mark.alone]
SECONDS = 120
TRAP = {"type": "object", "properties": {"trap": {"type": "string"}}, "required": ["trap"]}
TOOLS = (
    SmallTool("name_trap", "print('not for the client')\nreturn f'trap {trap}'", TRAP),
    SmallTool("never_works", "raise ValueError('The traps are empty.')"),
)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """Start a server of the product over a registry with two approved tools."""
    with serving(tmp_path, TOOLS) as served:
        yield served


def by_stdio(served: Served) -> list[str]:
    """Return the command with which a client starts a server of its own."""
    return [*served.program, "--stdio", "--registry", str(served.registry), "--state", str(served.state)]


@pytest.mark.parametrize("sdk", ["v1", "v2"])
@pytest.mark.parametrize("transport", ["http", "stdio"])
@soak
def test_a_typescript_client_finds_calls_hears_and_reads(served: Served, sdk: str, transport: str) -> None:
    packages.install()
    command, *arguments = by_stdio(served)
    way: dict[str, Any] = (
        {"http": {"url": served.status.url, "token": served.status.token.get_secret_value()}}
        if transport == "http"
        else {"stdio": {"command": command, "args": arguments, "env": packages.environment() | served.environment}}
    )
    story = {"sdk": sdk, "tool": "name_trap", "failing": "never_works", "later": "came_later"}
    words = [*packages.node("session.mjs"), json.dumps({**story, **way, "argument": {"trap": "north"}})]
    with subprocess.Popen(
        words, cwd=packages.HERE, env=packages.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as visitor:
        assert visitor.stdout is not None
        assert visitor.stderr is not None
        line = visitor.stdout.readline()
        assert line, visitor.stderr.read()
        first = json.loads(line)
        SmallTool("came_later", "return 'here'").promote(person())
        second = json.loads(visitor.stdout.readline())
        visitor.communicate(timeout=SECONDS)

    assert first.pop("version") == {"v1": "2025-11-25", "v2": "2026-07-28"}[sdk]
    assert {"name_trap", "never_works"} < set(first.pop("tools"))
    assert first.pop("unknown")["failed"]
    assert first.pop("prompt").startswith("Call the tool `name_trap`")
    assert "def name_trap(trap: str)" in first.pop("resource")
    assert "mcpgen://tools/name_trap/source" in first.pop("resources")
    assert first == {
        "answer": {"failed": False, "text": "trap north", "structured": {"result": "trap north"}},
        "error": {
            "failed": True,
            "text": "`never_works` gave no result: ValueError: The traps are empty.",
            "structured": None,
        },
        "prompts": ["name_trap", "never_works"],
    }
    assert "came_later" in second["tools"]
    assert second["answer"]["structured"] == {"result": "here"}


def inspected(served: Served, transport: str, *words: str) -> tuple[int, str]:
    """Return how the Inspector ends, and what it prints."""
    way = (
        [served.status.url, "--transport", "http", "--header", f"Authorization: Bearer {token_of(served)}"]
        if transport == "http"
        else [
            *by_stdio(served),
            *(word for name, value in served.environment.items() for word in ("-e", f"{name}={value}")),
        ]
    )
    ran = packages.run([packages.program("mcp-inspector"), "--cli", *way, *words], seconds=SECONDS)
    return ran.returncode, ran.stdout + ran.stderr


def token_of(served: Served) -> str:
    return served.status.token.get_secret_value()


@pytest.mark.parametrize("transport", ["http", "stdio"])
@soak
def test_the_inspector_finds_calls_and_reads(served: Served, transport: str) -> None:
    packages.install()

    def said(*words: str, status: int = 0) -> str:
        ended, text = inspected(served, transport, "--method", *words)
        assert ended == status, text
        return text

    assert '"name_trap"' in said("tools/list", "--strict")
    assert '"result": "trap north"' in said("tools/call", "--tool-name", "name_trap", "--tool-arg", "trap=north")
    assert "The traps are empty." in said("tools/call", "--tool-name", "never_works", status=5)
    assert '"name_trap"' in said("prompts/list")
    assert "Call the tool" in said("prompts/get", "--prompt-name", "name_trap", "--prompt-args", "trap=north")
    assert "mcpgen://tools/name_trap/card" in said("resources/list")
    assert "def name_trap" in said("resources/read", "--uri", "mcpgen://tools/name_trap/source")

    SmallTool("came_later", "return 'here'").promote(person())
    assert '"result": "here"' in said("tools/call", "--tool-name", "came_later")


@soak
def test_the_inspector_without_a_token_gets_nothing(served: Served) -> None:
    packages.install()

    ran = packages.run(
        [
            packages.program("mcp-inspector"),
            "--cli",
            served.status.url,
            "--transport",
            "http",
            "--method",
            "tools/list",
        ],
        seconds=SECONDS,
    )

    assert ran.returncode != 0
    assert "name_trap" not in ran.stdout


def test_the_inspector_lists_the_tools_of_the_product(served: Served) -> None:
    if not packages.are_there():
        pytest.skip("The clients of other projects are not installed; `make soak` installs them.")

    ended, text = inspected(served, "http", "--method", "tools/list", "--strict")

    assert (ended, '"name_trap"' in text) == (0, True), text
