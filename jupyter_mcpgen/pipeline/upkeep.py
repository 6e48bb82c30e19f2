"""Tools that a person may want to tidy up: several that calculate nearly the same, and those that nobody calls."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.model.usage import Metrics
from jupyter_mcpgen.registry.index import Family

UNUSED_DAYS = 90


def near_duplicates(families: Iterable[Family]) -> tuple[tuple[str, ...], ...]:
    """Return the names of the tools that are not alone in their family.

    They may differ in which columns they take and in what can be changed about them.
    """
    return tuple(tuple(tool.name for tool in family.tools) for family in families if len(family.tools) > 1)


def unused(tools: Iterable[PromotedTool], metrics: Metrics, now: str) -> tuple[str, ...]:
    """Return the tools that were not called for long, and not approved since, by name."""
    since = datetime.fromisoformat(now) - timedelta(days=UNUSED_DAYS)
    return tuple(tool.name for tool in tools if _last_seen(tool, metrics) < since)


def _last_seen(tool: PromotedTool, metrics: Metrics) -> datetime:
    use = metrics.tools.get(tool.name)
    moments = (tool.promoted_at, use.last_used if use is not None else "")
    return max(datetime.fromisoformat(moment) for moment in moments if moment)
