"""Which installed packages some code imports, beside the standard library and what every tool may import."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jupyter_mcpgen.analysis.namespaces import EXTRA_PACKAGES
from jupyter_mcpgen.analysis.policy import parse
from jupyter_mcpgen.model.validation import Finding


def packages_in(source: str) -> tuple[str, ...]:
    """Return the packages that code imports and needs a grant for, by name; none for code that cannot be parsed.

    What no tool may import is not among them: the policy refuses it.
    """
    tree = parse(source)
    if isinstance(tree, Finding):
        return ()
    return tuple(sorted({name for node in ast.walk(tree) for name in _imported(node)} & EXTRA_PACKAGES))


def _imported(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (name.name.partition(".")[0] for name in names)
        case ast.ImportFrom(module=str(module), level=0):
            yield module.partition(".")[0]
