"""`python -m benchmarks [--json FILE]` measures everything once and prints one table.

`… faults` plants faults in tools, `… questions` asks the planner and counts what comes of it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from pathlib import Path

from benchmarks import (
    analyzing,
    asking,
    building,
    calling,
    confining,
    extension,
    faults,
    guidance,
    large,
    likeness,
    page,
    profiling,
    questions,
    reading,
    searching,
    starting,
    understanding,
)
from benchmarks.drawn_plans import SEEDS, frozen
from benchmarks.faulty_tools import tool_of, tools
from benchmarks.place import open_place
from benchmarks.report import as_json, as_markdown

PARTS = (
    asking,
    reading,
    starting,
    extension,
    page,
    calling,
    searching,
    confining,
    guidance,
    profiling,
    large,
    understanding,
    likeness,
    analyzing,
    building,
)


def main() -> int:
    """Run the parts one after another; nothing else should run on the machine."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every repetition to a file as well")
    parser.add_argument(
        "what", nargs="?", choices=("times", "faults", "questions"), default="times", help="times, if not said"
    )
    parser.add_argument("--drawn", type=int, choices=SEEDS, help="plant faults in the plans drawn from this seed")
    parser.add_argument(
        "--codes", type=int, default=faults.CODES_OF_A_TOOL, help="plant this many faults of a tool in code as well"
    )
    parser.add_argument("--most", type=int, help="plant them in this many tools only, always the same ones")
    options = parser.parse_args()
    begin = time.perf_counter()
    if options.what == "faults":
        planted = list(tools() if options.drawn is None else (tool_of(*named) for named in frozen(options.drawn)))
        if options.most is not None:
            random.Random(0).shuffle(planted)
        with open_place() as place:
            sys.stdout.write(f"{faults.as_markdown(faults.count(place, planted[: options.most], options.codes))}\n")
        sys.stderr.write(f"{time.perf_counter() - begin:.0f} s in all\n")
        return 0
    if options.what == "questions":
        sys.stdout.write(f"{questions.as_markdown()}\n")
        return 0
    rows = []
    with open_place() as place:
        for part in PARTS:
            sys.stderr.write(f"{part.__name__} …\n")
            rows += part.rows(place)
    if options.json is not None:
        options.json.write_text(json.dumps(as_json(rows), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    sys.stdout.write(f"{as_markdown(rows)}\n")
    sys.stderr.write(f"{time.perf_counter() - begin:.0f} s in all\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
