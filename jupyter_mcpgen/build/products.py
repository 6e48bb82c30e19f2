"""What each kind of target becomes: files by name, made step by step."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from jupyter_mcpgen.build.catalogue import catalogue
from jupyter_mcpgen.build.container import container_context
from jupyter_mcpgen.build.module_package import ModulePackage
from jupyter_mcpgen.build.notebook import notebook_of
from jupyter_mcpgen.build.order import ALL, VERSION, Kind, Order
from jupyter_mcpgen.build.own_tests import PackageTests, Verdict, folders_of_tests
from jupyter_mcpgen.build.script import script_of
from jupyter_mcpgen.build.server_package import ServerPackage
from jupyter_mcpgen.build.subjects import Approved, SourceModule, Subject
from jupyter_mcpgen.build.tool_package import ToolPackage
from jupyter_mcpgen.errors import NotStandalone, OwnTestsFailed
from jupyter_mcpgen.model.tool import PromotedTool
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.capabilities import NOTEBOOK_READ

FIRST_VERSION = "1.0.0"
"""The version of a server that names none."""


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


def products(order: Order, subject: Subject, tests: PackageTests, course: Course) -> Products:
    """Return the files that are asked for; raises a `BuildError` where there can be none."""
    course.step(30, f"Writing the files of `{order.target}`.")
    if isinstance(subject, SourceModule):
        return _of_module(order, subject, tests, course)
    if order.kind is Kind.DOCS:
        name = "catalogue" if order.name == ALL else f"catalogue-{order.name}"
        return Products({f"{name}.html": catalogue([each.tool for each in subject])})
    for each in subject:
        _require_alone(each.tool)
    if order.kind is Kind.SERVER:
        return _of_server(order, subject, tests, course)
    return _of_tool(order, subject[0], tests, course)


def _require_alone(tool: PromotedTool) -> None:
    if NOTEBOOK_READ in tool.capabilities:
        raise NotStandalone(tool.name, "it reads variables of a notebook, which only this product gives it")
    if not re.fullmatch(VERSION, tool.version):
        raise NotStandalone(tool.name, "its version is not three numbers, such as `1.0.0`")


def _of_tool(order: Order, approved: Approved, tests: PackageTests, course: Course) -> Products:
    tool, package = approved.tool, approved.package
    made = ToolPackage(tool, package)
    match order.kind:
        case Kind.SCRIPT:
            return Products({f"{tool.name}.py": script_of(tool, package)})
        case Kind.NOTEBOOK:
            return Products({f"{tool.name}.ipynb": notebook_of(tool, package)})
        case Kind.DOCKER:
            remark = _tested(order, made.modules, _test_folders(made), tests, course)
            return Products(container_context(made), f"{remark} Build the image with `docker build - < FILE`.")
        case _:
            return Products(made.artifacts(), _tested(order, made.modules, _test_folders(made), tests, course))


def _of_server(order: Order, subject: tuple[Approved, ...], tests: PackageTests, course: Course) -> Products:
    made = ServerPackage(order.name, order.version or FIRST_VERSION, subject)
    folders = [folder for package in made.packages for folder in _test_folders(package)]
    return Products(made.artifacts(), _tested(order, made.modules, folders, tests, course))


def _of_module(order: Order, module: SourceModule, tests: PackageTests, course: Course) -> Products:
    files = {**module.files, **module.tests}
    remark = _tested(order, files, list(folders_of_tests(files)), tests, course)
    return Products(ModulePackage(module).artifacts(), remark)


def _test_folders(package: ToolPackage) -> list[str]:
    return [f"{package.module}/tests"] if package.has_tests else []


def _tested(
    order: Order, files: Mapping[str, bytes], folders: Sequence[str], tests: PackageTests, course: Course
) -> str:
    """Run the tests of a package, and say how they ended; raises `OwnTestsFailed` where that counts."""
    if order.options.verbose_logging:
        for name, content in files.items():
            course.note(f"{name}: {len(content):,} bytes")
    if order.options.skip_tests:
        return "Its tests were skipped."
    if not folders:
        return "It has no tests of its own."
    sentences = []
    for number, folder in enumerate(folders):
        course.step(40 + 40 * number // len(folders), f"Running `{folder}` in the sandbox.")
        tested = tests.run(files, folder, course.seconds_left(), course.cancellation)
        course.step(40 + 40 * (number + 1) // len(folders), tested.sentence)  # tests that were stopped did not fail
        if order.options.verbose_logging or tested.verdict is Verdict.FAILED:
            course.note(tested.output)
        if tested.verdict is Verdict.FAILED and order.config.profile == "release":
            raise OwnTestsFailed(
                f"{tested.sentence} Nothing was written. The log has what they printed; with the profile `debug` the "
                "files are written all the same."
            )
        sentences.append(tested.sentence)
    return " ".join(dict.fromkeys(sentences))
