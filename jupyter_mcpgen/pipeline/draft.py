"""What the hops between a question and a staged candidate hand to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from jupyter_mcpgen.authors.author import PlannedContract, WrittenContract
from jupyter_mcpgen.model.card import Card, StageTime
from jupyter_mcpgen.model.example import Example
from jupyter_mcpgen.model.figure import Figure
from jupyter_mcpgen.model.intent import Intent
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.request import Request
from jupyter_mcpgen.model.run import RunArtifacts, Table
from jupyter_mcpgen.model.tool import Predecessor, PromotedTool
from jupyter_mcpgen.model.validation import Evidence, Finding
from jupyter_mcpgen.model.written import Understood, WrittenIntent
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.overlap import Overlap
from jupyter_mcpgen.plan.shape import Shape


@dataclass(frozen=True)
class PlannedDraft:
    """A tool that was derived from a plan and is not yet checked."""

    intent: Intent
    contract: PlannedContract
    package: Package
    examples: tuple[Example, ...] = ()
    """None: the plan says what the code is to give."""


@dataclass(frozen=True)
class WrittenDraft:
    """A tool whose code was written by a model or a person and is not yet checked."""

    intent: WrittenIntent
    contract: WrittenContract
    package: Package

    @property
    def examples(self) -> tuple[Example, ...]:
        """Small tables with their results, written apart from the code."""
        return self.intent.examples


Draft = PlannedDraft | WrittenDraft


@dataclass(frozen=True)
class Trial:
    """The answer on the person's own data, with the evidence for it."""

    artifacts: RunArtifacts
    table: Table
    chart: dict[str, Any] | None
    evidence: tuple[Evidence, ...]
    result: pd.DataFrame | None = None
    """The whole result, of which `table` shows the first rows."""
    value: Any = None
    """What the tool gave where that is no table; `result` then lays it out as one."""
    figures: tuple[Figure, ...] = ()
    """What the tool drew."""


@dataclass(frozen=True)
class Computed:
    """An answer that was computed twice on the person's data; its code is not tested as a tool and nothing is kept.

    `findings` are what was seen in the code before it ran, `tool_id` is what a card of it will be called by.
    `follows` is the version that this would take the place of, where the person named a tool of theirs.
    """

    request: Request
    material: Material
    draft: Draft
    findings: tuple[Finding, ...]
    trial: Trial
    tool_id: str
    times: tuple[StageTime, ...]
    follows: Predecessor | None = None

    @property
    def intent(self) -> Understood:
        """What the question was understood to ask."""
        return self.draft.intent


@dataclass(frozen=True)
class Staged:
    """A new tool waits for a decision."""

    card: Card
    computed: Computed


@dataclass(frozen=True)
class Reuse:
    """An active tool that computes just what was asked, and the arguments that say so."""

    intent: Intent
    tool: PromotedTool
    shape: Shape
    arguments: Mapping[str, Any]
    overlap: Overlap | None = None
    """How much of the question the tool was found to meet; None where the person named the tool."""


@dataclass(frozen=True)
class Near:
    """An active tool that computes nearly what was asked, so that this could become its next version."""

    tool: PromotedTool
    overlap: Overlap


@dataclass(frozen=True)
class Reused:
    """A tool that exists already gave the answer."""

    request: Request
    material: Material
    reuse: Reuse
    trial: Trial
    times: tuple[StageTime, ...]

    @property
    def intent(self) -> Intent:
        """What the question was understood to ask."""
        return self.reuse.intent
