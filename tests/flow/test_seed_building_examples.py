"""The examples of seed 003, in its order, asked by a real MCP client over a real server."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

from jupyter_mcpgen.sandbox.programs.sandbox import ProgramSandbox
from tests.flow.surface import serving
from tests.imitations.acts import always, says
from tests.imitations.server import Imitation
from tests.levels import needs

pytestmark = needs(ProgramSandbox().missing())
SECONDS, LOOK = 120, 0.1
USER = {
    "files": [
        {"path": "user.py", "content": 'class User:\n    """A user."""\n\n    name: str = ""\n    email: str = ""\n'}
    ],
    "explanation": "A class with two attributes.",
}
SPEC = """\
name: user_service
description: Users.
functions:
  - {name: count, description: Count., parameters: []}
"""

Call = Callable[..., tuple[bool, dict[str, Any]]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("builds")
    (home / "core_library").mkdir()
    (home / "core_library" / "__init__.py").write_text('"""Core."""\n')
    (home / "module_specs").mkdir()
    (home / "module_specs" / "user_service.yaml").write_text(SPEC)
    return home


@pytest.fixture(scope="module", params=["without a model", "with a model"])
def call(request: pytest.FixtureRequest, home: Path) -> Iterator[tuple[Call, bool]]:
    settings = {"MCPGEN_SERVER__SOURCE_FOLDERS": str(home), "MCPGEN_SERVER__OUTPUT_FOLDERS": str(home)}
    with Imitation(((always, says(json.dumps(USER))),)) as model:
        if request.param == "with a model":
            settings |= {"MCPGEN_LLM__MODEL": "imitation", "MCPGEN_LLM__BASE_URL": model.address}
        with serving(home / request.param.replace(" ", "_"), [], settings) as served:

            def one(name: str, /, **arguments: Any) -> tuple[bool, dict[str, Any]]:
                async def story() -> Any:
                    options = ["--stdio", "--registry", str(served.registry), "--state", str(served.state)]
                    command = [*served.program[1:], *options]
                    way = StdioTransport(served.program[0], command, env=served.environment, keep_alive=False)
                    async with Client(way, timeout=SECONDS) as client:
                        return await client.call_tool(name, arguments, raise_on_error=False)

                answer = asyncio.run(story())
                return answer.is_error, answer.structured_content or {}

            yield one, request.param == "with a model"


@pytest.mark.every_run("without a model")
def test_a_module_is_built_and_its_status_asked_for(call: tuple[Call, bool], home: Path) -> None:
    ask, _ = call
    failed, started = ask(
        "trigger_build", target="module:core_library", config={"profile": "release"}, clean_build=True
    )
    assert (failed, started["status"]) == (False, "pending")
    assert started["message"] == "Build for target `module:core_library` initiated."

    status: dict[str, Any] = {}
    while status.get("status", "pending") in ("pending", "in_progress"):
        time.sleep(LOOK)
        _, status = ask("get_build_status", build_id=started["build_id"])

    assert (status["status"], status["progress_percentage"]) == ("success", 100)
    assert [Path(path).name for path in status["artifact_paths"]] == [
        "core_library-0.0.0-py3-none-any.whl",
        "core_library-0.0.0.tar.gz",
    ]
    assert all(Path(path).is_relative_to(home.resolve()) for path in status["artifact_paths"])
    assert Path(status["log_file_path"]).is_file()


def test_an_id_that_no_build_has_is_an_error_inside_and_outside(call: tuple[Call, bool]) -> None:
    failed, status = call[0]("get_build_status", build_id="build_job_170248A9Z")

    assert (failed, status["status"], status["message"]) == (True, "error", "Invalid build_id")


@pytest.mark.every_run("without a model")
def test_a_component_is_made_of_a_prompt_by_the_model_or_not_at_all(call: tuple[Call, bool], home: Path) -> None:
    ask, has_model = call
    failed, made = ask(
        "synthesize_component_from_prompt",
        prompt="Generate a Python class for a simple User with name and email attributes.",
        language="python",
        target_directory="./models/",
        style_guide="Include type hints.",
    )

    if has_model:
        assert (failed, made["status"], list(made["generated_files"])) == (False, "success", ["user.py"])
        assert made["explanation"].startswith("A class with two attributes.")
        assert (home / "models" / "user.py").read_text() == made["generated_files"]["user.py"]
    else:
        assert (failed, made["status"], made["generated_files"]) == (True, "failure", {})
        assert "language model" in made["error_message"]
        assert not (home / "models").exists()


def test_a_template_that_is_not_there_is_named(call: tuple[Call, bool], home: Path) -> None:
    arguments = {"specification_file": "./module_specs/user_service.yaml", "language": "python"}

    failed, made = call[0](
        "synthesize_component_from_spec",
        **arguments,
        target_directory="./services/user_service/",
        template_name="fastapi_service_template",
    )

    assert (failed, made["status"], made["generated_files"]) == (True, "failure", {})
    assert made["error_message"].startswith("Template 'fastapi_service_template' not found.")
    assert not (home / "services").exists()
