"""What a person may want to tidy up: near-duplicates, and tools that nobody calls."""

from __future__ import annotations

from pathlib import Path

from jupyter_mcpgen.model.usage import Metrics, ToolUse
from jupyter_mcpgen.pipeline.upkeep import near_duplicates, unused
from jupyter_mcpgen.plan.ops import Step
from jupyter_mcpgen.plan.shape import generalise
from jupyter_mcpgen.plan.traits import traits_of
from jupyter_mcpgen.registry.index import NO_PLAN, IndexedTool, families_of
from jupyter_mcpgen.registry.store import Registry
from tests import builders
from tests.plans import group, plan_of, where

TYPES = {"pier": "text", "crates": "integer", "tons": "real"}


def indexed(name: str, *steps: Step) -> IndexedTool:
    return IndexedTool(name, name, name, "", traits_of(generalise(plan_of(TYPES, *steps))))


def test_tools_are_alike_that_calculate_the_same_with_the_same_conditions() -> None:
    tools = (
        indexed("sum_crates", group("pier", "sum crates")),
        indexed("sum_tons", group("pier", "sum tons")),
        indexed("mean_tons", group("pier", "mean tons")),
        indexed("sum_of_many", where("crates", ">", 2), group("pier", "sum tons")),
        IndexedTool("written", "w", "", "", NO_PLAN),
        IndexedTool("written_too", "v", "", "", NO_PLAN),
    )

    assert near_duplicates(families_of(tools)) == (("sum_crates", "sum_tons"),)


def test_a_tool_is_unused_that_was_neither_called_nor_approved_for_long(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "registry", clock=lambda: "2026-01-01T00:00:00Z")
    for name in ("called", "forgotten"):
        draft = builders.draft(name, f"{name}-1")
        registry.stage(*draft.parts)
        registry.promote(draft.tool_id, builders.approval(draft), builders.approved())
    metrics = Metrics(tools={"called": ToolUse(calls=1, last_used="2026-05-30T00:00:00+00:00")})

    assert unused(registry.active(), metrics, "2026-03-01T00:00:00+00:00") == ()
    assert unused(registry.active(), metrics, "2026-06-01T00:00:00+00:00") == ("forgotten",)
