"""Reads a syntax tree against a policy: which capability each expression would use.

This is a lint: it tells an honest author early what the sandbox will not grant, and stops the known ways around.
The wall is the sandbox.
"""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath, PureWindowsPath

from jupyter_mcpgen.analysis import rules
from jupyter_mcpgen.analysis.codestrings import code_string_flaw
from jupyter_mcpgen.analysis.names import (
    Comprehension,
    Names,
    ScopeKind,
    all_arguments,
    inner_parts,
)
from jupyter_mcpgen.analysis.namespaces import INSTANCE, Namespace
from jupyter_mcpgen.analysis.rules import Rule
from jupyter_mcpgen.model.validation import Finding

WRITE_CAPABILITY = "cap:files.write"

_DUNDER = re.compile(r"^__\w+__$")
# The public names of a named tuple, and those that `itertuples` gives to columns without an identifier.
_TUPLE_FIELD = re.compile(r"^_(asdict|replace|fields|make|\d+)$")
_URL = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*://")
_READERS = ("pandas.read_", "numpy.", "helpers.load_", "helpers.validate_")

_NAMED_BY_TEXT = frozenset({"agg", "aggregate", "apply", "transform"})
_CODE_METHODS = frozenset({"eval", "query"})
_CODE_OPTIONS = frozenset({"parser", "local_dict", "global_dict", "resolvers", "level"})
_DIRECT_ONLY = frozenset({"pandas.eval", "pandas.set_option", "pandas.option_context"})
_PLOTS = frozenset({"plot", "hist", "boxplot"})
_REMOTE_OPTIONS = frozenset({"storage_options", "filesystem"})
_TYPE_BUILTINS = frozenset({"list", "dict", "tuple", "set", "frozenset", "type"})
_TYPE_MAKERS = frozenset({"NamedTuple", "TypedDict", "NewType", "TypeVar", "cast"})

_WRITERS: Mapping[str, str] = {
    "to_csv": "path_or_buf",
    "to_json": "path_or_buf",
    "to_html": "buf",
    "to_latex": "buf",
    "to_markdown": "buf",
    "to_string": "buf",
    "to_xml": "path_or_buffer",
    "to_typst": "buf",
    "to_parquet": "path",
    "to_orc": "path",
    "to_feather": "path",
    "to_excel": "excel_writer",
    "to_stata": "path",
}
"""Methods that write only when they are given a path, and the name of that parameter; it is also the first one."""


_PATH_PARAMETERS = frozenset(_WRITERS.values()) - {"path"}


