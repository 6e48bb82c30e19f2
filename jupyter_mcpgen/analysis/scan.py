"""Reads a syntax tree against a policy: which capability each expression would use.

This is a lint: it tells an honest author early what the sandbox will not grant, and stops the known ways around.
The wall is the sandbox.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from jupyter_mcpgen.analysis import rules
from jupyter_mcpgen.analysis.data_calls import DIRECT_ONLY, READS_ATTRIBUTES, DataCalls, Use
from jupyter_mcpgen.analysis.names import Comprehension, Names, ScopeKind, all_arguments, inner_parts
from jupyter_mcpgen.analysis.namespaces import INSTANCE
from jupyter_mcpgen.analysis.rules import Rule
from jupyter_mcpgen.analysis.source_policy import SourcePolicy, is_dunder
from jupyter_mcpgen.analysis.syntax import (
    builds_text,
    calls_super,
    is_short,
    makes_class,
    runs_on_stdio,
    takes_one,
    type_parts,
)
from jupyter_mcpgen.model.validation import Finding

WRITE_CAPABILITY = "cap:files.write"

# The public names of a named tuple, and those that `itertuples` gives to columns without an identifier.
_TUPLE_FIELD = re.compile(r"^_(asdict|replace|fields|make|\d+)$")
_TYPE_BUILTINS = frozenset({"list", "dict", "tuple", "set", "frozenset", "type"})
_ENUMERATIONS = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"})
_TYPE_MAKERS = frozenset({"NamedTuple", "TypedDict", "NewType", "TypeVar", "cast"})


def scan(tree: ast.Module, capabilities: tuple[str, ...], policy: SourcePolicy) -> Iterator[Finding]:
    """Yield a finding for each use that the policy does not grant."""
    scanner = _Scanner(Names(tree, policy.follows), policy, WRITE_CAPABILITY in capabilities)
    scanner.visit(tree)
    yield from scanner.findings


class _Scanner(ast.NodeVisitor):
    """Visits every expression once, in the scope it is evaluated in."""

    def __init__(self, names: Names, policy: SourcePolicy, may_write: bool) -> None:
        self.findings: list[Finding] = []
        self._names = names
        self._policy = policy
        self._may_write = may_write
        self._data = DataCalls(names, policy, may_write)
        self._scope = names.module
        self._line: int | None = None
        self._receivers: list[str] = []
        # Expressions whose place makes a namespace harmless there: `pd` in `pd.x`, `m = pd`, `FastMCP` in a call.
        self._in_place: set[ast.AST] = set()
        self._called: set[ast.AST] = set()
        self._texts: set[str] = set()

    # Reporting

    def _report(self, rule: Rule, subject: str, node: ast.AST | None = None) -> None:
        if rule is rules.FILE_WRITE and self._may_write:
            return
        self.findings.append(rule.finding(subject, getattr(node, "lineno", None) or self._line))

    def _report_all(self, uses: Iterable[Use], node: ast.AST) -> None:
        for rule, subject in uses:
            self._report(rule, subject, node)

    def visit(self, node: ast.AST) -> None:
        """Visit a node and remember its line, for nodes below it that have none."""
        self._line = getattr(node, "lineno", None) or self._line
        super().visit(node)

    def _visit_all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def _visit_inside(self, node: ast.AST, parts: Iterable[ast.AST]) -> None:
        outer, self._scope = self._scope, self._names.inside(node)
        self._visit_all(parts)
        self._scope = outer

    # Imports

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._check_name(alias.asname or alias.name.partition(".")[0], node)
            self._check_module(alias.name, node)

    def _check_module(self, module: str, node: ast.AST) -> bool:
        listed = module in self._policy.namespaces
        if not listed:
            self._report(rules.IMPORT, module, node)
        elif self._scope.kind is ScopeKind.CLASS:
            self._report(rules.IMPORT_IN_CLASS, module, node)
        return listed

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if node.level:
            self._report(rules.RELATIVE_IMPORT, f"from {'.' * node.level}{module} import …", node)
        elif self._check_module(module, node):
            self._visit_imported(module, node)

    def _visit_imported(self, module: str, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name == "*":
                self._report(rules.STAR_IMPORT, f"from {module} import *", node)
            else:
                self._check_name(alias.asname or alias.name, node)
                self._check_attribute_name(alias.name, f"{module}.{alias.name}", node)
                self._check_member(module, alias.name, node)

    def _check_member(self, space: str, member: str, node: ast.AST) -> None:
        path = f"{space}.{member}"
        if space in self._policy.namespaces and path not in self._policy.namespaces:
            rule = self._policy.namespaces[space].refusal(member)
            if rule is not None:
                self._report(rule, path.replace(INSTANCE, ""), node)

    # Scopes

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._check_definition(node.name, node)
        self._visit_all(node.decorator_list)
        self._visit_arguments(node.args)
        if node.returns:
            self._visit_annotation(node.returns)
        in_class = self._scope.kind is ScopeKind.CLASS
        self._receivers.append(node.args.args[0].arg if in_class and node.args.args else "")
        self._visit_inside(node, node.body)
        self._receivers.pop()

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815  the name is ast.NodeVisitor's

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._visit_arguments(node.args)
        self._visit_inside(node, [node.body])

    def _visit_arguments(self, arguments: ast.arguments) -> None:
        for argument in all_arguments(arguments):
            self._check_name(argument.arg, argument)
            if argument.annotation:
                self._visit_annotation(argument.annotation)
        self._visit_all(default for default in (*arguments.defaults, *arguments.kw_defaults) if default)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._check_name(node.name, node)
        if any(keyword.arg == "metaclass" for keyword in node.keywords):
            self._report(rules.DUNDER_METHOD, "metaclass", node)
        self._visit_all((*node.decorator_list, *node.bases, *node.keywords))
        self._visit_inside(node, node.body)

    def _check_definition(self, name: str, node: ast.AST) -> None:
        if self._scope.kind is not ScopeKind.CLASS:
            self._check_name(name, node)
        elif is_dunder(name) and name not in self._policy.dunder_methods:
            self._report(rules.DUNDER_METHOD, name, node)

    def _visit_comprehension(self, node: Comprehension) -> None:
        """Visit a comprehension: its first source outside, the rest inside."""
        self.visit(node.generators[0].iter)
        self._visit_inside(node, inner_parts(node))

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension  # noqa: N815

    # Annotations: frameworks evaluate them, also when they are text.

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.target)
        self._visit_annotation(node.annotation)
        if node.value:
            self._place_alias([node.target], node.value)
            self.visit(node.value)

    def _visit_annotation(self, node: ast.expr) -> None:
        self.visit(node)
        self._visit_texts(node)

    def _visit_texts(self, node: ast.expr) -> None:
        """Visit every text in a type expression, or behind a name in it, as the code that it becomes."""
        for part in type_parts(node):
            values = self._names.values(part, self._scope) if isinstance(part, ast.Name) else [part]
            for value in values:
                match value:
                    case ast.Constant(value=str(text)):
                        self._visit_text(text, part)
                    case _ if builds_text(value):
                        self._report(rules.CODE_NOT_CONSTANT, "an annotation", part)

    def _visit_text(self, text: str, place: ast.expr) -> None:
        if text in self._texts:
            return
        self._texts.add(text)
        try:
            inner = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError):
            return  # evaluating it fails the same way and runs nothing
        parts = list(ast.walk(inner))
        for part in parts:
            ast.copy_location(part, place)
        if any(isinstance(part, Comprehension | ast.Lambda) for part in parts):
            self._report(rules.CODE_STRING, f"`{text}`", place)
        else:
            self.visit(inner)
            self._visit_texts(inner)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if not self._namespaces_of(node.value):
            self._in_place.add(node.value)
        if not isinstance(node.ctx, ast.Load):
            for path in self._namespaces_of(node.value):
                self._report(rules.MODULE_CHANGED, path, node)
        if self._is_type(node.value):
            self._visit_texts(node)
        self.generic_visit(node)

    def _is_type(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name) and node.id in _TYPE_BUILTINS and not self._scope.hides_builtin(node.id):
            return True
        return any(path.startswith(("typing.", "collections.abc.")) for path in self._paths(node))

    # Names

    def visit_Name(self, node: ast.Name) -> None:
        self._check_name(node.id, node)
        if isinstance(node.ctx, ast.Load):
            rule = self._policy.builtins.get(node.id)
            if rule is not None and not self._scope.hides_builtin(node.id):
                self._report(rule, node.id, node)
            self._check_value(node)

    def _check_name(self, name: str, node: ast.AST) -> None:
        if self._policy.refuses_dunder(name):
            self._report(rules.DUNDER_NAME, name, node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self._check_name(node.name or "", node)
        self.generic_visit(node)

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        for attribute in node.kwd_attrs:
            self._check_attribute_name(attribute, f"case …({attribute}=…)", node)
        self.generic_visit(node)

    # Values: a module may be used, aliased and looked into, but not handed on.

    def _paths(self, node: ast.expr) -> frozenset[str]:
        return self._names.paths(node, self._scope)

    def _namespaces_of(self, node: ast.expr) -> list[str]:
        return sorted(path for path in self._paths(node) if path in self._policy.namespaces)

    def _place_alias(self, targets: list[ast.expr], value: ast.expr) -> None:
        if self._scope.kind is not ScopeKind.CLASS and all(isinstance(target, ast.Name) for target in targets):
            self._in_place.add(value)

    def _check_value(self, node: ast.expr) -> None:
        if node in self._in_place:
            return
        for path in self._namespaces_of(node):
            self._report(rules.MODULE_AS_VALUE, path.replace(INSTANCE, "(…)"), node)
        for path in sorted(self._paths(node) & DIRECT_ONLY):
            self._report(rules.CODE_INDIRECT, path, node)

    def visit_Expr(self, node: ast.Expr) -> None:
        self._in_place.add(node.value)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        self._place_alias(node.targets, node.value)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._check_changed(node.target, node)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if node.value == READS_ATTRIBUTES:
            self._report(rules.ATTRIBUTE_BY_NAME, READS_ATTRIBUTES, node)

    # Attributes

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._in_place.add(node.value)
        subject = ast.unparse(node) if is_short(node) else f"….{node.attr}"
        spaces = self._namespaces_of(node.value)
        own = isinstance(node.value, ast.Name) and bool(self._receivers) and node.value.id == self._receivers[-1]
        if not (own and node.attr.startswith("_") and not is_dunder(node.attr)):
            self._check_attribute_name(node.attr, subject, node)
        for space in spaces:
            self._check_member(space, node.attr, node)
        if not isinstance(node.ctx, ast.Load):
            self._check_changed(node, node)
        if not spaces:
            self._report_all(self._data.of_method(node, subject, node in self._called, self._scope), node)
        self._check_value(node)
        self.generic_visit(node)

    def _check_attribute_name(self, attribute: str, subject: str, node: ast.AST) -> None:
        if attribute in self._policy.attributes:
            self._report(self._policy.attributes[attribute], subject, node)
        elif self._policy.refuses_dunder(attribute) and not calls_super(node):
            self._report(rules.DUNDER, subject, node)
        elif _is_private(attribute):
            self._report(rules.PRIVATE, subject, node)

    def _check_changed(self, target: ast.expr, node: ast.AST) -> None:
        """Report an assignment to an attribute of a library."""
        base = target.value if isinstance(target, ast.Attribute | ast.Subscript) else target
        for path in sorted(self._paths(base)):
            space = path if path in self._policy.namespaces else path.rpartition(".")[0]
            if space in self._policy.namespaces and not space.startswith("pandas.options"):
                self._report(rules.MODULE_CHANGED, path.replace(INSTANCE, ""), node)

    # Calls

    def visit_Call(self, node: ast.Call) -> None:
        self._called.add(node.func)
        self._in_place.add(node.func)
        paths = self._paths(node.func)
        self._check_callable(node, paths)
        if makes_class(node):
            self._report(rules.BUILTIN, "type", node)
        if not takes_one(node) and self._names.lineage(node.func, self._scope) & _ENUMERATIONS:
            self._report(rules.CLASS_BY_TEXT, "Enum(…)", node)
        for keyword in node.keywords:
            self._check_keyword(keyword)
        self._report_all(self._data.of_call(node, paths, self._scope), node)
        self._check_value(node)
        self.generic_visit(node)

    def _check_callable(self, node: ast.Call, paths: frozenset[str]) -> None:
        for path in sorted(paths):
            if path in self._policy.namespaces and f"{path}{INSTANCE}" not in self._policy.namespaces:
                self._report(rules.MODULE_AS_VALUE, path, node)
            if path == f"fastmcp.FastMCP{INSTANCE}.run" and not runs_on_stdio(node):
                self._report(rules.FRAMEWORK, "mcp.run(…)", node)
            if path.startswith("typing.") and path.removeprefix("typing.") in _TYPE_MAKERS:
                for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                    self._visit_texts(argument)

    def _check_keyword(self, keyword: ast.keyword) -> None:
        constant = keyword.value.value if isinstance(keyword.value, ast.Constant) else ...
        if keyword.arg == "shell" and constant is not False:
            self._report(rules.SHELL_TRUE, "shell=…", keyword)
        self._report_all(self._data.of_keyword(keyword), keyword)


def _is_private(name: str) -> bool:
    return name.startswith("_") and not is_dunder(name) and not _TUPLE_FIELD.match(name)
