"""What a name in source may stand for: scopes, aliases and the dotted paths behind them.

Flow is ignored on purpose. A name has every meaning that any statement of its scope gives it, so an alias cannot be
hidden behind a branch that the reader takes for dead.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from jupyter_mcpgen.analysis.namespaces import INSTANCE

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


class ScopeKind(Enum):
    """Where names live: only functions hide the names outside them for certain."""

    MODULE = "module"
    CLASS = "class"
    FUNCTION = "function"
    COMPREHENSION = "comprehension"


@dataclass(frozen=True)
class Alias:
    """A name assigned an expression, with the scope in which that expression is evaluated."""

    value: ast.expr
    scope: Scope


Binding = str | Alias | None
"""An imported path, an alias, or nothing that can be followed."""


@dataclass
class Scope:
    """The names bound in one piece of code, with all their meanings."""

    kind: ScopeKind
    parent: Scope | None = None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    elsewhere: dict[str, Scope] = field(default_factory=dict)
    """Names declared `global` or `nonlocal`, with the scope they belong to."""
    bases: dict[str, list[Alias]] = field(default_factory=dict)
    """What the classes of each name derive from."""
    paths: dict[str, set[str]] = field(default_factory=dict)
    """What each name may stand for, once `Names` has followed the aliases."""

    def bind(self, name: str, meaning: Binding = None) -> None:
        """Add one meaning of a name."""
        self.elsewhere.get(name, self).bindings.setdefault(name, []).append(meaning)

    def owner(self, name: str) -> Scope | None:
        """Return the scope whose name this is, or nothing when only a builtin can be meant."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.elsewhere:
                scope = scope.elsewhere[name]
            # A class hides its names from the functions inside it.
            if name in scope.bindings and (scope is self or scope.kind is not ScopeKind.CLASS):
                return scope
            scope = scope.parent
        return None

    def hides_builtin(self, name: str) -> bool:
        """Return whether the name cannot fall back to the builtin, as it can from a module or a class body."""
        owner = self.owner(name)
        return owner is not None and owner.kind in (ScopeKind.FUNCTION, ScopeKind.COMPREHENSION)

    @property
    def module(self) -> Scope:
        """The outermost scope."""
        return self if self.parent is None else self.parent.module

    @property
    def statements(self) -> Scope:
        """The nearest scope that is not a comprehension; `:=` binds there."""
        if self.kind is ScopeKind.COMPREHENSION and self.parent is not None:
            return self.parent.statements
        return self


