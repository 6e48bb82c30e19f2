"""The chart of a card in a real browser: what it is made of, and what a hostile one cannot do."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lab.conftest import Server
from tests.lab.test_card import open_with_card

pytestmark = pytest.mark.browser

ELSEWHERE = "http://elsewhere.example/"
HOSTILE_MARK = f"""{{"type": "image", "url": "{ELSEWHERE}mark", "href": "{ELSEWHERE}href", "fill": {{"expr": "1"}},
    "tooltip": {{"expr": "1"}}, "aspect": False}}"""
HOSTILE_ENCODING = f"""{{
    "x": {{"field": "region", "type": "ordinal", "axis": {{"labelExpr": "warn('{ELSEWHERE}')", "labelAngle": 0,
        "format": "warn()", "tickCount": {{"signal": "warn()"}}}}}},
    "y": {{"field": "n", "type": "quantitative", "scale": {{"domain": {{"expr": "1"}}}}, "title": {{"expr": "1"}},
        "axis": {{"format": "no format", "tickCount": {{"interval": "warn()", "step": 1}}}}}},
    "url": {{"value": "{ELSEWHERE}url"}}, "href": {{"field": "image"}}, "shape": {{"value": "M0,0"}},
    "tooltip": [{{"field": "image", "type": "nominal"}}, {{"field": "image", "title": "image", "format": "no format"}}],
}}"""
HOSTILE_LAYER = f"""{{"mark": {HOSTILE_MARK}, "encoding": {HOSTILE_ENCODING}, "data": {{"url": "{ELSEWHERE}data.json"}},
    "layer": [{{"mark": {HOSTILE_MARK}, "encoding": {HOSTILE_ENCODING}}}],
    "transform": [{{"lookup": "region", "from": {{"data": {{"url": "{ELSEWHERE}lookup.csv"}}, "key": "k"}}}}]}}"""
HOSTILE_REST = f""""data": {{"url": "{ELSEWHERE}all.csv", "values": [
        {{"region": "north", "n": 3, "image": "{ELSEWHERE}cell.png"}}, {{"region": "south", "n": 5, "image": "x"}}]}},
    "params": [{{"name": "p", "expr": "1"}}], "config": {{"background": "url({ELSEWHERE}config)"}}, "usermeta": {{}}"""


@pytest.mark.soak
def test_a_box_plot_has_whiskers_a_box_and_a_median_and_a_click_on_it_shows_the_rows_behind(
    lab: Server, page: Any
) -> None:
    card = open_with_card(page, lab, "boxes", ", explains=True, **mcpgen_desk.boxes()")

    drawn = card.locator("svg.marks .role-mark")
    drawn.nth(2).wait_for()
    assert [layer.locator("[aria-label]").count() for layer in drawn.all()] == [2, 2, 2]
    # the line at the median is a thin rectangle
    whisker, box, median = (layer.locator("[aria-label]").first.bounding_box() for layer in drawn.all())
    middle = median["y"] + median["height"] / 2
    assert whisker["y"] < box["y"] < middle < box["y"] + box["height"] < whisker["y"] + whisker["height"]

    # the tooltip is written and coloured as the rest of the card
    page.evaluate("() => document.body.style.setProperty('--jp-layout-color1', 'rgb(1, 2, 3)')")
    drawn.nth(1).locator("[aria-label]").nth(1).hover()
    tooltip = page.locator("#jp-mcpgen-tooltip.visible")
    assert tooltip.locator("tr").all_inner_texts()[:3] == ["region:\tsouth", "min:\t2", "q25:\t4"]
    assert tooltip.evaluate("tip => getComputedStyle(tip).backgroundColor") == "rgb(1, 2, 3)"

    drawn.nth(1).locator("[aria-label]").nth(1).click()
    card.get_by_role("region", name="Rows behind row 2").wait_for()


@pytest.mark.parametrize(
    ("name", "drawing"),
    [
        ("single", f'"mark": {HOSTILE_MARK}, "encoding": {HOSTILE_ENCODING}'),
        ("layered", f'"encoding": {HOSTILE_ENCODING}, "layer": [{", ".join([HOSTILE_LAYER] * 3)}, 7, None, []]'),
        ("shared", f'"mark": {HOSTILE_MARK}, "layer": [{HOSTILE_LAYER}], "encoding": {HOSTILE_ENCODING}'),
    ],
)
def test_a_chart_fetches_nothing_shows_no_picture_and_follows_no_link(
    lab: Server, page: Any, name: str, drawing: str
) -> None:
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url) if "elsewhere" in request.url else None)

    card = open_with_card(page, lab, f"hostile-{name}", f", chart={{{drawing}, {HOSTILE_REST}}}")

    marks = card.locator("svg.marks")
    bar = marks.locator(".role-mark [aria-label*=north]").last
    bar.wait_for()
    bar.hover()
    tooltip = page.locator("#jp-mcpgen-tooltip.visible")
    tooltip.get_by_text("image (column)").first.wait_for()
    assert marks.locator("image, a, foreignObject").count() == tooltip.locator("img").count() == 0
    assert asked_for == []
    with page.expect_request("**/elsewhere.example/**"):  # a request would have been seen
        page.evaluate(f"() => {{ new Image().src = '{ELSEWHERE}control.png' }}")
    assert asked_for == [f"{ELSEWHERE}control.png"]
