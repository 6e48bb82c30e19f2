"""Makes the gallery from the real product: `python docs/make_gallery.py` asks every question and pictures its card.

It stops at the first question that is not answered, so the gallery never shows what the product does not do.
"""

from __future__ import annotations

import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from make_pictures import IMAGES, ROOT, Tour, open_lab, open_page
from PIL import Image

from tests.lab.conftest import Server, open_notebook, run_cell

GALLERY = ROOT / "docs" / "gallery.md"
START = (
    "%load_ext jupyter_mcpgen\n%mcpgen demo\nfrom jupyter_mcpgen.data.demo import cars, seattle_weather\n"
    "autos, seattle = cars(), seattle_weather()"
)
COLORS = 64
MOST_HIGH = 620
HEAD = """# Thirty questions

Each card is the product's own answer to the question above it, pictured by `python docs/make_gallery.py`. The tables are `crashes` of `%mcpgen demo` (synthetic), and `cars()` and `seattle_weather()` of `jupyter_mcpgen.data.demo` as `autos` and `seattle`.
"""  # noqa: E501  a paragraph of Markdown is one line
QUESTIONS: dict[str, tuple[str, ...]] = {
    "Totals and averages": (
        "average Horsepower by Origin in autos",
        "total precipitation by month in seattle",
        "how many crashes are there by lighting condition in crashes",
        "median temp_max by weather in seattle",
        "highest wind by year in seattle",
    ),
    "Best and worst": (
        "5 cars with the highest Miles_per_Gallon in autos",
        "3 weather conditions with the most injuries_total in crashes",
        "the car with the lowest Weight_in_lbs per Origin in autos",
        "10 days with the most precipitation in seattle",
        "rank Origin by average Acceleration in autos",
    ),
    "Shares and comparisons": (
        "share of cars by Origin in autos",
        "percentage of days with rain by month in seattle",
        "pivot average Miles_per_Gallon by Origin and Cylinders in autos",
        "total injuries_total by lighting_condition and damage in crashes",
        "how do fatal injuries vary by weather in crashes",
    ),
    "Over time": (
        "number of crashes per year in crashes",
        "month over month change of precipitation in seattle",
        "3 month moving average of precipitation in seattle",
        "cumulative precipitation by month in 2013 in seattle",
        "number of crashes by weekday in crashes",
    ),
    "Conditions": (
        "average temp_min where weather is snow in seattle",
        "number of cars with more than 200 Horsepower by Cylinders in autos",
        "average Weight_in_lbs of cars from Japan by year in autos",
        "number of days in 2014 by weather in seattle",
        "number of cars without Horsepower by Origin in autos",
    ),
    "Statistics and charts": (
        "correlation between temp_max and precipitation in seattle",
        "histogram of Miles_per_Gallon in autos",
        "box plot of Horsepower by Origin in autos",
        "scatter plot of Weight_in_lbs and Miles_per_Gallon in autos",
        "heat map of average Miles_per_Gallon by Origin and Cylinders in autos",
    ),
}


def main() -> None:
    """Ask every question in one notebook, and write the page."""
    asked = [question for questions in QUESTIONS.values() for question in questions]
    (IMAGES / "gallery").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, open_lab(Path(place)) as lab, open_page(1) as page:
        readings = _picture(lab, page, asked)
    GALLERY.write_text(_written(asked, readings), encoding="utf-8")


def _picture(lab: Server, page: Any, asked: list[str]) -> list[str]:
    """Picture each card, and return their readings."""
    cells = (START, *(f"%mcpgen {question}" for question in asked))
    open_notebook(page, lab.notebook("gallery.ipynb", *cells))
    page.evaluate("() => window.jupyterapp.commands.execute('application:toggle-left-area')")
    run_cell(page, 0)
    readings = []
    for number, question in enumerate(asked, 1):
        run_cell(page, number)
        tour = Tour(page)
        if page.locator(".jp-mcpgen-Card").last.get_attribute("aria-label") in (None, ""):
            raise SystemExit(f"not answered: {question}")
        tour.card.get_by_role("button", name="Yes", exact=True, disabled=False).wait_for()
        readings.append(tour.card.get_by_role("heading", level=3).inner_text())
        tour.card.evaluate("node => node.scrollIntoView({ block: 'start' })")
        box = tour.card.bounding_box()
        shot = page.screenshot(animations="disabled", clip={**box, "height": min(box["height"], MOST_HIGH)})
        picture = Image.open(BytesIO(shot)).convert("RGB").quantize(COLORS, dither=Image.Dither.NONE)
        picture.save(IMAGES / "gallery" / f"{number:02}.png", optimize=True)
        sys.stdout.write(f"{number:02} {question}: {readings[-1]}\n")
    return readings


def _written(asked: list[str], readings: list[str]) -> str:
    parts = [HEAD]
    numbered = dict(zip(asked, enumerate(readings, 1), strict=True))
    for heading, questions in QUESTIONS.items():
        parts.append(f"## {heading}\n")
        for question in questions:
            number, reading = numbered[question]
            parts.append(f"**{question}**\n\n![{reading}](images/gallery/{number:02}.png)\n")
    return "\n".join(parts)


if __name__ == "__main__":
    main()