class Names:
    """Every scope of a module, and what expressions in it may stand for.

    `known` says which dotted paths are worth following; it must hold for finitely many of those a source can spell.
    """

    def __init__(self, tree: ast.Module, known: Callable[[str], bool]) -> None:
        self._known = known
        self._scopes: dict[ast.AST, Scope] = {}
        self.module = Scope(ScopeKind.MODULE)
        _Binder(self._scopes, self.module).visit_body(tree.body)
        self._follow_aliases([self.module, *self._scopes.values()])

    def _follow_aliases(self, scopes: list[Scope]) -> None:
        """Settle what every name may stand for; aliases may be written in any order and in circles."""
        aliases: list[tuple[set[str], Alias]] = []
        for scope in scopes:
            for name, meanings in scope.bindings.items():
                paths = scope.paths.setdefault(name, set())
                paths.update(meaning for meaning in meanings if isinstance(meaning, str))
                aliases += [(paths, meaning) for meaning in meanings if isinstance(meaning, Alias)]
        settled = False
        while not settled:
            before = sum(len(paths) for paths, _ in aliases)
            for paths, alias in aliases:
                paths |= self.paths(alias.value, alias.scope)
            aliases.reverse()  # a chain written backwards then settles in two rounds
            settled = before == sum(len(paths) for paths, _ in aliases)

    def inside(self, node: ast.AST) -> Scope:
        """Return the scope that a function, class or comprehension opens."""
        return self._scopes[node]

    def paths(self, node: ast.expr, scope: Scope) -> frozenset[str]:
        """Return the dotted paths that an expression may stand for; empty for plain data."""
        match node:
            case ast.Name(id=name):
                owner = scope.owner(name)
                return frozenset(owner.paths.get(name, ())) if owner else frozenset()
            case ast.Attribute(value=base, attr=attribute):
                return self._extended(base, scope, f".{attribute}")
            case ast.Call(func=function):
                return self._extended(function, scope, INSTANCE)
            case ast.NamedExpr(value=value):
                return self.paths(value, scope)
        return frozenset()

    def lineage(self, node: ast.expr, scope: Scope) -> frozenset[str]:
        """Return the dotted paths that a class may stand for or derive from."""
        waiting, seen, found = [Alias(node, scope)], set[tuple[int, str]](), set[str]()
        while waiting:
            alias = waiting.pop()
            found |= self.paths(alias.value, alias.scope)
            if not isinstance(alias.value, ast.Name):
                continue
            name, owner = alias.value.id, alias.scope.owner(alias.value.id)
            if owner is not None and (id(owner), name) not in seen:
                seen.add((id(owner), name))
                waiting += owner.bases.get(name, [])
                waiting += [meaning for meaning in owner.bindings[name] if isinstance(meaning, Alias)]
        return frozenset(found)

    def _extended(self, node: ast.expr, scope: Scope, suffix: str) -> frozenset[str]:
        return frozenset(path for base in self.paths(node, scope) if self._known(path := base + suffix))

    def values(self, name: ast.Name, scope: Scope) -> list[ast.expr]:
        """Return every expression that a name is assigned."""
        owner = scope.owner(name.id)
        meanings = owner.bindings.get(name.id, []) if owner else []
        return [meaning.value for meaning in meanings if isinstance(meaning, Alias)]

    def text(self, node: ast.expr | None, scope: Scope) -> str | None:
        """Return the text of an expression that is constant, or nothing."""
        match node:
            case ast.Constant(value=str(text)):
                return text
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return _joined((self.text(left, scope), self.text(right, scope)))
            case ast.JoinedStr(values=values):
                return _joined(self.text(value, scope) for value in values)
            case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
                return self.text(value, scope)
            case ast.Name(id=name):
                return self._constant(name, scope)
        return None

    def _constant(self, name: str, scope: Scope) -> str | None:
        owner = scope.owner(name)
        meanings = owner.bindings[name] if owner else []
        match meanings:
            case [Alias(value=ast.Constant(value=str(text)))]:
                return text
        return None

    def leading_text(self, node: ast.expr, scope: Scope) -> str:
        """Return the constant text that an expression starts with."""
        match node:
            case ast.BinOp(left=left, op=ast.Add()):
                return self.text(node, scope) or self.leading_text(left, scope)
            case ast.JoinedStr(values=[first, *_]):
                return self.text(node, scope) or self.leading_text(first, scope)
        return self.text(node, scope) or ""


def _joined(parts: Iterable[str | None]) -> str | None:
    known = list(parts)
    return None if None in known else "".join(part for part in known if part is not None)