@dataclass(frozen=True)
class SourcePolicy:
    """What source may use, as a value.

    `namespaces` restricts modules and module-like objects; with `imports_are_listed` nothing else can be imported.
    `attributes` are refused on any object, `calls` only when called, `builtins` wherever they are named.
    `data_rules` adds the rules about pandas: writers, addresses, text that is code, formats.
    """

    namespaces: Mapping[str, Namespace]
    builtins: Mapping[str, Rule]
    attributes: Mapping[str, Rule]
    imports_are_listed: bool = True
    refused_imports: Mapping[str, Rule] = field(default_factory=dict)
    calls: Mapping[str, Rule] = field(default_factory=dict)
    dunders_allowed: frozenset[str] | None = None
    dunders_refused: frozenset[str] = frozenset()
    dunder_methods: frozenset[str] | None = None
    private_attributes: bool = True
    data_rules: bool = False
    magics: frozenset[str] = frozenset()
    help_lines: bool = False

    def refuses_dunder(self, name: str) -> bool:
        """Return whether a name with two underscores on both sides may not be used."""
        if not _DUNDER.match(name):
            return False
        return name in self.dunders_refused if self.dunders_allowed is None else name not in self.dunders_allowed

    def follows(self, path: str) -> bool:
        """Return whether a path is a namespace or a direct member of one."""
        if path in self.namespaces or path.removesuffix(INSTANCE) in self.namespaces:
            return True
        parent = path.rpartition(".")[0]
        return parent in self.namespaces and not path.endswith(INSTANCE)


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
        top = module.partition(".")[0]
        listed = module in self._policy.namespaces
        rule = self._policy.refused_imports.get(top)
        if rule is None and self._policy.imports_are_listed and not listed:
            rule = rules.IMPORT
        if rule is not None:
            self._report(rule, module, node)
        elif listed and self._scope.kind is ScopeKind.CLASS:
            self._report(rules.IMPORT_IN_CLASS, module, node)
        return rule is None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if node.level and self._policy.imports_are_listed:
            self._report(rules.RELATIVE_IMPORT, f"from {'.' * node.level}{module} import …", node)
        elif not node.level and self._check_module(module, node):
            self._visit_imported(module, node)

    def _visit_imported(self, module: str, node: ast.ImportFrom) -> None:
        for alias in node.names:
            path = f"{module}.{alias.name}"
            if alias.name == "*" and module in self._policy.namespaces:
                self._report(rules.STAR_IMPORT, f"from {module} import *", node)
            elif (space := self._policy.namespaces.get(path)) and space.by_attribute_only:
                self._report(rules.ENVIRONMENT, path, node)
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
        if self._policy.dunder_methods is not None and any(keyword.arg == "metaclass" for keyword in node.keywords):
            self._report(rules.DUNDER_METHOD, "metaclass", node)
        self._visit_all((*node.decorator_list, *node.bases, *node.keywords))
        self._visit_inside(node, node.body)

    def _check_definition(self, name: str, node: ast.AST) -> None:
        allowed = self._policy.dunder_methods
        if self._scope.kind is not ScopeKind.CLASS:
            self._check_name(name, node)
        elif allowed is not None and _DUNDER.match(name) and name not in allowed:
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
        for part in _type_parts(node):
            values = self._names.values(part, self._scope) if isinstance(part, ast.Name) else [part]
            for value in values:
                match value:
                    case ast.Constant(value=str(text)):
                        self._visit_text(text, part)
                    case _ if _builds_text(value):
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
        self._place(node.value, handed_on_only=True)
        if not isinstance(node.ctx, ast.Load):
            for path in self._namespaces_of(node.value):
                self._report(rules.ENVIRONMENT if path == "os.environ" else rules.MODULE_CHANGED, path, node)
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

    def _place(self, node: ast.expr, handed_on_only: bool = False) -> None:
        spaces = self._namespaces_of(node)
        if not handed_on_only or all(self._policy.namespaces[path].handed_on for path in spaces):
            self._in_place.add(node)

    def _place_alias(self, targets: list[ast.expr], value: ast.expr) -> None:
        if self._scope.kind is not ScopeKind.CLASS and all(isinstance(target, ast.Name) for target in targets):
            self._in_place.add(value)

    def _check_value(self, node: ast.expr) -> None:
        if node in self._in_place:
            return
        for path in self._namespaces_of(node):
            if not self._policy.namespaces[path].handed_on:
                self._report(rules.MODULE_AS_VALUE, path.replace(INSTANCE, "(…)"), node)
        for path in sorted(self._paths(node) & _DIRECT_ONLY):
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

    # Attributes

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._in_place.add(node.value)
        subject = ast.unparse(node) if _short(node) else f"….{node.attr}"
        spaces = self._namespaces_of(node.value)
        own = isinstance(node.value, ast.Name) and bool(self._receivers) and node.value.id == self._receivers[-1]
        if not (own and node.attr.startswith("_") and not _DUNDER.match(node.attr)):
            self._check_attribute_name(node.attr, subject, node)
        for space in spaces:
            self._check_member(space, node.attr, node)
        if not isinstance(node.ctx, ast.Load):
            self._check_changed(node, node)
        if self._policy.data_rules and not spaces:
            self._check_data_method(node, subject)
        self._check_value(node)
        self.generic_visit(node)

    def _check_attribute_name(self, attribute: str, subject: str, node: ast.AST) -> None:
        if attribute in self._policy.attributes:
            self._report(self._policy.attributes[attribute], subject, node)
        elif self._policy.refuses_dunder(attribute) and not _calls_super(node):
            self._report(rules.DUNDER, subject, node)
        elif self._policy.private_attributes and _is_private(attribute):
            self._report(rules.PRIVATE, subject, node)

    def _check_changed(self, target: ast.expr, node: ast.AST) -> None:
        """Report an assignment to an attribute of a library, or to the environment itself."""
        if "os.environ" in self._paths(target):
            self._report(rules.ENVIRONMENT, "os.environ", node)
            return
        base = target.value if isinstance(target, ast.Attribute | ast.Subscript) else target
        for path in sorted(self._paths(base)):
            space = path if path in self._policy.namespaces else path.rpartition(".")[0]
            if space in self._policy.namespaces and not space.startswith("pandas.options"):
                self._report(rules.MODULE_CHANGED, path.replace(INSTANCE, ""), node)

    def _check_data_method(self, node: ast.Attribute, subject: str) -> None:
        called = node in self._called
        if node.attr in _CODE_METHODS and not called:
            self._report(rules.CODE_INDIRECT, subject, node)
        elif node.attr in _WRITERS and not called:
            self._report(rules.FILE_WRITE, subject, node)
        elif node.attr in ("format", "format_map"):
            self._check_format(node, subject)
        elif called and node.attr in self._policy.calls:
            self._report(self._policy.calls[node.attr], subject, node)

    # Formats

    def _check_format(self, node: ast.Attribute, subject: str) -> None:
        template = self._names.text(node.value, self._scope)
        if template is None:
            if not _is_styler(node.value):
                self._report(rules.FORMAT_NOT_CONSTANT, subject, node)
        elif any(self._is_hidden(name) for name in _format_attributes(template)):
            self._report(rules.FORMAT_FIELD, f"`{template}`", node)

    def _is_hidden(self, attribute: str) -> bool:
        return attribute.startswith("_") or attribute in self._policy.attributes

    # Calls

    def visit_Call(self, node: ast.Call) -> None:
        self._called.add(node.func)
        self._in_place.add(node.func)
        paths = self._paths(node.func)
        self._check_callable(node, paths)
        if self._policy.data_rules and _makes_class(node):
            self._report(rules.BUILTIN, "type", node)
        for keyword in node.keywords:
            self._check_keyword(keyword)
        if self._policy.data_rules:
            self._check_data_call(node, paths)
        self._check_value(node)
        self.generic_visit(node)

    def _check_callable(self, node: ast.Call, paths: frozenset[str]) -> None:
        for path in sorted(paths):
            if path in self._policy.namespaces and f"{path}{INSTANCE}" not in self._policy.namespaces:
                self._report(rules.MODULE_AS_VALUE, path, node)
            if path == f"fastmcp.FastMCP{INSTANCE}.run" and not _runs_on_stdio(node):
                self._report(rules.FRAMEWORK, "mcp.run(…)", node)
            if path.startswith("typing.") and path.removeprefix("typing.") in _TYPE_MAKERS:
                for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                    self._visit_texts(argument)

    def _check_keyword(self, keyword: ast.keyword) -> None:
        constant = keyword.value.value if isinstance(keyword.value, ast.Constant) else ...
        if keyword.arg == "shell" and constant is not False:
            self._report(rules.SHELL_TRUE, "shell=…", keyword)
        if not self._policy.data_rules:
            return
        if keyword.arg == "allow_pickle" and constant is not False:
            self._report(rules.PICKLE, "allow_pickle=…", keyword)
        elif keyword.arg in _REMOTE_OPTIONS and constant is not None:
            self._report(rules.NETWORK, f"{keyword.arg}=…", keyword)
        elif keyword.arg == "backend":
            self._report(rules.PLOT_BACKEND, "backend=…", keyword)

    def _check_data_call(self, node: ast.Call, paths: frozenset[str]) -> None:
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if "pandas.eval" in paths or (method in _CODE_METHODS and not self._namespaces_of(_receiver(node))):
            self._check_code_string(node, free_names="pandas.eval" not in paths)
        if any(path.startswith(_READERS) for path in paths):
            self._check_address(node)
        if any(path in ("pandas.set_option", "pandas.option_context") for path in paths):
            self._check_options(node)
        if method in _WRITERS:
            self._check_writer(node, _WRITERS[method])
        if method in _NAMED_BY_TEXT or any(keyword.arg == "aggfunc" for keyword in node.keywords):
            self._check_functions_by_name(node)
        if method in _PLOTS and any(keyword.arg is None for keyword in node.keywords):
            self._report(rules.PLOT_BACKEND, f"{method}(**…)", node)

    def _check_code_string(self, node: ast.Call, free_names: bool) -> None:
        subject = f"{ast.unparse(node.func)}(…)" if _short(node.func) else "eval(…)"
        for keyword in node.keywords:
            if keyword.arg in _CODE_OPTIONS or keyword.arg is None:
                self._report(rules.CODE_OPTION, keyword.arg or "**", node)
        expression = _argument(node, "expr")
        text = self._names.text(expression, self._scope) if expression is not None else None
        if text is None:
            self._report(rules.CODE_NOT_CONSTANT, subject, node)
        elif flaw := code_string_flaw(text, attributes=free_names):
            self._report(rules.CODE_STRING, f"`{text}` ({flaw})", node)

    def _check_address(self, node: ast.Call) -> None:
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            text = self._names.leading_text(argument, self._scope)
            if _URL.match(text):
                self._report(rules.NETWORK, text, node)
            elif argument in node.args[:1] and _leaves_folder(text):
                self._report(rules.FIXED_FILE, text, node)

    def _check_options(self, node: ast.Call) -> None:
        for option in node.args[::2]:
            text = self._names.text(option, self._scope)
            if text is None or "backend" in text:
                self._report(rules.PLOT_BACKEND, text or "an option whose name is not constant", node)

    def _check_writer(self, node: ast.Call, parameter: str) -> None:
        subject = f"{_method(node)}(…)"
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            self._report(rules.FILE_WRITE, subject, node)
            return
        path = _argument(node, parameter)
        if path is None or (isinstance(path, ast.Constant) and path.value is None):
            return
        text = self._names.leading_text(path, self._scope)
        if self._may_write and _leaves_folder(text):
            self._report(rules.WRITE_OUTSIDE, text, node)
        self._report(rules.FILE_WRITE, subject, node)

    def _check_functions_by_name(self, node: ast.Call) -> None:
        for expression in _functions_by_name(node):
            name = self._names.text(expression, self._scope)
            if name is None and _builds_text(expression):
                self._report(rules.METHOD_BY_NAME, f"`{_method(node)}(…)` with text that is not constant", node)
            elif name is not None and self._is_powerful(name):
                self._report(rules.METHOD_BY_NAME, f'`{_method(node)}("{name}")`', node)
        # A name that cannot be read may still be a writer's: only a writer takes these.
        if any(keyword.arg in _PATH_PARAMETERS for keyword in node.keywords):
            self._report(rules.FILE_WRITE, f"{_method(node)}(…)", node)

    def _is_powerful(self, method: str) -> bool:
        return method in _CODE_METHODS or method.startswith(("_", "to_")) or method in self._policy.attributes


