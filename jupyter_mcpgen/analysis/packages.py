"""Which installed packages some code imports, beside the standard library and what every tool may import."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib.util import find_spec

from jupyter_mcpgen.analysis.namespaces import EXTRA_PACKAGES
from jupyter_mcpgen.analysis.policy import parse
from jupyter_mcpgen.model.validation import Finding


def imports_in(source: str) -> frozenset[str]:
    """Return the top-level names of what code imports beside the standard library."""
    tree = parse(source)
    if isinstance(tree, Finding):
        return frozenset()
    return frozenset(name for node in ast.walk(tree) for name in _imported(node)) - sys.stdlib_module_names


def packages_in(source: str) -> tuple[str, ...]:
    """Return the packages that code imports and needs a grant for, by name; none for code that cannot be parsed.

    What no tool may import is not among them: the policy refuses it.
    """
    return tuple(sorted(imports_in(source) & EXTRA_PACKAGES))


def extras_installed() -> frozenset[str]:
    """Return which of the packages that a tool may be granted are there to be imported."""
    return frozenset(name for name in EXTRA_PACKAGES if find_spec(name) is not None)


def _imported(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (name.name.partition(".")[0] for name in names)
        case ast.ImportFrom(module=str(module), level=0):
            yield module.partition(".")[0]