class _Binder(ast.NodeVisitor):
    """Collects the bindings of every scope, before any name is looked up."""

    def __init__(self, scopes: dict[ast.AST, Scope], scope: Scope) -> None:
        self._scopes = scopes
        self._scope = scope

    def visit_body(self, body: Iterable[ast.AST]) -> None:
        """Visit statements in the current scope, declarations first: they hold for the whole scope."""
        nodes = list(body)
        for node in nodes:
            self._declare(node)
        for node in nodes:
            self.visit(node)

    def _declare(self, node: ast.AST) -> None:
        for statement in _same_scope(node):
            if isinstance(statement, ast.Global):
                self._scope.elsewhere.update(dict.fromkeys(statement.names, self._scope.module))
            elif isinstance(statement, ast.Nonlocal):
                owners = {name: self._scope.parent and self._scope.parent.owner(name) for name in statement.names}
                self._scope.elsewhere.update({name: owner for name, owner in owners.items() if owner})

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            top = alias.name.partition(".")[0]
            self._scope.bind(alias.asname or top, alias.name if alias.asname else top)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self._scope.bind(alias.asname or alias.name, f"{'.' * node.level}{node.module or ''}.{alias.name}")

    def visit_Assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self._scope.bind(target.id, Alias(node.value, self._scope))
            else:
                self.visit(target)
        self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if isinstance(node.target, ast.Name):
            self._scope.bind(node.target.id, Alias(node.value, self._scope) if node.value else None)
        self._visit_children(node, skip="target" if isinstance(node.target, ast.Name) else None)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self._scope.statements.bind(node.target.id, Alias(node.value, self._scope))
        self.visit(node.value)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self._scope.bind(node.id)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self._scope.bind(node.name)
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        if node.name:
            self._scope.bind(node.name)
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        if node.name:
            self._scope.bind(node.name)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        if node.rest:
            self._scope.bind(node.rest)
        self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._scope.bind(node.name)
        owner = self._scope.elsewhere.get(node.name, self._scope)
        owner.bases.setdefault(node.name, []).extend(Alias(base, self._scope) for base in node.bases)
        for outer in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(outer)
        self._open(node, ScopeKind.CLASS, (), node.body)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._scope.bind(node.name)
        for outer in (*node.decorator_list, *signature_parts(node.args), *([node.returns] if node.returns else [])):
            self.visit(outer)
        self._open(node, ScopeKind.FUNCTION, parameter_names(node.args), node.body)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815  the name is ast.NodeVisitor's

    def visit_Lambda(self, node: ast.Lambda) -> None:
        for outer in signature_parts(node.args):
            self.visit(outer)
        self._open(node, ScopeKind.FUNCTION, parameter_names(node.args), [node.body])

    def _visit_comprehension(self, node: Comprehension) -> None:
        # The first source is evaluated outside; everything else inside.
        self.visit(node.generators[0].iter)
        self._open(node, ScopeKind.COMPREHENSION, (), inner_parts(node))

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension  # noqa: N815

    def _open(self, node: ast.AST, kind: ScopeKind, parameters: Iterable[str], body: Iterable[ast.AST]) -> None:
        scope = Scope(kind, self._scope)
        self._scopes[node] = scope
        for parameter in parameters:
            scope.bind(parameter)
        _Binder(self._scopes, scope).visit_body(body)

    def _visit_children(self, node: ast.AST, skip: str | None) -> None:
        """Visit all fields of a node but one."""
        for name, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if name != skip and isinstance(child, ast.AST):
                    self.visit(child)


def _same_scope(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all below it that belong to the same scope."""
    yield node
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
        return
    for child in ast.iter_child_nodes(node):
        yield from _same_scope(child)


def parameter_names(arguments: ast.arguments) -> tuple[str, ...]:
    """Return the names of all parameters."""
    return tuple(argument.arg for argument in all_arguments(arguments))


def all_arguments(arguments: ast.arguments) -> tuple[ast.arg, ...]:
    """Return all parameters, in the order of the signature."""
    extra = tuple(a for a in (arguments.vararg, arguments.kwarg) if a)
    return (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra)


def signature_parts(arguments: ast.arguments) -> tuple[ast.expr, ...]:
    """Return what a signature evaluates outside its function: defaults and annotations."""
    annotations = tuple(a.annotation for a in all_arguments(arguments) if a.annotation)
    return (*arguments.defaults, *(d for d in arguments.kw_defaults if d), *annotations)


def inner_parts(node: Comprehension) -> tuple[ast.expr, ...]:
    """Return what a comprehension evaluates in its own scope."""
    first, *rest = node.generators
    results = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
    later = tuple(part for g in rest for part in (g.target, g.iter, *g.ifs))
    return (*results, first.target, *first.ifs, *later)
