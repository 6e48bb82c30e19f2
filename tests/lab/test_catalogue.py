"""The catalogue of tools in a real browser: searched, loading nothing, and with no text of a tool as part of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from jupyter_mcpgen.build.catalogue import catalogue
from jupyter_mcpgen.registry.store import Registry
from tests.lab.conftest import flaws
from tests.small_tools import SmallTool

pytestmark = pytest.mark.browser

SHOTS = os.environ.get("MCPGEN_SCREENSHOTS")
HOSTILE = "</script><script>document.title = 'taken'</script><img src='http://127.0.0.1:9/x'>"
BEDS = {"type": "object", "properties": {"beds": {"type": "string"}}, "required": ["beds"]}


@pytest.fixture(scope="module")
def page_of_tools(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("catalogue")
    registry = Registry(folder / "registry")
    for name in ("sow_beds", "rake_beds", "count_pots"):
        SmallTool(name, "return beds", BEDS).promote(registry)
    tools = [
        tool.replace(spec=tool.spec.replace(when_to_use=HOSTILE)) if tool.name == "rake_beds" else tool
        for tool in registry.active()
    ]
    path = folder / "catalogue.html"
    path.write_bytes(catalogue(tools, "Tools of a nursery"))
    return path.as_uri()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_tools_are_found_by_words_and_nothing_is_loaded(chromium: Any, page_of_tools: str, scheme: str) -> None:
    context = chromium.new_context(color_scheme=scheme, viewport={"width": 900, "height": 900})
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page_of_tools)

    page.get_by_role("searchbox", name="Search").fill("RAKE beds")

    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"catalogue-{scheme}.png")
    assert page.get_by_role("status").inner_text() == "1 tool"
    assert page.get_by_role("heading", level=2).all_inner_texts() == ["rake_beds 1.0.0"]
    page.get_by_role("searchbox", name="Search").fill("")
    assert page.get_by_role("heading", level=2).count() == 3
    assert page.get_by_text("document.title = 'taken'").is_visible()
    assert page.title() == "Tools of a nursery"
    assert asked == [page_of_tools]
    assert flaws(page, "body") == []
    context.close()


def test_without_scripts_all_tools_are_there(chromium: Any, page_of_tools: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(page_of_tools)

    assert page.get_by_role("heading", level=2).count() == 3
    assert page.get_by_role("searchbox").count() == 0
    context.close()
