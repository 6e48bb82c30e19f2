"""Takes the pictures of the card for the README from the real product: `python docs/make_pictures.py`.

Needs Chromium and the packages of the `test` extra. A JupyterLab of its own, with empty folders, answers the question
of the tour; nothing in the pictures is drawn by hand.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.lab.conftest import find_chrome, open_notebook, run_cell, serve  # noqa: E402  found beside this folder

IMAGES = ROOT / "docs" / "images"
CELLS = (
    "%load_ext jupyter_mcpgen",
    "%mcpgen demo",
    "%mcpgen how do fatal injuries vary by weather in crashes",
)
THEMES = {"card.png": "JupyterLab Light", "card-dark.png": "JupyterLab Dark"}


def main() -> None:
    """Ask the question once and take one picture per theme."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place, contextmanager(serve)(Path(place), "jupyterlab") as lab, _page() as page:
        open_notebook(page, lab.notebook("tour.ipynb", *CELLS))
        page.evaluate("() => window.jupyterapp.commands.execute('application:toggle-left-area')")
        for index in range(len(CELLS)):
            run_cell(page, index)
        for name, theme in THEMES.items():
            _take(page, theme, IMAGES / name)


@contextmanager
def _page() -> Any:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chrome(), args=["--no-sandbox"])
        yield browser.new_page(viewport={"width": 1280, "height": 1200}, device_scale_factor=2)
        browser.close()


def _take(page: Any, theme: str, path: Path) -> None:
    page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
    is_light = "false" if "Dark" in theme else "true"
    page.locator(f"body[data-jp-theme-light='{is_light}']").wait_for(state="attached")
    card = page.locator(".jp-mcpgen-Card")
    card.get_by_role("button", name="Yes", exact=True).wait_for()
    card.locator("svg.marks").wait_for()
    card.scroll_into_view_if_needed()
    card.screenshot(path=path, animations="disabled")
    sys.stdout.write(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} KB\n")


if __name__ == "__main__":
    main()
