"""How long it takes to find the tool that answers a question, or is near to it, among 10,000 active ones."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

from benchmarks.measure import Row, elapsed, in_turns
from benchmarks.place import Place
from jupyter_mcpgen.authors.embedded import EmbeddedAuthor
from jupyter_mcpgen.model.intent import intent_of
from jupyter_mcpgen.pipeline.draft import Near, Reuse
from jupyter_mcpgen.pipeline.gap import find_tool
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.plan.ops import Step
from jupyter_mcpgen.plan.shape import generalise
from jupyter_mcpgen.registry.contents import Contents, candidate_files
from jupyter_mcpgen.registry.layout import Layout
from jupyter_mcpgen.registry.store import Registry, utc_now
from jupyter_mcpgen.sandbox.policy import Level, Limits
from jupyter_mcpgen.sandbox.service import Sandbox
from tests.builders import approval, draft
from tests.plans import group, limit, plan_of, sort, where

REPEATS = 20
TOOLS = 10_000
MOST_MILLISECONDS = 10
MOST_TO_OPEN = 200
TYPES = {"region": "text", "units": "integer", "amount": "real"}
QUESTION = "total amount by region"
FUNCTIONS = ("sum", "mean", "min", "max", "median")


def rows(place: Place) -> Iterator[Row]:
    """Measure the opening of a registry, and searches in it by what is computed and by words."""
    root, folder = place.new_folder("registry"), place.new_folder("index")
    _keep_many(root)
    known = Registry(root, index_folder=folder)
    assert len(known.indexed()) == TOOLS
    listed = Layout(root).active_metadata
    total = group("region", "sum amount", "sum units")

    def opened() -> None:
        registry = Registry(root, index_folder=folder)
        registry.families()
        registry.tool("total_0")

    for what, work in (
        (
            f"Opening a registry of {TOOLS:,} tools, its index and one tool (limit {MOST_TO_OPEN} ms)",
            lambda: elapsed(opened),
        ),
        (
            f"Search among {TOOLS:,}, one answers (limit {MOST_MILLISECONDS} ms)",
            _search(known, folder, (total,), Reuse),
        ),
        (
            f"Search among {TOOLS:,}, one is near (limit {MOST_MILLISECONDS} ms)",
            _search(known, folder, (where("units", "!=", 2), total), Near),
        ),
        (
            f"Search among {TOOLS:,} by words that every tool has (limit {MOST_MILLISECONDS} ms)",
            lambda: elapsed(lambda: known.search("a column for each group", 20)),
        ),
    ):
        ours, reference = in_turns((work, lambda: elapsed(lambda: json.loads(listed.read_bytes()))), REPEATS)
        yield Row(what, ours, "reading the list of tools as JSON", reference)


def _keep_many(root: Path) -> None:
    """Write the folders of approved tools, and list them at once: one promotion each would take minutes."""
    plans = [generalise(plan_of(TYPES, *steps)).model_dump_json() for steps in _shapes()]
    registry, layout = Registry(root), Layout(root)
    layout.tools.mkdir(parents=True)
    for number in range(TOOLS):
        plan = plans[number % len(plans)]
        made = draft(f"total_{number}", f"id-{number}", files={"plan.json": plan})
        contents = Contents(layout.tool(f"total_{number}"), candidate_files(*made.parts))
        contents = contents.approved(approval(made), utc_now())
        contents.path.mkdir()
        for name, content in contents.files.items():
            (contents.path / name).write_bytes(content)
    registry.rebuild()


def _shapes() -> Iterator[tuple[Step, ...]]:
    """Yield 250 calculations: each pair of functions, with and without a condition and a limit."""
    for first, second, condition, most in product(FUNCTIONS, FUNCTIONS, (None, ">", "<", ">=", "<="), (None, 3)):
        yield (
            *((where("units", condition, 2),) if condition else ()),
            group("region", f"{first} amount", f"{second} units"),
            *((sort(f"{first}_amount desc"), limit(most)) if most else ()),
        )


def _search(registry: Registry, folder: Path, steps: tuple[Step, ...], kind: type) -> Callable[[], float]:
    intent = intent_of(plan_of(TYPES, *steps), "table.csv", (), ())

    def search() -> float:
        services = Services(
            registry=registry,
            sandbox=Sandbox(Level.LANDLOCK),  # nothing runs in it
            author=EmbeddedAuthor(),
            workspace=folder,
            limits=Limits(),
            clock=utc_now,
            seconds=time.perf_counter,
            new_id=lambda: "",
            announce=lambda _: None,
        )
        begin = time.perf_counter()
        found = find_tool(intent, None, services, QUESTION)
        milliseconds = (time.perf_counter() - begin) * 1000
        assert isinstance(found, kind)
        return milliseconds

    return search
