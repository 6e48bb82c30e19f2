"""What methods of tables would do beyond computing: write files, run text as code, reach an address, load a plug-in."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from jupyter_mcpgen.analysis import rules
from jupyter_mcpgen.analysis.codestrings import code_string_flaw
from jupyter_mcpgen.analysis.names import Names, Scope
from jupyter_mcpgen.analysis.rules import Rule
from jupyter_mcpgen.analysis.source_policy import SourcePolicy
from jupyter_mcpgen.analysis.syntax import (
    NAMED_BY_TEXT,
    argument,
    builds_text,
    format_attributes,
    functions_by_name,
    is_address,
    is_short,
    is_styler,
    leaves_folder,
    method_name,
    receiver,
    takes_one,
)

_WRAPS = "functools.wraps"
DIRECT_ONLY = frozenset({"pandas.eval", "pandas.set_option", "pandas.option_context", _WRAPS})
"""Functions that may be called by their own name only, so that their arguments can be read."""

READS_ATTRIBUTES = "from_attributes"
"""The option of pydantic that reads any attributes of any object, by the names in its fields."""

_READERS = ("pandas.read_", "numpy.", "helpers.load_", "helpers.validate_")
_CODE_METHODS = frozenset({"eval", "query"})
_CODE_OPTIONS = frozenset({"parser", "local_dict", "global_dict", "resolvers", "level"})
_PLOTS = frozenset({"plot", "hist", "boxplot"})
_REMOTE_OPTIONS = frozenset({"storage_options", "filesystem"})

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

_CELL_FORMATS = frozenset({"format", "format_index", "format_index_names"})
_PATH_PARAMETERS = frozenset(_WRITERS.values()) - {"path"}

Use = tuple[Rule, str]
"""A rule that is broken, and by what."""


@dataclass(frozen=True)
class DataCalls:
    """The rules about methods of tables, under one policy."""

    names: Names
    policy: SourcePolicy
    may_write: bool

    def of_method(self, node: ast.Attribute, subject: str, called: bool, scope: Scope) -> Iterator[Use]:
        """Yield what is wrong with naming a method."""
        if node.attr in _CODE_METHODS and not called:
            yield rules.CODE_INDIRECT, subject
        elif node.attr in _WRITERS and not called:
            yield rules.FILE_WRITE, subject
        elif node.attr in ("format", "format_map"):
            yield from self._of_format(node, subject, scope)
        elif called and node.attr in self.policy.calls:
            yield self.policy.calls[node.attr], subject

    def of_keyword(self, keyword: ast.keyword) -> Iterator[Use]:
        """Yield what is wrong with one named argument of any call."""
        constant = keyword.value.value if isinstance(keyword.value, ast.Constant) else ...
        if keyword.arg == "allow_pickle" and constant is not False:
            yield rules.PICKLE, "allow_pickle=…"
        elif keyword.arg in _REMOTE_OPTIONS and constant is not None:
            yield rules.NETWORK, f"{keyword.arg}=…"
        elif keyword.arg == READS_ATTRIBUTES and constant not in (False, None):
            yield rules.ATTRIBUTE_BY_NAME, f"{READS_ATTRIBUTES}=…"
        elif keyword.arg == "backend":
            yield rules.PLOT_BACKEND, "backend=…"

    def of_call(self, node: ast.Call, paths: frozenset[str], scope: Scope) -> Iterator[Use]:
        """Yield what is wrong with a call of what may be known by some paths."""
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if "pandas.eval" in paths or (method in _CODE_METHODS and not self._is_namespace(receiver(node), scope)):
            yield from self._of_code_string(node, "pandas.eval" not in paths, scope)
        if any(path.startswith(_READERS) for path in paths):
            yield from self._of_address(node, scope)
        if any(path in ("pandas.set_option", "pandas.option_context") for path in paths):
            yield from self._of_options(node, scope)
        if _WRAPS in paths and not takes_one(node):
            yield rules.ATTRIBUTE_BY_NAME, "wraps(…)"
        if method in _CELL_FORMATS and is_styler(receiver(node)):
            yield from self._of_cell_formats(node, scope)
        if method in _WRITERS:
            yield from self._of_writer(node, _WRITERS[method], scope)
        if method in NAMED_BY_TEXT or any(keyword.arg == "aggfunc" for keyword in node.keywords):
            yield from self._of_functions_by_name(node, scope)
        if method in _PLOTS and any(keyword.arg is None for keyword in node.keywords):
            yield rules.PLOT_BACKEND, f"{method}(**…)"

    def _is_namespace(self, node: ast.expr, scope: Scope) -> bool:
        return any(path in self.policy.namespaces for path in self.names.paths(node, scope))

    def _of_format(self, node: ast.Attribute, subject: str, scope: Scope) -> Iterator[Use]:
        template = self.names.text(node.value, scope)
        if template is None:
            if not is_styler(node.value):
                yield rules.FORMAT_NOT_CONSTANT, subject
        elif self._reads_attribute(template):
            yield rules.FORMAT_FIELD, f"`{template}`"

    def _of_cell_formats(self, node: ast.Call, scope: Scope) -> Iterator[Use]:
        """Yield the formats of cells that do more than show them; they may stand in a table of columns."""
        given = (*node.args, *(keyword.value for keyword in node.keywords))
        named = [value for part in given if isinstance(part, ast.Name) for value in self.names.values(part, scope)]
        for part in (inner for outer in (*given, *named) for inner in ast.walk(outer)):
            text = self.names.text(part, scope) if isinstance(part, ast.expr) else None
            if text is not None and self._reads_attribute(text):
                yield rules.FORMAT_FIELD, f"`{text}`"

    def _reads_attribute(self, template: str) -> bool:
        return any(name.startswith("_") or name in self.policy.attributes for name in format_attributes(template))

    def _of_code_string(self, node: ast.Call, free_names: bool, scope: Scope) -> Iterator[Use]:
        subject = f"{ast.unparse(node.func)}(…)" if is_short(node.func) else "eval(…)"
        for keyword in node.keywords:
            if keyword.arg in _CODE_OPTIONS or keyword.arg is None:
                yield rules.CODE_OPTION, keyword.arg or "**"
        expression = argument(node, "expr")
        text = self.names.text(expression, scope) if expression is not None else None
        if text is None:
            yield rules.CODE_NOT_CONSTANT, subject
        elif flaw := code_string_flaw(text, attributes=free_names):
            yield rules.CODE_STRING, f"`{text}` ({flaw})"

    def _of_address(self, node: ast.Call, scope: Scope) -> Iterator[Use]:
        for value in (*node.args, *(keyword.value for keyword in node.keywords)):
            text = self.names.leading_text(value, scope)
            if is_address(text):
                yield rules.NETWORK, text
            elif value in node.args[:1] and leaves_folder(text):
                yield rules.FIXED_FILE, text

    def _of_options(self, node: ast.Call, scope: Scope) -> Iterator[Use]:
        for option in node.args[::2]:
            text = self.names.text(option, scope)
            if text is None or "backend" in text:
                yield rules.PLOT_BACKEND, text or "an option whose name is not constant"

    def _of_writer(self, node: ast.Call, parameter: str, scope: Scope) -> Iterator[Use]:
        subject = f"{method_name(node)}(…)"
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            yield rules.FILE_WRITE, subject
            return
        path = argument(node, parameter)
        if path is None or (isinstance(path, ast.Constant) and path.value is None):
            return
        text = self.names.leading_text(path, scope)
        if self.may_write and leaves_folder(text):
            yield rules.WRITE_OUTSIDE, text
        yield rules.FILE_WRITE, subject

    def _of_functions_by_name(self, node: ast.Call, scope: Scope) -> Iterator[Use]:
        for expression in functions_by_name(node):
            name = self.names.text(expression, scope)
            if name is None and builds_text(expression):
                yield rules.METHOD_BY_NAME, f"`{method_name(node)}(…)` with text that is not constant"
            elif name is not None and self._is_powerful(name):
                yield rules.METHOD_BY_NAME, f'`{method_name(node)}("{name}")`'
        # A name that cannot be read may still be a writer's: only a writer takes these.
        if any(keyword.arg in _PATH_PARAMETERS for keyword in node.keywords):
            yield rules.FILE_WRITE, f"{method_name(node)}(…)"

    def _is_powerful(self, method: str) -> bool:
        return method in _CODE_METHODS or method.startswith(("_", "to_")) or method in self.policy.attributes