def _runs_on_stdio(node: ast.Call) -> bool:
    match node:
        case ast.Call(args=[], keywords=[]):
            return True
        case ast.Call(args=[], keywords=[ast.keyword(arg="transport", value=ast.Constant(value="stdio"))]):
            return True
    return False


def _makes_class(node: ast.Call) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="type"), args=[ast.expr() as only], keywords=[]):
            return isinstance(only, ast.Starred)
        case ast.Call(func=ast.Name(id="type")):
            return True
    return False


def _is_private(name: str) -> bool:
    return name.startswith("_") and not _DUNDER.match(name) and not _TUPLE_FIELD.match(name)


def _builds_text(node: ast.expr) -> bool:
    """Return whether an expression can only be text that is put together when it runs."""
    match node:
        case ast.JoinedStr() | ast.BinOp(op=ast.Add() | ast.Mod()):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()))):
            return True
    return False


def _method(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else "call"


def _receiver(node: ast.Call) -> ast.expr:
    return node.func.value if isinstance(node.func, ast.Attribute) else node.func


def _short(node: ast.AST) -> bool:
    """Return whether a chain is short enough to be quoted whole."""
    depth = 0
    while isinstance(node, ast.Attribute):
        node, depth = node.value, depth + 1
    return isinstance(node, ast.Name) and depth < 8


def _calls_super(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[]), attr="__init__"):
            return True
    return False


