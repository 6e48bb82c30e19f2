"""Draws what a run used over time: its memory as an area, its processor as a line. The picture needs no other file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jupyter_mcpgen.coding.reports.writing import templates

WIDTH, HEIGHT, LEFT, TOP = 560, 150, 70, 30
MOST_POINTS = 120


@dataclass(frozen=True)
class Point:
    """What a run used at a moment: milliseconds since its start, megabytes, and percent of one processor."""

    milliseconds: float
    memory_mb: float
    cpu_percent: float


def draw_timeline(points: Sequence[Point]) -> str | None:
    """Return a picture as SVG, of the highest memory and processor time of each span; none of fewer than two points."""
    if len(points) < 2:
        return None
    shown = _thinned(points)
    end = max(shown[-1].milliseconds, 1.0)
    most_mb = max(1.0, *(point.memory_mb for point in shown))
    most_cpu = max(100.0, *(point.cpu_percent for point in shown))
    return templates().get_template("timeline.svg.j2").render(
        memory=_path([(point.milliseconds / end, point.memory_mb / most_mb) for point in shown]),
        processor=_path([(point.milliseconds / end, point.cpu_percent / most_cpu) for point in shown]),
        most_mb=most_mb, most_cpu=most_cpu, seconds=end / 1000, width=WIDTH, height=HEIGHT, left=LEFT, top=TOP,
    )  # fmt: skip


def _thinned(points: Sequence[Point]) -> list[Point]:
    step = -(-len(points) // MOST_POINTS)
    spans = [points[begin : begin + step] for begin in range(0, len(points), step)]
    return [
        Point(span[-1].milliseconds, max(each.memory_mb for each in span), max(each.cpu_percent for each in span))
        for span in spans
    ]


def _path(shares: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{LEFT + WIDTH * across:.1f},{TOP + HEIGHT * (1 - up):.1f}" for across, up in shares)
