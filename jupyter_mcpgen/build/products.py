"""What each kind of target becomes: files by name, made step by step."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import assert_never

from jupyter_mcpgen.build.notebook import notebook_of
from jupyter_mcpgen.build.order import VERSION, Kind, Order
from jupyter_mcpgen.build.own_tests import PackageTests, Verdict
from jupyter_mcpgen.build.script import script_of
from jupyter_mcpgen.build.tool_package import ToolPackage
from jupyter_mcpgen.errors import NotStandalone, OwnTestsFailed
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.capabilities import NOTEBOOK_READ


@dataclass(frozen=True)
class Course:
    """What a build is watched and stopped by: `step` raises `BuildStopped` once it is not wanted any more."""

    step: Callable[[int, str], None]
    note: Callable[[str], None]
    cancellation: Cancellation
    seconds_left: Callable[[], float]


@dataclass(frozen=True)
class Products:
    """Files by name, and what a person should know of them."""

    files: Mapping[str, bytes]
    remark: str = ""


def products(order: Order, tool: PromotedTool, package: Package, tests: PackageTests, course: Course) -> Products:
    """Return the files that are asked for; raises a `BuildError` where there can be none."""
    if NOTEBOOK_READ in tool.capabilities:
        raise NotStandalone(tool.name, "it reads variables of a notebook, which only this product gives it")
    if not re.fullmatch(VERSION, tool.version):
        raise NotStandalone(tool.name, "its version is not three numbers, such as `1.0.0`")
    course.step(30, f"Writing the files of `{tool.name}`.")
    match order.kind:
        case Kind.TOOL:
            made = ToolPackage(tool, package)
            artifacts = made.artifacts()
            return Products(artifacts, _tested(order, made, tests, course))
        case Kind.SCRIPT:
            return Products({f"{tool.name}.py": script_of(tool, package)})
        case Kind.NOTEBOOK:
            return Products({f"{tool.name}.ipynb": notebook_of(tool, package)})
        case _:
            assert_never(order.kind)


def _tested(order: Order, made: ToolPackage, tests: PackageTests, course: Course) -> str:
    """Run the tests of a package, and say how they ended; raises `OwnTestsFailed` where that counts."""
    if order.options.verbose_logging:
        for name, content in made.modules.items():
            course.note(f"{name}: {len(content):,} bytes")
    if order.options.skip_tests:
        return "Its tests were skipped."
    if not made.has_tests:
        return "It has no tests of its own."
    course.step(50, f"Running the tests of `{made.tool.name}` in the sandbox.")
    tested = tests.run(made.modules, f"{made.module}/tests", course.seconds_left(), course.cancellation)
    course.step(80, tested.sentence)
    if order.options.verbose_logging or tested.verdict is Verdict.FAILED:
        course.note(tested.output)
    if tested.verdict is Verdict.FAILED and order.config.profile == "release":
        raise OwnTestsFailed(
            f"{tested.sentence} Nothing was written. The log has what they printed; with the profile `debug` the files "
            "are written all the same."
        )
    return tested.sentence
