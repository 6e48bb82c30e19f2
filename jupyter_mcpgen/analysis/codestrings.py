"""Text that pandas evaluates as code: the arguments of `df.eval`, `df.query` and `pd.eval`."""

from __future__ import annotations

import ast
import re

from jupyter_mcpgen.analysis.rules import words

_BACKTICKS = re.compile(r"`[^`\n]*`")
_FUNCTIONS = words(
    "sin cos tan exp log expm1 log1p sqrt sinh cosh tanh arcsin arccos arctan arccosh arcsinh arctanh abs log10 "
    "floor ceil arctan2"
)
_ALLOWED = (
    ast.Expression,
    ast.Module,
    ast.Expr,
    ast.Assign,
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.Name,
    ast.Constant,
    ast.List,
    ast.Tuple,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
    ast.expr_context,
)


def code_string_flaw(text: str, attributes: bool) -> str | None:
    """Say what a text does beyond comparing and calculating with columns, or nothing.

    `attributes` allows date parts such as `day.dt.year`, where names can only be columns.
    """
    quoted = _BACKTICKS.sub("column", text)
    if "@" in _without_strings(quoted):
        return "`@` reaches variables of the program"
    try:
        tree = ast.parse(quoted.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "it cannot be read"
    return next((flaw for node in ast.walk(tree) if (flaw := _flaw(node, attributes))), None)


def _without_strings(text: str) -> str:
    return re.sub(r"'[^'\n]*'|\"[^\"\n]*\"", "''", text)


def _flaw(node: ast.AST, attributes: bool) -> str | None:
    match node:
        case ast.Name(id=name) if name.startswith("__"):
            return f"`{name}` is part of Python's machinery"
        case ast.Call(func=ast.Name(id=name), keywords=[]) if name in _FUNCTIONS:
            return None
        case ast.Call():
            return "it calls a function"
        case ast.Attribute(value=ast.Attribute(value=ast.Name(), attr="dt"), attr=part) if _is_part(part, attributes):
            return None
        case ast.Attribute(value=ast.Name(), attr="dt") if attributes:
            return None
        case ast.Attribute(attr=name):
            return f"it reads the attribute `{name}`"
        case _ if isinstance(node, _ALLOWED):
            return None
    return f"it holds a {type(node).__name__.lower()}"


def _is_part(name: str, attributes: bool) -> bool:
    return attributes and not name.startswith("_")
