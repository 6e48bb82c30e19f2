"""How long it takes to find the tool that answers a question, or is near to it, among 1,000 active ones."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
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
from tests.plans import group, plan_of, where

REPEATS = 20
TOOLS = 1_000
MOST_MILLISECONDS = 20
TYPES = {"region": "text", "units": "integer", "amount": "real"}
QUESTION = "total amount by region"


def rows(place: Place) -> Iterator[Row]:
    """Measure the search of a process that searched before, and of one that has just started.

    All tools compute the same, which takes longest: the words of each are compared.
    """
    root, folder = place.new_folder("registry"), place.new_folder("index")
    _keep_many(root)
    known = Registry(root, index_folder=folder)
    assert len(known.indexed()) == TOOLS
    listed = Layout(root).active_metadata
    total = group("region", "sum amount")
    for what, kind, registry, steps in (
        (f"one answers (limit {MOST_MILLISECONDS} ms)", Reuse, lambda: known, (total,)),
        (f"one is near (limit {MOST_MILLISECONDS} ms)", Near, lambda: known, (where("units", ">", 2), total)),
        ("in a process that just started", Reuse, lambda: Registry(root, index_folder=folder), (total,)),
    ):
        search = _search(registry, folder, steps, kind)
        ours, reference = in_turns((search, lambda: elapsed(lambda: json.loads(listed.read_bytes()))), REPEATS)
        yield Row(f"Search for a tool among {TOOLS:,}, {what}", ours, "reading the list of tools as JSON", reference)


def _keep_many(root: Path) -> None:
    """Write the folders of approved tools, and list them at once: one promotion each would take minutes."""
    plan = generalise(plan_of(TYPES, group("region", "sum amount"))).model_dump_json()
    registry, layout = Registry(root), Layout(root)
    layout.tools.mkdir(parents=True)
    for number in range(TOOLS):
        made = draft(f"total_{number}", f"id-{number}", files={"plan.json": plan})
        contents = Contents(layout.tool(f"total_{number}"), candidate_files(*made.parts))
        contents = contents.approved(approval(made), utc_now())
        contents.path.mkdir()
        for name, content in contents.files.items():
            (contents.path / name).write_bytes(content)
    registry.rebuild()


def _search(registry: Callable[[], Registry], folder: Path, steps: tuple[Step, ...], kind: type) -> Callable[[], float]:
    intent = intent_of(plan_of(TYPES, *steps), "table.csv", (), ())

    def search() -> float:
        services = Services(
            registry=registry(),
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
