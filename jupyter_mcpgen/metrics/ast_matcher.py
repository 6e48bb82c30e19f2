"""How alike the structure of two texts is: the subtrees that both have, whatever their variables are called.

Operators, constants, attributes, imported names and builtins count; names that a text gives itself do not.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass, field

from jupyter_mcpgen.metrics.multisets import likeness
from jupyter_mcpgen.metrics.tree import BUILTINS, GIVEN, OPERATORS, Tree, tree_of

_SAID = {
    ast.keyword: ("arg",),
    ast.alias: ("name",),
    ast.ImportFrom: ("module", "level"),
    ast.comprehension: ("is_async",),
    ast.FormattedValue: ("conversion",),
    ast.MatchSingleton: ("value",),
}
"""What a node says beside its kind and what is below it."""
_SILENT = frozenset(
    {ast.Call, ast.Subscript, ast.BinOp, ast.Compare, ast.Expr, ast.Assign, ast.Tuple, ast.List, ast.Return, ast.Slice,
     ast.arguments, *OPERATORS}
)  # fmt: skip
"""Kinds that say nothing else; the most frequent ones."""


@dataclass(frozen=True)
class AstFeatures:
    """What a text is made of; `subtrees` holds a number for each, the same for the same structure."""

    valid: bool
    node_types: tuple[str, ...] = ()
    max_depth: int = 0
    subtrees: Counter[int] = field(default_factory=Counter)

    @property
    def node_count(self) -> int:
        """How many nodes there are."""
        return len(self.node_types)

    @property
    def unique_nodes(self) -> frozenset[str]:
        """The kinds of nodes."""
        return frozenset(self.node_types)


@dataclass(frozen=True)
class AstSimilarity:
    """How alike two structures are, from 0 to 1, and beside it two figures that say less; None where nothing is."""

    ast_match_score: float | None
    ast_node_overlap: float | None
    ast_depth_similarity: float | None


Numbers = dict[tuple[object, ...], int]
"""The number of each subtree that was seen; two texts are compared by the same numbers."""


def extract_ast_features(code: str) -> AstFeatures:
    """Return the kinds of nodes, the depth and the subtrees of a text; what cannot be parsed is not valid."""
    tree = tree_of(code)
    return AstFeatures(valid=False) if tree is None else features_of(tree, {})


def calculate_ast_similarity(candidate_code: str, reference_code: str) -> AstSimilarity:
    """Return how alike two texts are built; a candidate that cannot be parsed is like nothing."""
    return ast_similarity(tree_of(candidate_code), tree_of(reference_code))


def ast_similarity(candidate: Tree | None, reference: Tree | None) -> AstSimilarity:
    """Return how alike two trees are; None is one that could not be made."""
    if reference is None or (reference.is_empty and candidate is not None and candidate.is_empty):
        return AstSimilarity(None, None, None)
    if candidate is None or candidate.is_empty or reference.is_empty:
        return AstSimilarity(0.0, 0.0, 0.0)
    numbers: Numbers = {}
    own, other = features_of(candidate, numbers), features_of(reference, numbers)
    depths = own.max_depth, other.max_depth
    return AstSimilarity(
        likeness(own.subtrees, other.subtrees),
        likeness(Counter(own.node_types), Counter(other.node_types)),
        min(depths) / max(depths),
    )


def features_of(tree: Tree, numbers: Numbers) -> AstFeatures:
    """Return the features of a tree; the subtrees get their numbers from those that were seen before."""
    names = _Names(tree)
    number: dict[ast.AST, int] = {}
    for node in reversed(tree.nodes):  # what is below a node comes before it
        fields, children = tree.below[node]
        key: tuple[object, ...] = (type(node), names.said(node), fields, *[number[child] for child in children])
        number[node] = numbers.setdefault(key, len(numbers))
    return AstFeatures(
        valid=True,
        node_types=tuple([type(node).__name__ for node in tree.nodes]),
        max_depth=max(tree.depths),
        subtrees=Counter(number.values()),
    )


class _Names:
    """Which names of a text are its own."""

    def __init__(self, tree: Tree) -> None:
        self._bound = frozenset(name for scope in tree.scopes.values() for name in scope.bound)
        methods: set[ast.AST] = set()
        functions: set[str] = set()
        for node in tree.scopes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                functions.add(node.name)
            if isinstance(node, ast.ClassDef):
                methods.update(node.body)
        self._methods = methods
        self._own_keywords = {
            keyword
            for node in tree.nodes
            if isinstance(node, ast.Call) and _called(node.func) in functions
            for keyword in node.keywords
        }

    def said(self, node: ast.AST) -> object:
        """Return what a node says itself, and of a name only whether it is a builtin."""
        kind = type(node)
        if kind in _SILENT or node in self._own_keywords:
            return None
        if isinstance(node, ast.Name):
            return node.id if node.id in BUILTINS and node.id not in self._bound else None
        if isinstance(node, ast.Constant):
            return type(node.value), node.value
        if isinstance(node, ast.Attribute):
            return node.attr
        told = [getattr(node, name) for name in _SAID.get(kind, ())]
        if given := GIVEN.get(kind):
            name = getattr(node, given)
            told.append(name if node in self._methods else name is not None)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            told.append(len(node.names))
        elif isinstance(node, ast.MatchClass):
            told += node.kwd_attrs
        return tuple(told)


def _called(function: ast.expr) -> str | None:
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return None
