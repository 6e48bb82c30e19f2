"""Takes the pictures of README and docs from the real product: `python docs/make_pictures.py`.

Needs Chromium and the packages of the `test` extra. A JupyterLab of its own, with empty folders, answers the questions
of the tour; nothing in the pictures is drawn by hand.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.lab.conftest import Server, find_chrome, open_notebook, run_cell, serve  # noqa: E402  found beside this folder

IMAGES = ROOT / "docs" / "images"
CELLS = (
    "%load_ext jupyter_mcpgen",
    "%mcpgen demo",
    "%mcpgen explore crashes",
    "%mcpgen how do fatal injuries vary by weather in crashes",
)
EXPLORED, ASKED = 2, 3
LIGHT, DARK = "JupyterLab Light", "JupyterLab Dark"
FRAME_SIZE = (944, 720)
MOST_HIGH = 860
"""How many pixels a picture is high at most."""
STANDS = 2_200
"""For how many milliseconds a frame of the animation is seen."""


@dataclass
class Tour:
    """One page on which the tour is walked; `frames` are its pictures, in order."""

    page: Any
    frames: list[bytes] = field(default_factory=list)

    @property
    def card(self) -> Any:
        """The answer."""
        return self.page.locator(".jp-mcpgen-Card").last

    def ready(self) -> None:
        """Wait until the answer can be decided, and is drawn."""
        self.card.get_by_role("button", name="Yes", exact=True, disabled=False).wait_for()
        self.card.locator("svg.marks").wait_for()

    def wear(self, theme: str) -> None:
        """Change the theme of the page."""
        self.page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })", theme)
        self.page.locator(f"body[data-jp-theme-name='{theme}']").wait_for(state="attached")

    def take(self, name: str, part: Any, most: int = MOST_HIGH) -> None:
        """Keep a picture of a part of the page, cut off below so many pixels."""
        part.evaluate("node => node.scrollIntoView({ block: 'start' })")
        box = part.bounding_box()
        path = IMAGES / f"{name}.png"
        clip = {**box, "height": min(box["height"], most)}
        self.page.screenshot(path=path, animations="disabled", clip=clip)
        sys.stdout.write(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} KB\n")

    def frame(self) -> None:
        """Add the page as it is to the animation."""
        self.frames.append(self.page.screenshot(animations="disabled"))


def main() -> None:
    """Walk the tour once, and take its pictures on the way."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as place, open_lab(Path(place)) as lab, open_page(1.5) as page:
        open_notebook(page, lab.notebook("tour.ipynb", *CELLS))
        page.evaluate("() => window.jupyterapp.commands.execute('application:toggle-left-area')")
        _walk(Tour(page))


@contextmanager
def open_lab(place: Path) -> Iterator[Server]:
    """Start a JupyterLab of its own."""
    yield from serve(place, "jupyterlab", server_part=True)


@contextmanager
def open_page(scale: float) -> Iterator[Any]:
    """Open a page in a browser of its own, drawn so many times finer than it is large."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chrome(), args=["--no-sandbox"])
        yield browser.new_page(viewport={"width": 1180, "height": 900}, device_scale_factor=scale)
        browser.close()


def _walk(tour: Tour) -> None:
    page = tour.page
    for index in range(EXPLORED + 1):
        run_cell(page, index)
    overview = page.locator(".jp-Cell").nth(EXPLORED).locator(".jp-OutputArea-output").last
    overview.get_by_role("button").first.wait_for()
    tour.take("explore", overview)
    tour.frame()
    run_cell(page, ASKED)
    tour.ready()
    tour.take("card", tour.card)
    tour.frame()
    tour.wear(DARK)
    tour.take("card-dark", tour.card)
    tour.wear(LIGHT)
    _change(tour)
    _work(tour)
    _decide(tour)
    _write_animation(tour.frames, IMAGES / "tour.gif")


def _change(tour: Tour) -> None:
    """Show the choices for a part of the reading."""
    parts = tour.card.get_by_role("group", name="Change what was understood")
    parts.get_by_role("button", name=re.compile("^calculation")).click()
    tour.card.get_by_role("group", name="Choices for calculation").get_by_role("button", name="mean").wait_for()
    tour.take("change", tour.card)
    tour.frame()
    tour.card.get_by_role("group", name="Choices for calculation").get_by_role("button", name="Close").click()


def _work(tour: Tour) -> None:
    """Show what can be done with the result, and its code."""
    table = tour.card.get_by_role("group", name="Result table")
    table.get_by_role("row").nth(2).click()
    tour.card.get_by_role("region", name=re.compile("^Rows behind")).wait_for()
    tour.take("behind", tour.card.get_by_role("region", name=re.compile("^Rows behind")), 330)
    tour.frame()
    tour.card.get_by_role("region", name=re.compile("^Rows behind")).get_by_role("button", name="Close").click()
    table.get_by_role("button", name="weather_condition").click()
    tour.card.get_by_role("group", name="Column weather_condition").wait_for()
    tour.take("result", tour.card.locator(".jp-mcpgen-result"))
    tour.frame()
    tour.page.keyboard.press("Escape")
    tour.card.get_by_text("Code and how it ran").click()
    code = tour.card.get_by_role("region", name="The calculation as code")
    code.get_by_text("groupby").first.wait_for()
    tour.take("code", code)
    tour.frame()
    tour.card.get_by_text("Code and how it ran").click()


def _decide(tour: Tour) -> None:
    """Approve, and find the tool in the panel."""
    tour.card.get_by_role("button", name="Yes", exact=True, disabled=False).click()
    tour.card.get_by_role("button", name="Approve", exact=True, disabled=False).click()
    tour.card.get_by_text("is live").first.wait_for()
    tour.frame()
    tour.page.evaluate("() => window.jupyterapp.commands.execute('mcpgen:open-panel')")
    panel = tour.page.locator("#mcpgen-panel")
    panel.get_by_role("tab", name=re.compile("^Library")).click()
    panel.get_by_text("sum_by_group").first.wait_for()
    tour.take("panel", panel, 460)
    tour.frame()


def _write_animation(frames: list[bytes], path: Path) -> None:
    from PIL import Image  # deferred: comes with the figures of matplotlib

    pictures = [
        Image.open(BytesIO(frame)).convert("RGB").resize(FRAME_SIZE, Image.Resampling.LANCZOS) for frame in frames
    ]
    first, *rest = [picture.quantize(128, dither=Image.Dither.NONE) for picture in pictures]
    first.save(path, save_all=True, append_images=rest, duration=STANDS, loop=0, optimize=True)
    sys.stdout.write(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} KB\n")


if __name__ == "__main__":
    main()