def _argument(node: ast.Call, parameter: str) -> ast.expr | None:
    """Return the first positional argument, or the keyword argument of that name."""
    if node.args:
        return node.args[0]
    return next((keyword.value for keyword in node.keywords if keyword.arg == parameter), None)


def _leaves_folder(path: str) -> bool:
    parts = PurePosixPath(path), PureWindowsPath(path)
    return (
        any(p.is_absolute() or p.drive or ".." in p.parts for p in parts)
        or path.startswith(("~", "/", "\\"))
        or bool(_URL.match(path))
    )


def _is_styler(node: ast.expr) -> bool:
    """Return whether this is `df.style` or what is chained to it: its `format` formats cells, not text."""
    while isinstance(node, ast.Attribute | ast.Call):
        if isinstance(node, ast.Attribute) and node.attr == "style":
            return True
        node = node.func if isinstance(node, ast.Call) else node.value
    return False


def _format_attributes(template: str) -> Iterator[str]:
    """Yield the attributes that a format string reads, in nested specifications too."""
    try:
        fields = list(string.Formatter().parse(template))
    except ValueError:
        return
    for _, name, specification, _ in fields:
        yield from re.findall(r"\.([^.\[]*)", name or "")
        if specification:
            yield from _format_attributes(specification)


def _type_parts(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what in a type expression may be text: not literals, and not the metadata of `Annotated`."""
    match node:
        case ast.Subscript(value=ast.Name(id="Literal") | ast.Attribute(attr="Literal")):
            return
        case ast.Subscript(
            value=ast.Name(id="Annotated") | ast.Attribute(attr="Annotated"), slice=ast.Tuple(elts=[kind, *_])
        ):
            yield from _type_parts(kind)
        case ast.Constant() | ast.Name() | ast.JoinedStr() | ast.Call() | ast.BinOp(op=ast.Add() | ast.Mod()):
            yield node
        case _:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    yield from _type_parts(child)


def _functions_by_name(node: ast.Call) -> Iterator[ast.expr]:
    """Yield the expressions that pandas takes for the names of functions."""
    if _method(node) in _NAMED_BY_TEXT and node.args:
        yield from _function_names(node.args[0])
    for keyword in node.keywords:
        match keyword:
            case ast.keyword(arg="func" | "aggfunc", value=value):
                yield from _function_names(value)
            case ast.keyword(arg=None, value=ast.Dict(values=values)):
                for value in values:
                    yield from _named_aggregation(value)
            case ast.keyword(value=value):
                yield from _named_aggregation(value)


def _named_aggregation(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Tuple(elts=[_, function]):
            yield function


def _function_names(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.List(elts=several) | ast.Tuple(elts=several):
            yield from several
        case ast.Dict(values=several):
            for value in several:
                yield from _function_names(value)
        case _:
            yield node
