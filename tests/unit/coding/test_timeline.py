"""The picture of a run over time has its peaks in it, however many samples there are."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from jupyter_mcpgen.coding.reports.timeline import HEIGHT, LEFT, MOST_POINTS, TOP, WIDTH, Point, draw_timeline


def points_of(picture: str, kind: str) -> list[tuple[float, float]]:
    (line,) = ElementTree.fromstring(picture).iter(f"{{http://www.w3.org/2000/svg}}{kind}")  # noqa: S314  # ours
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in line.attrib["points"].split())]


def test_memory_and_processor_are_drawn_to_scale() -> None:
    picture = draw_timeline([Point(0, 10, 0), Point(500, 40, 100), Point(1000, 20, 50)])

    assert picture is not None
    assert points_of(picture, "polyline") == [
        (LEFT, TOP + HEIGHT), (LEFT + WIDTH / 2, TOP), (LEFT + WIDTH, TOP + HEIGHT / 2),
    ]  # fmt: skip
    assert points_of(picture, "polygon")[2] == (LEFT + WIDTH / 2, TOP)
    assert "Memory up to 40.0 MB and processor up to 100 % over 1.00 s" in picture


def test_a_long_run_has_few_points_and_keeps_its_peak() -> None:
    points = [Point(moment, 10 if moment != 4321 else 900, 5) for moment in range(5000)]

    picture = draw_timeline(points)

    assert picture is not None
    assert len(points_of(picture, "polyline")) <= MOST_POINTS
    assert min(y for _, y in points_of(picture, "polygon")) == TOP


@pytest.mark.parametrize("points", [[], [Point(1, 1, 1)]])
def test_there_is_no_picture_of_less_than_two_points(points: list[Point]) -> None:
    assert draw_timeline(points) is None
