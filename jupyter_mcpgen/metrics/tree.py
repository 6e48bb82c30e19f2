"""Source text as a tree that is read once, with the scopes in it: for the comparison of structure and of flow."""

from __future__ import annotations

import ast
import builtins
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import repeat
from textwrap import dedent
from threading import Lock

BUILTINS = frozenset(
    name for name, value in vars(builtins).items() if getattr(value, "__module__", None) in {"builtins", "_io"}
)
"""The names that Python gives a meaning; a notebook adds others."""
GIVEN: dict[type[ast.AST], str] = {
    kind: name
    for named, name in {
        "FunctionDef": "name",
        "AsyncFunctionDef": "name",
        "ClassDef": "name",
        "arg": "arg",
        "alias": "asname",
        "ExceptHandler": "name",
        "MatchAs": "name",
        "MatchStar": "name",
        "MatchMapping": "rest",
        "TypeVar": "name",
        "ParamSpec": "name",
        "TypeVarTuple": "name",
    }.items()
    if (kind := getattr(ast, named, None)) is not None  # the last three: from Python 3.12 on
}
"""The field in which a kind of node gives a name of the text's own."""
OPERATORS: frozenset[type[ast.AST]] = frozenset(
    operator for kind in (ast.operator, ast.cmpop, ast.unaryop, ast.boolop) for operator in kind.__subclasses__()
)
"""The kinds of nodes that are an operator and nothing else."""
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {
    kind: tuple(name for name in kind._fields if name not in ("ctx", "id", "attr", "conversion", "type_comment"))
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST)
}
"""The fields of each kind of node in which others may stand; what is loaded or stored is not said."""
_PARSING = Lock()  # the filter of warnings belongs to the whole process
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
LEAVES = frozenset({ast.Name, ast.Constant, *OPERATORS})
_Below = tuple[tuple[str, ...], list[ast.AST]]
_NOTHING: _Below = (), []
_OPENS = frozenset({*_DEFINITIONS, *COMPREHENSIONS, ast.Lambda})
_BINDS = frozenset({*GIVEN, ast.Global, ast.Nonlocal})
_PARTED = frozenset({*_DEFINITIONS, ast.Lambda, ast.arguments, ast.NamedExpr})
"""The kinds of nodes whose children are not all in one scope."""


@dataclass(frozen=True, eq=False)
class Variable:
    """A name in the scope that it belongs to; each is one object. `is_builtin` says that the text gives it no value."""

    name: str
    is_builtin: bool


@dataclass(eq=False)
class Scope:
    """One function, class, comprehension or the whole text, and the names that get a value in it."""

    opened_by: ast.AST
    above: Scope | None = None
    bound: set[str] = field(default_factory=set)
    elsewhere: set[str] = field(default_factory=set)
    known: dict[str, Variable] = field(default_factory=dict)

    def variable(self, name: str) -> Variable:
        """Return what a name stands for here, once the whole text has been read."""
        found = self.known.get(name)
        if found is None:
            found = self.known[name] = self._find(name)
        return found

    def _find(self, name: str) -> Variable:
        """Return the variable of the nearest scope that gives a name a value; functions see no names of a class."""
        if name in self.bound and name not in self.elsewhere:
            return Variable(name, is_builtin=False)
        scope = self
        while scope.above is not None:
            scope = scope.above
            is_hidden = isinstance(scope.opened_by, ast.ClassDef) or name in scope.elsewhere
            if name in scope.bound and not is_hidden:
                return scope.variable(name)
        if scope is not self:
            return scope.variable(name)
        return Variable(name, is_builtin=name in BUILTINS)

    def of_named_expressions(self) -> Scope:
        """Return the scope that `:=` gives a value in: never that of a comprehension."""
        scope = self
        while scope.above is not None and isinstance(scope.opened_by, COMPREHENSIONS):
            scope = scope.above
        return scope


@dataclass(frozen=True, eq=False)
class Tree:
    """The nodes of a text in the order of reading, without statements that are text alone.

    `below` has the fields in which a node's children stand, and the children; `depths` and `nodes` go together.
    """

    root: ast.Module
    nodes: list[ast.AST]
    depths: list[int]
    below: dict[ast.AST, _Below]
    scopes: dict[ast.AST, Scope]

    @property
    def is_empty(self) -> bool:
        """True for a text without a statement."""
        return len(self.nodes) == 1


def tree_of(code: str) -> Tree | None:
    """Return the tree of Python source; None for what cannot be parsed."""
    try:
        with _PARSING, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # doubtful escapes are the linter's business
            return _read(ast.parse(dedent(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None  # the last two: nested deeper than the parser goes


def _read(root: ast.Module) -> Tree:
    top = Scope(root)
    tree = Tree(root, [], [], {}, {root: top})
    nodes, depths, below = tree.nodes, tree.depths, tree.below
    waiting: list[tuple[ast.AST, int, Scope]] = [(root, 0, top)]
    while waiting:
        node, depth, scope = waiting.pop()
        kind = type(node)
        nodes.append(node)
        depths.append(depth)
        if kind in LEAVES:
            below[node] = _NOTHING
            if isinstance(node, ast.Name) and type(node.ctx) is not ast.Load:
                scope.bound.add(node.id)
            continue
        fields, children = below[node] = _children(node)
        if kind in _BINDS:
            _bind(node, scope)
        if kind in _OPENS:
            tree.scopes[node] = Scope(node, scope)
        places: Iterable[Scope] = repeat(tree.scopes.get(node, scope))
        if kind in _PARTED:
            places = reversed(_scopes(node, fields, children, scope, tree))
        waiting += zip(reversed(children), repeat(depth + 1), places)
    return tree


def _bind(node: ast.AST, scope: Scope) -> None:
    """Note the name that a node with others below it gives a value."""
    if isinstance(node, ast.alias):
        scope.bound.add(node.asname or node.name.partition(".")[0])
    elif isinstance(node, ast.Global | ast.Nonlocal):
        scope.elsewhere.update(node.names)
    elif (name := GIVEN.get(type(node))) and isinstance(given := getattr(node, name), str):
        scope.bound.add(given)


def _children(node: ast.AST) -> _Below:
    """Return the children of a node, and the names of the fields that they stand in."""
    fields: list[str] = []
    children: list[ast.AST] = []
    for name in _FIELDS[type(node)]:
        value = getattr(node, name, None)
        if type(value) is list:
            for each in value:
                if isinstance(each, ast.AST) and not _is_unsaid(each):
                    fields.append(name)
                    children.append(each)
        elif isinstance(value, ast.AST):
            fields.append(name)
            children.append(value)
    return tuple(fields), children


def _is_unsaid(node: ast.AST) -> bool:
    """Tell whether a node is a statement of text alone, such as a docstring."""
    if type(node) is ast.Expr:
        return isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    return type(node) is ast.TypeIgnore


def _scopes(node: ast.AST, fields: tuple[str, ...], children: list[ast.AST], scope: Scope, tree: Tree) -> list[Scope]:
    """Return the scope of each child: decorators, defaults and bases of what opens a scope are outside of it."""
    if isinstance(node, (*_DEFINITIONS, ast.Lambda)):
        return [tree.scopes[node] if name in ("args", "body") else scope for name in fields]
    if isinstance(node, ast.arguments):
        return [scope if isinstance(child, ast.arg) else scope.above or scope for child in children]
    return [scope.of_named_expressions() if name == "target" else scope for name in fields]
