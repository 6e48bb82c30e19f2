"""The files of a tool as modules of a package of its own, which import each other by the package's name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jupyter_mcpgen.build.source_text import changed, parts_of, without_lines

_MODULES = ("tool", "helpers")
_HOW_TO_RUN = "Run them in this folder: `pytest tests.py`."


def in_package(source: str, package: str) -> str:
    """Return a module of a tool that finds the tool's other modules in a package."""
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    return changed(source, [(node, text) for node in imports if (text := _moved(node, package)) is not None])


def moved_tests(source: str, package: str) -> str:
    """Return the tests of a tool for its package: as they are, but for how they find the tool."""
    parts = parts_of(source)
    finding = [node for part in parts for node in part.nodes if _finds_beside(node)]
    kept = without_lines(source, ((node.lineno, node.end_lineno or node.lineno) for node in finding))
    used = {each.id for each in ast.walk(ast.parse(kept)) if isinstance(each, ast.Name)}
    unused = [
        node
        for node in ast.parse(kept).body
        if finding and ast.unparse(node) in ("import sys", "from pathlib import Path") and _bound(node) not in used
    ]
    kept = without_lines(kept, ((node.lineno, node.lineno) for node in unused))
    return in_package(kept, package).replace(_HOW_TO_RUN, f"Run them: `pytest --pyargs {package}`.")


def _moved(node: ast.Import | ast.ImportFrom, package: str) -> str | None:
    if isinstance(node, ast.ImportFrom):
        if node.level or node.module not in _MODULES:
            return None
        return ast.unparse(ast.ImportFrom(module=f"{package}.{node.module}", names=node.names, level=0))
    if not any(alias.name in _MODULES for alias in node.names):
        return None
    return "; ".join(_statements(node, package))


def _statements(node: ast.Import, package: str) -> Iterator[str]:
    for alias in node.names:
        if alias.name in _MODULES:
            yield ast.unparse(ast.ImportFrom(module=package, names=[alias], level=0))
        else:
            yield ast.unparse(ast.Import(names=[alias]))


def _finds_beside(node: ast.stmt) -> bool:
    """Tell whether a statement of the tests is there to find the tool in the folder beside them."""
    match node:
        case ast.Expr(value=ast.Call(func=func)):
            return ast.unparse(func) == "sys.path.insert"
        case ast.For(body=[ast.Expr(value=ast.Call(func=func))]):
            return ast.unparse(func) == "sys.modules.pop"
    return False


def _bound(node: ast.stmt) -> str:
    return ast.unparse(node).split()[-1]
