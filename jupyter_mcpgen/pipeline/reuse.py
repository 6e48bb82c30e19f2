"""Answers a question with a tool that exists, held against the reference like a new one."""

from __future__ import annotations

from jupyter_mcpgen.model.file_reading import read_already
from jupyter_mcpgen.pipeline.draft import Reuse, Trial
from jupyter_mcpgen.pipeline.material import Material
from jupyter_mcpgen.pipeline.near import with_reasons
from jupyter_mcpgen.pipeline.references import plan_reference
from jupyter_mcpgen.pipeline.services import Services
from jupyter_mcpgen.pipeline.trial import run_on_data
from jupyter_mcpgen.pipeline.workbench import PlacedTool, unpacked


def use_again(reuse: Reuse, material: Material, services: Services) -> Trial:
    """Run an active tool with the arguments of the question; its files are compared with the approval first."""
    package = services.registry.load_package(reuse.tool)
    other = material.other.profile.schema_ if material.other is not None else None
    plan = reuse.shape.bind(reuse.arguments, material.profile.schema_, other)
    with unpacked(package, services.workspace) as folder:
        tool = PlacedTool(folder, reuse.tool.name, reuse.tool.capabilities)
        reference = plan_reference(plan, reuse.shape, reuse.intent, services)
        call = {**read_already(reuse.tool.spec), **reuse.arguments}
        trial = run_on_data(tool, call, reference, material, services)
    return trial if reuse.overlap is None else with_reasons(trial, reuse.tool.name, reuse.overlap)
