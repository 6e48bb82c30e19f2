"""A server of several tools, a module, a catalogue and the context of an image work where this product is not."""

from __future__ import annotations

import asyncio
import io
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from jupyter_mcpgen.build.container import BASE
from jupyter_mcpgen.runtime import Runtime, current
from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from jupyter_mcpgen.verbs.perform import perform
from tests.flow.test_exported_tools import HELLO, SOON, Exported, make_environment
from tests.levels import needs
from tests.products import own_place
from tests.small_tools import SmallTool

pytestmark = [
    pytest.mark.soak,
    needs(ProgramSandbox().missing()),
    pytest.mark.timeout(600),
]  # `test_exported_tools` has the promises of one tool
ROWS = {"type": "object", "properties": {"rows": {"type": "string"}}}
BEDS = SmallTool("count_beds", "return len(rows)", ROWS, gives={"type": "integer"})
PROJECT = """\
[project]
name = "Nursery_Tools"
version = "2.1"
description = "Counts beds."
dependencies = ["pandas>=3"]

[project.scripts]
count-beds = "nursery.command:main"
"""
MODULE = {
    "pyproject.toml": PROJECT,
    "src/nursery/__init__.py": '"""Counts beds."""\n',
    "src/nursery/command.py": "def main() -> None:\n    print('3 beds')\n",
    "src/nursery/words.txt": "beds\n",
    "tests/test_command.py": "from nursery.command import main\n\n\ndef test_it(capsys):\n    main()\n"
    "    assert capsys.readouterr().out == '3 beds\\n'\n",
}
ABOUT = """\
from importlib.metadata import metadata
from importlib.resources import files
about = metadata("nursery-tools")
words = (files("nursery") / "words.txt").read_text()
print(about["Version"], about["Summary"], about["Requires-Dist"], words)
"""


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Exported]:
    folder = tmp_path_factory.mktemp("bundles")
    with own_place(folder):
        for tool in (HELLO, BEDS):
            tool.promote(current().registry)
        for name, text in MODULE.items():
            (folder / "project" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "project" / name).write_text(text)
        made = Exported(folder, current())
        for target in ("server:shed", "module:project"):
            assert "The build is done." in built(made.runtime, target)
        make_environment(folder / "environment")
        options = ("--no-index", "--no-deps", "--quiet", "--disable-pip-version-check")
        wheels = map(str, (folder / "dist").glob("*.whl"))
        done = made.run(made.programs / "python", "-m", "pip", "install", *options, *wheels)
        assert done.returncode == 0, done.stderr
        yield made


def built(runtime: Runtime, target: str) -> str:
    return perform(["build", target, "--to", "dist"], runtime, {}).text


@pytest.mark.soak
def test_one_server_has_all_tools_and_gives_what_the_registry_gives(exported: Exported) -> None:
    async def story() -> tuple[list[str], list[Any]]:
        program = exported.programs / "mcp-server-shed"
        async with Client(StdioTransport(str(program), [], keep_alive=False), timeout=SOON) as client:
            names = sorted(tool.name for tool in await client.list_tools())
            return names, [
                await client.call_tool("hello", {"name": "Ada"}),
                await client.call_tool("count_beds", {"rows": "abc"}),
            ]

    names, (hello, beds) = asyncio.run(story())

    assert names == ["count_beds", "hello"]
    ours = exported.runtime.call_tool("hello", {"name": "Ada"})
    assert hello.structured_content == json.loads(json.dumps(ours.structured))
    assert beds.structured_content == {"result": 3}


def test_the_tests_of_a_bundle_ran_before_it_was_written(exported: Exported) -> None:
    again = exported.runtime.builds.trigger("server:shed", lambda: (exported.folder / "dist").resolve())

    log = again.log_output_summary
    assert again.status == "success"
    assert "Running `mcp_tool_count_beds/tests` in the sandbox." in log
    assert "Running `mcp_tool_hello/tests` in the sandbox." in log
    assert "Its tests pass in the sandbox." in log


def test_a_module_is_installed_with_its_data_and_its_command(exported: Exported) -> None:
    said = exported.run(exported.programs / "count-beds")
    data = exported.run(exported.programs / "python", "-c", ABOUT)

    assert said.stdout == "3 beds\n"
    assert data.stdout.split() == ["2.1", "Counts", "beds.", "pandas>=3", "beds"]


def test_a_module_gives_the_same_bytes_and_only_what_changed_is_built_again(exported: Exported) -> None:
    first = {path.name: path.read_bytes() for path in (exported.folder / "dist").glob("nursery*")}

    again = built(exported.runtime, "module:project")
    perform(["build", "module:project", "--to", "elsewhere"], exported.runtime, {})
    command = exported.folder / "project" / "src" / "nursery" / "command.py"
    command.write_text(command.read_text() + "\n")
    changed = built(exported.runtime, "module:project")

    assert "was built before" in again
    assert {path.name: path.read_bytes() for path in (exported.folder / "elsewhere").glob("nursery*")} == first
    assert "The build is done." in changed
    assert set(first) == {"nursery_tools-2.1-py3-none-any.whl", "nursery_tools-2.1.tar.gz"}


def test_a_catalogue_has_every_tool(exported: Exported) -> None:
    assert "The build is done." in built(exported.runtime, "project_docs")

    page = (exported.folder / "dist" / "catalogue.html").read_text()
    assert [name for name in ("hello", "count_beds") if f'<h2 id="{name}">' not in page] == []


def test_the_context_of_an_image_is_a_dockerfile_and_the_wheel(exported: Exported) -> None:
    assert "docker build - <" in built(exported.runtime, "docker:hello")

    path = exported.folder / "dist" / "mcp_tool_hello-1.0.0-docker.tar.gz"
    with tarfile.open(fileobj=io.BytesIO(path.read_bytes()), mode="r:gz") as archive:
        files = {entry.name: archive.extractfile(entry).read() for entry in archive}  # type: ignore[union-attr]
    wheel = "mcp_tool_hello-1.0.0-py3-none-any.whl"
    assert files["Dockerfile"].decode() == (
        f"FROM {BASE}\n"
        f"COPY {wheel} /opt/\n"
        f"RUN pip install --no-cache-dir /opt/{wheel}\n"
        "USER 65534:65534\n"
        'ENTRYPOINT ["mcp-tool-hello-server"]\n'
    )
    assert set(files) == {"Dockerfile", wheel}


def test_a_server_of_some_tools_and_of_its_own_version(exported: Exported, tmp_path: Path) -> None:
    builds = exported.runtime.builds
    config = {"tools": ["hello"], "version": "3.0.1"}

    started = builds.trigger("server:small", lambda: tmp_path / "out", config, {"skip_tests": True})
    refused = builds.trigger("tool:hello", lambda: tmp_path / "out", {"tools": ["hello"]})
    unknown = builds.trigger("server:small", lambda: tmp_path / "out", {"tools": ["gone"]})

    ended = builds.wait(started.build_id)
    assert Path(ended.artifact_paths[0]).name == "mcp_server_small-3.0.1-py3-none-any.whl"
    assert "`config.tools` is for `server:NAME`" in refused.error_message
    assert "No tool named `gone`" in unknown.error_message
