"""A tool as a notebook of plain pandas: its parameters as variables, and the table that comes of them."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jupyter_mcpgen.analysis.layout import formatted
from jupyter_mcpgen.build.single_file import single_file
from jupyter_mcpgen.build.source_text import changed, dedented, indented, text_of
from jupyter_mcpgen.build.templating import prose
from jupyter_mcpgen.model.package import Package
from jupyter_mcpgen.model.spec import DATA_PARAMETERS, ToolParameter
from jupyter_mcpgen.model.tool import PromotedTool

_FILES = dict(zip(DATA_PARAMETERS, ("data.csv", "other.csv"), strict=True))
_CHART = "application/vnd.vegalite.v6+json"
_WIDTH = 88


@dataclass(frozen=True)
class Cell:
    """One cell; a folded one shows its first line only."""

    source: str
    is_code: bool = True
    is_folded: bool = False

    def document(self, number: int) -> dict[str, object]:
        """Return the cell as it is written to the file."""
        lines = self.source.splitlines(keepends=True)
        hidden = {"jupyter": {"source_hidden": True}} if self.is_folded else {}
        common = {"id": f"cell-{number}", "metadata": hidden, "source": lines}
        if not self.is_code:
            return {"cell_type": "markdown", **common}
        return {"cell_type": "code", "execution_count": None, "outputs": [], **common}


def notebook_of(tool: PromotedTool, package: Package) -> bytes:
    """Return a notebook (format 4.5) that computes what the tool computes, without a server."""
    files = package.files
    cells = _cells(tool, files["tool.py"], files.get("helpers.py", ""))
    document = {
        "cells": [cell.document(number) for number, cell in enumerate(cells, 1)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def _cells(tool: PromotedTool, source: str, helpers: str) -> Iterator[Cell]:
    spec, steps = tool.spec, _steps(tool.name, source)
    code = single_file(tool.name, source if steps is None else steps.instead, helpers)
    yield Cell(
        f"# {tool.name}\n\n{prose(spec.description)}\n\n"
        f"{prose(spec.what_it_does)}\n\n"
        f"Made with jupyter-mcpgen of version {tool.version} of the approved tool `{tool.name}`. "
        f"Fingerprint of what was approved: `{tool.fingerprint}`.",
        is_code=False,
    )
    yield _code(["from __future__ import annotations", "", *code.imports])
    if spec.parameters:
        yield Cell("Change these values to use it on other data.", is_code=False)
        yield _code([_assigned(parameter) for parameter in spec.parameters])
    if code.helpers:
        yield Cell("How tables are read and checked is in the folded cell below.", is_code=False)
        yield Cell(formatted("\n\n\n".join(code.helpers), _WIDTH).rstrip("\n"), is_folded=True)
    own = [*code.own, *([code.function] if steps is None else [])]
    if own:
        yield _code(["\n\n\n".join(own)])
    if steps is None:
        given = ", ".join(f"{each.name}={each.name}" for each in spec.parameters)
        yield _code([f"result = {tool.name}({given})", "result"])
        return
    yield _code([*steps.computing, steps.table])
    if steps.chart is not None:
        shown = f"display({{{_CHART!r}: {steps.chart[0]}}}, raw=True)"
        yield _code(["from IPython.display import display", "", steps.chart[1], shown])


@dataclass(frozen=True)
class _Steps:
    """The statements of a tool that compute its table, and the name and the statement of its chart.

    `instead` is the source of the tool with these alone in its function.
    """

    computing: Sequence[str]
    table: str
    chart: tuple[str, str] | None
    instead: str


def _steps(name: str, source: str) -> _Steps | None:
    """Return what a tool does to make its report, for a tool that is written as ours are; else None.

    None as well where a text in the statements would change at the left margin.
    """
    found = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and node.name == name]
    match found:
        case [
            ast.FunctionDef(
                body=[*_, ast.Try(body=body), ast.Return(value=ast.Call(args=[ast.Name() as table, *_]) as made)]
            ) as function
        ] if ast.unparse(made.func) == "Report.of":
            pass
        case _:
            return None
    last = next((n for n, each in enumerate(body) if table.id in _assigned_by(each)), None)
    if last is None:
        return None
    drawn = {
        keyword.value.id for keyword in made.keywords if keyword.arg == "chart" and isinstance(keyword.value, ast.Name)
    }
    chart = next((each for each in body[last + 1 :] if drawn & _assigned_by(each)), None)
    wanted = (*body[: last + 1], *([chart] if chart is not None else []))
    texts = [text for each in wanted if (text := _text(source, each)) is not None]
    if len(texts) < len(wanted):
        return None
    kept = indented("\n".join(texts))
    instead = changed(source, [(function, f"def {name}():\n{kept}\n")])
    computing, shown = texts[: last + 1], texts[last + 1 :]
    named = (min(drawn & _assigned_by(chart)), shown[0]) if chart is not None else None
    return _Steps(computing, table.id, named, instead)


def _assigned_by(node: ast.stmt) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def _text(function: str, node: ast.stmt) -> str | None:
    return dedented(f"{' ' * node.col_offset}{text_of(function, node)}")


def _assigned(parameter: ToolParameter) -> str:
    if parameter.name in _FILES:
        return f"{parameter.name} = {_FILES[parameter.name]!r}"
    if parameter.required:
        return f"{parameter.name} = ...  # {prose(parameter.description)}"
    return f"{parameter.name} = {parameter.default!r}"


def _code(lines: Sequence[str]) -> Cell:
    return Cell(formatted("\n".join(lines) + "\n", _WIDTH).rstrip("\n"))
