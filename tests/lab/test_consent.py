"""Consent in a real browser: what a real MCP client offers, how a person hears of it, reads it and decides."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from threading import Thread
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from mcp_types import Implementation

from tests.lab.conftest import Server, flaws, open_notebook, run_cell

pytestmark = pytest.mark.browser

SOON = 60
LOAD = "%load_ext jupyter_mcpgen"
TYPED = "# "
# the file ends the sleep; without it the cell would outlast the tests
SLEEP = """
import pathlib, time
print("fell asleep", flush=True)
while not pathlib.Path("wake").exists():
    time.sleep(0.05)
print("woke up")
"""
OUTPUTS = "index => window.jupyterapp.shell.currentWidget.content.widgets[index].model.outputs.toJSON()"
CELL = "() => window.jupyterapp.shell.currentWidget.content.widgets[1].model.sharedModel.source"
FOCUSED = """() => {
  const it = document.activeElement;
  return it.getAttribute('aria-label') ?? (it.tagName === 'BUTTON' ? it.textContent : it.type);
}"""
NAMELESS = """dialog => [...dialog.querySelectorAll('button, input, textarea, [tabindex="0"], [role=img]')]
  .filter(it => !(it.getAttribute('aria-label') || it.textContent || it.labels?.[0]?.textContent))
  .map(it => it.outerHTML)"""

CODE = '''\
def {name}(text: str) -> str:
    """Repeat a text."""
    return text * {times}
'''


class Assistant:
    """A real MCP client on a thread of its own, because the browser's driver runs a loop on ours."""

    def __init__(self, server: Server) -> None:
        home = server.root.parent / "home"
        environment = {
            **os.environ,
            "HOME": str(home),
            "JUPYTER_CONFIG_DIR": str(home / "config"),
            "JUPYTER_DATA_DIR": str(home / "data"),
            "MCPGEN_REGISTRY__PATH": str(server.root.parent / "registry"),
        }
        arguments = ["-m", "jupyter_mcpgen.server", "--stdio", "--registry", environment["MCPGEN_REGISTRY__PATH"]]
        arguments += ["--state", str(home / "data" / "mcpgen" / "server")]
        self.environment = environment
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever)
        self._thread.start()
        self._client: Client[Any] = Client(
            StdioTransport(sys.executable, arguments, env=environment, log_file=server.root.parent / "mcp.log"),
            client_info=Implementation(name="Copyist", version="1"),
        )
        self._do(self._client.__aenter__())

    def close(self) -> None:
        """End the client and its server."""
        self._do(self._client.__aexit__(None, None, None))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(SOON)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool, and return what it answers."""
        answer = self._do(self._client.call_tool(tool, arguments, raise_on_error=False))
        return answer.structured_content or {"text": answer.content[0].text}  # type: ignore[no-any-return]

    def offers(self, name: str, *, times: int = 2, tool: str = "dynamic_register_tool", **more: Any) -> dict[str, Any]:
        """Offer a tool that repeats a text."""
        code = CODE.format(name=name, times=times)
        return self.call(tool, name=name, source_code=code, description="Repeats a text some times.", **more)

    def hears_of(self, name: str) -> dict[str, Any]:
        """Ask what became of an offer."""
        return self.call("dynamic_inspect_tool", name=name)

    def waits_for(self, name: str) -> None:
        """Wait until the server lists a tool: it hears of a decision as any server process does, a moment later."""

        async def listed() -> None:
            while name not in {tool.name for tool in await self._client.list_tools()}:
                await asyncio.sleep(0.1)

        self._do(asyncio.wait_for(listed(), SOON))

    def terminal(self, *words: str) -> str:
        """Do something in a terminal of the same person."""
        command = [sys.executable, "-m", "jupyter", "mcpgen", *words]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout

    def _do(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(SOON)


@pytest.fixture(scope="module")
def assistant(lab: Server) -> Iterator[Assistant]:
    assistant = Assistant(lab)
    yield assistant
    assistant.close()


@pytest.fixture(scope="module")
def notebook(lab: Server, page: Any) -> Any:
    """Open one notebook for all tests, with the extension loaded."""
    open_notebook(page, lab.notebook("consent.ipynb", LOAD, TYPED, SLEEP))
    run_cell(page, 0)
    return page


def notice(page: Any, name: str) -> Any:
    return page.locator(".jp-toast-message", has_text=f"The AI client “Copyist” offers a tool: {name}")


def review(page: Any, name: str) -> Any:
    """Press the button of a notice, and return the dialog that opens."""
    toast = page.locator(".Toastify__toast", has=notice(page, name))
    toast.get_by_role("button", name="Review").click()
    dialog = page.get_by_role("dialog", name=f"Let AI clients call {name}?")
    dialog.get_by_role("button", name="Decline").wait_for()
    return dialog


def tick(dialog: Any) -> None:
    dialog.get_by_role("checkbox", name="Did you read it?").check()


def press(dialog: Any, name: str) -> None:
    dialog.get_by_role("button", name=name, exact=True).click()


def says(page: Any, text: str) -> Any:
    told = page.locator(".jp-toast-message", has_text=text)
    told.wait_for()
    return told


def says_in_cell(page: Any, index: int, text: str) -> None:
    page.wait_for_function(f"([index, text]) => JSON.stringify(({OUTPUTS})(index)).includes(text)", arg=[index, text])


def test_an_offer_takes_no_key_from_a_cell_and_is_callable_once_it_is_read_and_allowed(
    notebook: Any, assistant: Assistant
) -> None:
    editor = notebook.locator(".jp-Cell").nth(1).locator(".cm-content")
    editor.click()
    notebook.keyboard.press("End")
    offered = assistant.offers("twice", author="A nice person")
    written = ""
    for _ in range(200):  # it comes while the person writes
        notebook.keyboard.type("ab ")
        written += "ab "
        if notice(notebook, "twice").count():
            break
    notice(notebook, "twice").wait_for()
    notebook.keyboard.type("cd")
    notebook.keyboard.press("Enter")
    notebook.keyboard.type("e")

    assert offered["status"] == "pending"
    assert notebook.evaluate(CELL) == f"{TYPED}{written}cd\ne"
    assert notebook.get_by_role("dialog").count() == 0
    assert assistant.hears_of(offered["request_id"])["status"] == "pending"

    dialog = review(notebook, "twice")

    text = " ".join(dialog.inner_text().split())
    assert "The AI client Copyist offers twice v1.0.0, and names A nice person as its author" in text
    assert "Nobody checks these two names." in text
    assert "It asks for no capability: it only computes." in text
    assert "One call may take 5 s and 100 MB beside its libraries, and there may be 10 calls a minute." in text
    assert dialog.locator(".jp-mcpgen-code pre").inner_text().strip() == CODE.format(name="twice", times=2).strip()
    assert dialog.get_by_role("button", name="Decline").evaluate("it => it === document.activeElement")
    assert dialog.get_by_role("button", name="Allow", exact=True).is_disabled()
    assert dialog.get_by_role("button", name="Always allow").is_disabled()

    tick(dialog)
    notebook.keyboard.press("Enter")  # on a box it decides nothing
    assert assistant.hears_of("twice")["status"] == "pending"
    press(dialog, "Allow")

    says(notebook, "twice v1.0.0 is live")
    dialog.wait_for(state="detached")
    notice(notebook, "twice").wait_for(state="detached")
    assert assistant.hears_of("twice")["status"] == "success"
    assistant.waits_for("twice")
    assert "abab" in json.dumps(assistant.call("twice", text="ab"))


def test_a_decline_reaches_the_client_with_its_reason_while_a_cell_runs(
    notebook: Any, assistant: Assistant, lab: Server
) -> None:
    run_cell(notebook, 2, wait=False)
    says_in_cell(notebook, 2, "fell asleep")
    offered = assistant.offers("thrice", times=3)

    dialog = review(notebook, "thrice")
    dialog.get_by_label("If you decline, you can tell the client why").fill("I have one\nalready")
    press(dialog, "Decline")

    says(notebook, "thrice v1.0.0 is declined. The client is told so.")
    assert "woke up" not in json.dumps(notebook.evaluate(OUTPUTS, 2))
    heard = assistant.hears_of(offered["request_id"])
    assert (heard["status"], heard["error"]) == ("error", "ConsentDeniedError")
    assert "I have one\nalready" in heard["message"]
    (lab.root / "wake").touch()


@pytest.mark.soak
def test_what_is_always_allowed_asks_again_only_for_other_bytes_and_can_be_taken_back(
    notebook: Any, assistant: Assistant
) -> None:
    assistant.offers("fourfold", times=4)
    dialog = review(notebook, "fourfold")
    tick(dialog)
    press(dialog, "Always allow")
    says(notebook, "fourfold v1.0.0 is live: AI clients can call it. You are not asked about it again.")

    assistant.call("dynamic_revoke_tool", name="fourfold")
    again = assistant.offers("fourfold", times=4)
    assert again["status"] == "success"
    assistant.waits_for("fourfold")
    assert "abababab" in json.dumps(assistant.call("fourfold", text="ab"))
    assistant.call("dynamic_revoke_tool", name="fourfold")
    other = assistant.offers("fourfold", times=5)

    assert other["status"] == "pending"
    # the notice of the version before may have been seen for a moment, until the standing consent to it counted
    notice(notebook, f"fourfold v{other['version']}").wait_for()
    assistant.call("dynamic_revoke_tool", name="fourfold")
    says(notebook, f"fourfold v{other['version']} was withdrawn by the client that offered it.")
    notice(notebook, "fourfold").wait_for(state="detached")


@pytest.mark.soak
def test_undo_takes_a_tool_back_and_its_request_waits_again(notebook: Any, assistant: Assistant) -> None:
    assistant.offers("fivefold", times=5)
    dialog = review(notebook, "fivefold")
    tick(dialog)
    press(dialog, "Allow")
    told = says(notebook, "fivefold v1.0.0 is live")

    notebook.locator(".Toastify__toast", has=told).get_by_role("button", name="Undo").click()

    notice(notebook, "fivefold").wait_for()
    assert assistant.hears_of("fivefold")["status"] == "pending"
    assistant.call("dynamic_revoke_tool", name="fivefold")


@pytest.mark.soak
def test_what_is_decided_in_a_terminal_or_in_another_tab_closes_here_and_is_said(
    notebook: Any, assistant: Assistant, lab: Server, new_page: Any
) -> None:
    by_terminal = assistant.offers("sixfold", times=6)
    dialog = review(notebook, "sixfold")
    tick(dialog)

    assistant.terminal("consent", by_terminal["request_id"], "decline", "not", "now")

    says(notebook, "sixfold v1.0.0 was declined elsewhere.")
    dialog.wait_for(state="detached")
    notice(notebook, "sixfold").wait_for(state="detached")

    assistant.offers("sevenfold", times=7)
    open_notebook(new_page, f"{lab.url}lab/workspaces/two/tree/consent.ipynb?reset")
    dialog = review(new_page, "sevenfold")  # a page that opens later hears all that waits
    other = review(notebook, "sevenfold")
    press(dialog, "Decline")  # the other tab has the token now
    dialog.get_by_role("status").get_by_text("Open the request again, then decide.").wait_for()
    press(dialog, "Look at it again")
    dialog.get_by_role("button", name="Decline").wait_for()
    press(other, "Decline")
    press(other, "Look at it again")
    tick(other)
    press(other, "Allow")

    dialog.wait_for(state="detached")
    says(new_page, "sevenfold v1.0.0 is live")
    notice(new_page, "sevenfold").wait_for(state="detached")


@pytest.mark.soak
def test_a_request_is_read_and_left_with_the_keyboard_alone(notebook: Any, assistant: Assistant) -> None:
    assistant.offers("ninefold", times=9, capabilities=["cap:numpy"])
    notice(notebook, "ninefold").wait_for()
    assistant.offers("tenfold", times=10)
    notice(notebook, "tenfold").wait_for()

    notebook.keyboard.press("Control+Shift+C")
    notebook.keyboard.type("review what ai clients offer")
    notebook.locator(".lm-CommandPalette-item", has_text="Review what AI clients offer").wait_for()
    notebook.keyboard.press("Enter")
    dialog = notebook.get_by_role("dialog", name="Let AI clients call ninefold?")  # the oldest
    dialog.get_by_role("button", name="Decline").wait_for()

    reached = [notebook.evaluate(FOCUSED)]
    while reached.count("Decline") < 2 and len(reached) < 12:
        notebook.keyboard.press("Tab")
        reached.append(notebook.evaluate(FOCUSED))
    order = [name for name in reached if name is not None]  # from the last one, it goes by the browser's own controls
    assert order == ["Decline", "Decide later", "What is offered", "checkbox", "textarea", "Decline"]
    assert dialog.get_by_role("heading", level=2).count() == 1
    assert dialog.get_by_role("list", name="What it may do").get_by_role("listitem").count() == 3
    assert dialog.evaluate(NAMELESS) == []
    assert flaws(notebook, "dialog.jp-mcpgen-Consent") == []
    notebook.keyboard.press("Escape")

    dialog.wait_for(state="detached")
    assert assistant.hears_of("ninefold")["status"] == "pending"
    notice(notebook, "ninefold").wait_for()
    for name in ("ninefold", "tenfold"):
        assistant.call("dynamic_revoke_tool", name=name)


def test_an_update_shows_what_changes_and_what_is_dangerous(notebook: Any, assistant: Assistant) -> None:
    assistant.offers("twice_more")
    dialog = review(notebook, "twice_more")
    tick(dialog)
    press(dialog, "Allow")
    says(notebook, "twice_more v1.0.0 is live")

    assistant.offers(
        "twice_more",
        times=3,
        tool="dynamic_update_tool",
        version="1.1.0",
        capabilities=["cap:numpy", "cap:database.read", "cap:notebook.read"],
        resource_limits={"timeout_seconds": 7},
    )

    dialog = review(notebook, "twice_more")
    rights = dialog.get_by_role("list", name="What it may do").get_by_role("listitem").all_inner_texts()
    assert [" ".join(right.split()) for right in rights[:4]] == [
        "Imports numpy. cap:numpy",
        "Asks to read a database. Nothing here can do that yet, so it grants nothing. cap:database.read",
        "⚠ May read copies of variables of your notebook. cap:notebook.read",
        "One call may take 7 s and 100 MB beside its libraries, and there may be 10 calls a minute.",
    ]
    dialog.get_by_text("What changes from v1.0.0").wait_for()
    assert dialog.locator(".jp-mcpgen-diff code", has_text="-    return text * 2").is_visible()
    assert flaws(notebook, "dialog.jp-mcpgen-Consent") == []
    notebook.keyboard.press("Escape")
    assistant.call("dynamic_revoke_tool", name="twice_more")
