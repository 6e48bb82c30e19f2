"""How values flow through a text: which variable is made of which, and what each is used for.

A flow is a triple: what is made or done, the variable that it reads, and which of that variable's values. Variables are
numbered as they are first met, so that their names say nothing.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from jupyter_mcpgen.metrics.multisets import likeness
from jupyter_mcpgen.metrics.tree import COMPREHENSIONS, LEAVES, Scope, Tree, Variable, tree_of

_Flow = tuple[object, ...]


@dataclass(frozen=True)
class Dataflow:
    """What a text does with its variables; `assignments` and `usages` are names and lines in the order of reading."""

    valid: bool
    variable_dependencies: dict[str, frozenset[str]]
    assignments: tuple[tuple[str, int], ...] = ()
    usages: tuple[tuple[str, int], ...] = ()
    flows: tuple[_Flow, ...] = ()

    @property
    def variable_count(self) -> int:
        """How many variables are given a value."""
        return len(self.variable_dependencies)


@dataclass(frozen=True)
class DataflowSimilarity:
    """How alike the flows of two texts are, from 0 to 1; None where neither has any.

    Beside it: how alike their variables are made and used, and which are made of which.
    """

    dataflow_match_score: float | None
    variable_flow_similarity: float | None
    dependency_graph_similarity: float | None


def extract_dataflow(code: str) -> Dataflow:
    """Return how values flow through a text; what cannot be parsed is not valid."""
    tree = tree_of(code)
    return Dataflow(valid=False, variable_dependencies={}) if tree is None else flow_of(tree)


def flow_of(tree: Tree) -> Dataflow:
    """Return how values flow through a tree."""
    analyzer = DataflowAnalyzer(tree)
    analyzer.analyze()
    return Dataflow(
        valid=True,
        variable_dependencies={name: frozenset(read) for name, read in analyzer.dependencies.items()},
        assignments=tuple(analyzer.assignments),
        usages=tuple(analyzer.usages),
        flows=tuple(analyzer.flows),
    )


def calculate_dataflow_similarity(candidate_code: str, reference_code: str) -> DataflowSimilarity:
    """Return how alike two texts are in what they do with values; a candidate that cannot be parsed is like nothing."""
    return dataflow_similarity(tree_of(candidate_code), tree_of(reference_code))


def dataflow_similarity(candidate: Tree | None, reference: Tree | None) -> DataflowSimilarity:
    """Return how alike the flows of two trees are; None is one that could not be made."""
    if reference is None:
        return DataflowSimilarity(None, None, None)
    other = flow_of(reference).flows
    if candidate is None:
        absent = 0.0 if other else None
        return DataflowSimilarity(absent, absent, absent)
    own = flow_of(candidate).flows
    return DataflowSimilarity(
        likeness(Counter(own), Counter(other)),
        likeness(Counter(_uses(own)), Counter(_uses(other))),
        likeness(Counter(_edges(own)), Counter(_edges(other))),
    )


def _uses(flows: Iterable[_Flow]) -> Iterator[tuple[object, ...]]:
    """Yield for each variable how often it is made and read."""
    counted: defaultdict[object, Counter[str]] = defaultdict(Counter)
    for made, read, _ in flows:
        counted[made]["made"] += 1
        if read is not None:
            counted[read]["read"] += 1
    for counts in counted.values():
        yield counts["made"], counts["read"]


def _edges(flows: Iterable[_Flow]) -> Iterator[tuple[object, ...]]:
    """Yield what is made of what, each pair once."""
    yield from dict.fromkeys((made, read) for made, read, _ in flows)


class DataflowAnalyzer:
    """Reads a tree in the order in which it would run, each branch once."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.dependencies: defaultdict[str, set[str]] = defaultdict(set)
        self.assignments: list[tuple[str, int]] = []
        self.usages: list[tuple[str, int]] = []
        self.flows: list[_Flow] = []
        self._numbers: dict[Variable, int] = {}
        self._values: Counter[Variable] = Counter()

    def analyze(self) -> None:
        """Read all statements; those of a function stand where it is defined."""
        top = self._tree.scopes[self._tree.root]
        waiting: list[tuple[ast.AST, Scope]] = [(statement, top) for statement in reversed(self._tree.root.body)]
        while waiting:
            node, scope = waiting.pop()
            below = self._statement(node, scope)
            waiting += reversed(list(below))

    def _statement(self, node: ast.AST, scope: Scope) -> Iterable[tuple[ast.AST, Scope]]:
        """Take in what a statement does itself, and return the statements in it."""
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._assign(target, value, scope)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, value, scope)
            case ast.AugAssign(target=target, value=value):
                read = [*self._reads(_loaded(target), scope), *self._reads(value, scope)]
                self._define(target, read, scope)
            case ast.For(target=target, iter=source) | ast.AsyncFor(target=target, iter=source):
                self._define(target, self._reads(source, scope), scope)
                return self._inside(scope, node.body, node.orelse)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    read = self._reads(item.context_expr, scope)
                    if item.optional_vars is None:
                        self._use("with", read)
                    else:
                        self._define(item.optional_vars, read, scope)
                return self._inside(scope, body)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return self._function(node, scope)
            case ast.ClassDef(body=body):
                outside = [*node.decorator_list, *node.bases, *(keyword.value for keyword in node.keywords)]
                self._set(scope.variable(node.name), self._reads_all(outside, scope), node.lineno)
                return self._inside(self._tree.scopes[node], body)
            case ast.If(test=test) | ast.While(test=test):
                self._use("test", self._reads(test, scope))
                return self._inside(scope, node.body, node.orelse)
            case ast.Match(subject=subject, cases=cases):
                read = self._reads(subject, scope)
                self._use("test", read)
                return [step for case in cases for step in self._case(case, read, scope)]
            case ast.Try() | ast.TryStar():
                handlers = [step for handler in node.handlers for step in self._handler(handler, scope)]
                return [
                    *self._inside(scope, node.body),
                    *handlers,
                    *self._inside(scope, node.orelse, node.finalbody),
                ]
            case ast.stmt():
                children = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
                self._use(type(node).__name__, self._reads_all(children, scope))
        return ()

    def _inside(self, scope: Scope, *bodies: list[ast.stmt]) -> list[tuple[ast.AST, Scope]]:
        return [(statement, scope) for body in bodies for statement in body]

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Iterable[tuple[ast.AST, Scope]]:
        self._set(scope.variable(node.name), self._reads_all(node.decorator_list, scope), node.lineno)
        inner = self._tree.scopes[node]
        self._parameters(node.args, scope, inner)
        return self._inside(inner, node.body)

    def _parameters(self, given: ast.arguments, outer: Scope, inner: Scope) -> None:
        positional = [*given.posonlyargs, *given.args]
        defaults = [*[None] * (len(positional) - len(given.defaults)), *given.defaults, *given.kw_defaults]
        named = zip([*positional, *given.kwonlyargs], defaults, strict=True)
        more = ((each, None) for each in (given.vararg, given.kwarg) if each is not None)
        for parameter, default in (*named, *more):
            read = [] if default is None else self._reads(default, outer)
            self._set(inner.variable(parameter.arg), read, parameter.lineno)

    def _case(self, case: ast.match_case, subject: list[Variable], scope: Scope) -> list[tuple[ast.AST, Scope]]:
        for node in ast.walk(case.pattern):
            match node:
                case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                    self._set(scope.variable(name), subject, node.lineno)
        if case.guard is not None:
            self._use("test", self._reads(case.guard, scope))
        return self._inside(scope, case.body)

    def _handler(self, handler: ast.ExceptHandler, scope: Scope) -> list[tuple[ast.AST, Scope]]:
        read = [] if handler.type is None else self._reads(handler.type, scope)
        if handler.name is not None:
            self._set(scope.variable(handler.name), read, handler.lineno)
        else:
            self._use("except", read)
        return self._inside(scope, handler.body)

    def _assign(self, target: ast.expr, value: ast.expr, scope: Scope) -> None:
        """Give targets their values: one by one where both are lists of the same length, else all to each."""
        match target, value:
            case ast.Tuple(elts=targets) | ast.List(elts=targets), ast.Tuple(elts=values) | ast.List(elts=values) if (
                len(targets) == len(values) and not any(isinstance(each, ast.Starred) for each in (*targets, *values))
            ):
                read = [self._reads(each, scope) for each in values]
                for each, sources in zip(targets, read, strict=True):
                    self._define(each, sources, scope)
            case _:
                self._define(target, self._reads(value, scope), scope)

    def _define(self, target: ast.expr, read: list[Variable], scope: Scope) -> None:
        """Give all variables of a target new values; one whose part is set is made of itself, too."""
        match target:
            case ast.Name(id=name, lineno=line):
                self._set(scope.variable(name), read, line)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                for each in targets:
                    self._define(each, read, scope)
            case ast.Starred(value=inner):
                self._define(inner, read, scope)
            case ast.Attribute() | ast.Subscript():
                own = self._reads(target, scope)
                owner = _owner(target)
                if owner is not None:
                    self._set(scope.variable(owner.id), [*own, *read], target.lineno)
                else:
                    self._use("set", [*own, *read])

    def _set(self, variable: Variable, read: Iterable[Variable], line: int) -> None:
        sources = [(self._number(each), self._values[each]) for each in read]
        self.dependencies[variable.name].update(each.name for each in read)
        self.assignments.append((variable.name, line))
        made = self._number(variable)
        self._values[variable] += 1
        self.flows += [(made, *source) for source in sources] or [(made, None, None)]

    def _use(self, what: str, read: Iterable[Variable]) -> None:
        self.flows += [(what, self._number(each), self._values[each]) for each in read]

    def _number(self, variable: Variable) -> int:
        return self._numbers.setdefault(variable, len(self._numbers))

    def _reads_all(self, expressions: Iterable[ast.expr], scope: Scope) -> list[Variable]:
        return [read for expression in expressions for read in self._reads(expression, scope)]

    def _reads(self, expression: ast.expr, scope: Scope) -> list[Variable]:
        """Return the variables that an expression reads, in order; what it sets inside is taken in."""
        found: list[Variable] = []
        waiting: list[ast.AST] = [expression]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Name):
                found += self._read(node, scope)
            elif type(node) in LEAVES:
                continue
            elif isinstance(node, ast.NamedExpr):
                read = self._reads(node.value, scope)
                self._define(node.target, read, scope.of_named_expressions())
                found += read
            elif isinstance(node, COMPREHENSIONS):
                found += self._comprehension(node, scope)
            elif isinstance(node, ast.Lambda):
                inner = self._tree.scopes[node]
                self._parameters(node.args, scope, inner)
                found += self._reads(node.body, inner)
            else:
                waiting += reversed(self._tree.below[node][1])
        return found

    def _read(self, node: ast.Name, scope: Scope) -> Iterable[Variable]:
        variable = scope.variable(node.id)
        if not isinstance(node.ctx, ast.Load) or variable.is_builtin:
            return ()
        self.usages.append((node.id, node.lineno))
        self._number(variable)
        return (variable,)

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, scope: Scope
    ) -> list[Variable]:
        inner = self._tree.scopes[node]
        found: list[Variable] = []
        for place, generator in enumerate(node.generators):
            read = self._reads(generator.iter, inner if place else scope)
            self._define(generator.target, read, inner)
            found += [*read, *self._reads_all(generator.ifs, inner)]
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        return found + self._reads_all(parts, inner)


def _loaded(target: ast.expr) -> ast.expr:
    """Return what an augmented assignment reads of its target first."""
    return ast.copy_location(ast.Name(target.id, ast.Load()), target) if isinstance(target, ast.Name) else target


def _owner(target: ast.expr) -> ast.Name | None:
    """Return the variable whose part is set."""
    while isinstance(target, ast.Attribute | ast.Subscript):
        target = target.value
    return target if isinstance(target, ast.Name) else None
