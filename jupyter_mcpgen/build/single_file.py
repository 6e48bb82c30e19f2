"""A tool as code for one file: what it takes from `helpers.py` is copied in, and nothing of a server is left."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby

from jupyter_mcpgen.build.source_text import Part, changed, defined_by, names_in, parts_of, text_of, without_lines
from jupyter_mcpgen.errors import NotStandalone

HELPERS, SERVER = "helpers", "fastmcp"
_FUTURE = "__future__"
_APART = "_of_helpers"
"""Ends a name of the helpers that something else in the file has too."""


@dataclass(frozen=True)
class SingleFile:
    """The parts of a tool in their order: imports, what it takes from the helpers, its own code, its function."""

    imports: tuple[str, ...]
    helpers: tuple[str, ...]
    own: tuple[str, ...]
    function: str


def single_file(name: str, code: str, helpers: str, beside: str = "") -> SingleFile:
    """Return the parts of a tool; raises `NotStandalone` where they do not fit into one file.

    `beside` is other source for the same file; its imports are among those returned.
    """
    own = _without(parts_of(_without_server(name, code)), _is_docstring)
    imports, offered = _Imports(name), list[str]()
    for node in _imports_in(own):
        offered += _from_helpers(name, node)
        imports.add(node)
    mixed = [part for part in own if 0 < len(_imports_in([part])) < len(part.nodes)]
    if mixed:
        raise NotStandalone(name, "an import shares a line of its code with another statement")
    own = _without(own, _is_import)
    functions = [part for part in own if name in _defined([part])]
    if len(functions) != 1:
        raise NotStandalone(name, "its code defines that name elsewhere than in one function")
    own = _needed(own, functions[0])
    mine = {each for part in own for node in part.nodes for each in names_in(node)}
    added = _without(parts_of(beside), _is_docstring)
    wanted = [each for each in offered if each in mine]
    taken = _defined([*own, *_without(added, _is_import)])
    shared = _defined(vendored_parts(helpers, wanted)) & taken
    vendored = vendored_parts(_apart(name, helpers, shared), wanted)
    for node in (*(_imports_in(parts_of(helpers)) if vendored else ()), *_imports_in(added)):
        imports.add(node)
    added = _without(added, _is_import)
    _refuse_shared(name, own, vendored, added)
    used = {each for part in (*own, *vendored, *added) for node in part.nodes for each in names_in(node)}
    return SingleFile(
        imports=imports.used(used),
        helpers=tuple(part.text for part in vendored),
        own=tuple(part.text for part in own if part is not functions[0]),
        function=functions[0].text,
    )


def _needed(own: Sequence[Part], function: Part) -> tuple[Part, ...]:
    """Return the code of a tool without functions and classes that nothing of the rest uses."""
    acting = [part for part in own if not all(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in part.nodes)]
    return _reached(own, [function, *acting])


def _apart(tool: str, helpers: str, shared: Collection[str]) -> str:
    """Return the helpers with other names instead of those that the rest of a file also defines."""
    nodes = list(ast.walk(ast.parse(helpers))) if shared else []
    fixed = {each.arg for each in nodes if isinstance(each, ast.arg | ast.keyword)}
    changes: list[tuple[ast.AST, str]] = []
    for node in nodes:
        match node:
            case ast.Name(id=name) if name in shared:
                changes.append((node, f"{name}{_APART}"))
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if name in shared:
                changes.append((_name_of(node), f"{name}{_APART}"))
    for change, _ in changes:
        name = text_of(helpers, change)
        if name in fixed or name not in shared:
            raise NotStandalone(tool, f"its code and ours both define `{name}`. Build `tool:` instead")
    return changed(helpers, changes)


def _name_of(node: ast.FunctionDef | ast.ClassDef) -> ast.Name:
    """Return where the name of a definition is."""
    begin = node.col_offset + len("def " if isinstance(node, ast.FunctionDef) else "class ")
    end = begin + len(node.name.encode())
    return ast.Name(
        id=node.name, ctx=ast.Load(), lineno=node.lineno, end_lineno=node.lineno, col_offset=begin, end_col_offset=end
    )


def vendored_parts(helpers: str, wanted: Iterable[str]) -> tuple[Part, ...]:
    """Return the statements of the helpers that define the wanted names, and all that these need, in their order."""
    parts = [part for part in parts_of(helpers) if not _is_docstring(part.node)]
    homes = {name: part for part in parts for node in part.nodes for name in defined_by(node)}
    return _reached(parts, [homes[name] for name in wanted if name in homes])


def _reached(parts: Sequence[Part], begin: Iterable[Part]) -> tuple[Part, ...]:
    """Return the statements to begin with, and all whose names they need."""
    homes = {name: part for part in parts for node in part.nodes for name in defined_by(node)}
    needed: set[int] = set()
    waiting = list(begin)
    while waiting:
        part = waiting.pop()
        if id(part) not in needed:
            needed.add(id(part))
            waiting += [homes[name] for node in part.nodes for name in names_in(node) if name in homes]
    return tuple(part for part in parts if id(part) in needed)


@dataclass(frozen=True, order=True)
class _Imported:
    """One import: of a module, or of a name in one."""

    is_foreign: bool
    is_from: bool
    module: str
    name: str | None
    called: str | None

    @property
    def binds(self) -> str:
        """The name that it makes known."""
        return self.called or self.name or self.module.partition(".")[0]

    @property
    def alias(self) -> str:
        """The part of the statement that names it."""
        return f"{self.name or self.module}{'' if self.called is None else f' as {self.called}'}"


class _Imports:
    """Imports of several modules in one file."""

    def __init__(self, tool: str) -> None:
        self._tool = tool
        self._found: set[_Imported] = set()

    def add(self, node: ast.Import | ast.ImportFrom) -> None:
        """Take what one statement imports, but for what is not in the file."""
        for alias in node.names:
            module = node.module or "" if isinstance(node, ast.ImportFrom) else alias.name
            if module in (_FUTURE, HELPERS, SERVER):
                continue
            name = alias.name if isinstance(node, ast.ImportFrom) else None
            is_foreign = module.partition(".")[0] not in sys.stdlib_module_names
            self._add(_Imported(is_foreign, name is not None, module, name, alias.asname))

    def _add(self, new: _Imported) -> None:
        for known in self._found:
            is_same = known == new or (
                known.binds == new.binds and {known.is_from, known.called, new.called} == {False, None}
            )
            if known.binds == new.binds and not is_same:
                raise NotStandalone(self._tool, f"parts of its code mean different modules by `{new.binds}`")
        self._found.add(new)

    def used(self, names: Collection[str]) -> tuple[str, ...]:
        """Return the statements for these names, sorted as ruff sorts them."""
        kept = sorted(each for each in self._found if each.binds in names)
        lines: list[str] = []
        for (is_foreign, is_from, module), group in groupby(
            kept, key=lambda each: (each.is_foreign, each.is_from, each.module)
        ):
            aliases = [each.alias for each in group]
            if is_foreign and lines and "" not in lines:
                lines.append("")
            lines += (
                [f"from {module} import {', '.join(aliases)}"] if is_from else [f"import {each}" for each in aliases]
            )
        return tuple(lines)


def _without_server(name: str, code: str) -> str:
    """Return the code of a tool without its server: no decorator, no `mcp`, no annotations for a schema."""
    plain = changed(code, list(_plain_annotations(name, code)))
    return without_lines(plain, _lines_of_server(name, plain))


def _plain_annotations(name: str, code: str) -> Iterator[tuple[ast.AST, str]]:
    """Yield each annotation that is for a schema, with the type alone."""
    for function in _functions(name, code):
        arguments = function.args
        for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            match argument.annotation:
                case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[plain, *_])) as annotation:
                    yield annotation, text_of(code, plain)


def _lines_of_server(name: str, code: str) -> Iterator[tuple[int, int]]:
    """Yield the lines that make the server, name the tool to it, and start it."""
    dropped = [node for node in ast.parse(code).body if _makes_server(node) or _runs_when_called(node)]
    naming = [each for node in _functions(name, code) for each in node.decorator_list if "mcp" in names_in(each)]
    yield from ((node.lineno, node.end_lineno or node.lineno) for node in dropped)
    yield from ((node.lineno, node.end_lineno or node.lineno) for node in naming)


def _functions(name: str, code: str) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef) and node.name == name)


def _makes_server(node: ast.stmt) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name(id="mcp")], value=ast.Call(func=ast.Name(id="FastMCP"))):
            return True
    return False


def _runs_when_called(node: ast.stmt) -> bool:
    match node:
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return True
    return False


def _from_helpers(tool: str, node: ast.Import | ast.ImportFrom) -> Sequence[str]:
    if isinstance(node, ast.Import):
        if any(alias.name == HELPERS for alias in node.names):
            raise NotStandalone(tool, "its code imports `helpers` as a whole. Build `tool:` instead")
        return ()
    if node.module != HELPERS:
        return ()
    if any(alias.asname is not None or alias.name == "*" for alias in node.names):
        raise NotStandalone(tool, "its code gives names of `helpers` other names. Build `tool:` instead")
    return [alias.name for alias in node.names]


def _refuse_shared(tool: str, *sources: Sequence[Part]) -> None:
    """Raise where two of the sources that go into one file define the same name."""
    for one, other in combinations(map(_defined, sources), 2):
        shared = sorted(one & other)
        if shared:
            raise NotStandalone(tool, f"its code and ours both define `{shared[0]}`. Build `tool:` instead")


def _defined(parts: Sequence[Part]) -> frozenset[str]:
    return frozenset(name for part in parts for node in part.nodes for name in defined_by(node))


def _is_docstring(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def _imports_in(parts: Iterable[Part]) -> list[ast.Import | ast.ImportFrom]:
    return [node for part in parts for node in part.nodes if isinstance(node, ast.Import | ast.ImportFrom)]


def _without(parts: Iterable[Part], is_dropped: Callable[[ast.stmt], bool]) -> tuple[Part, ...]:
    return tuple(part for part in parts if not all(map(is_dropped, part.nodes)))
