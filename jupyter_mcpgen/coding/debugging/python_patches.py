"""Changes of Python code that follow from the error alone: a missing import, a slip of writing, a division by zero.

Each is tried in the sandbox before anybody is told of it, so a rule may offer more than one.
"""

from __future__ import annotations

import ast
import builtins
import re
from codeop import compile_command
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from enum import Enum, auto
from importlib import import_module
from sys import stdlib_module_names

from jupyter_mcpgen.coding.checking import Edit
from jupyter_mcpgen.coding.debugging.diagnosing import Failure
from jupyter_mcpgen.coding.debugging.library import module_of
from jupyter_mcpgen.coding.debugging.patch import Patch, edited, lines_of
from jupyter_mcpgen.sandbox.guidance.rules.stderr import Raised
from jupyter_mcpgen.sandbox.guidance.rules.words import words_of

_ALIASES = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot", "dt": "datetime"}
_NAME = re.compile(r"name '(\w{1,200})' is not defined")
_ATTRIBUTE = re.compile(r"has no attribute '(\w{1,200})'")
_MEANT = re.compile(r"[Dd]id you mean:? '(\w{1,200})'")
MOST_CHARACTERS = 200_000
"""Of longer code no fix is looked for by rules: it is parsed for each of them, and nothing else goes on meanwhile."""
MOST_PARSED = 5_000_000
"""How much code is parsed together to find where a bracket may be closed; each line is tried in the whole code."""
_NEAR, _AS_NEAR = 0.7, 0.8
"""How alike a slip and what was meant are, and from where on two names may both be meant."""
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_MARGIN = re.compile(r"\s*")


def patches(source: str, failure: Failure) -> Iterator[Patch]:
    """Yield changes that may end a failure, the likeliest first; each is valid Python."""
    raised = failure.raised
    if raised is None or len(source) > MOST_CHARACTERS:
        return
    seen = {source}
    for rule in _RULES if _is_valid(source) else (_syntax,):
        for patch in rule(source, raised):
            if patch.code not in seen and _is_valid(patch.code):
                seen.add(patch.code)
                yield patch


def _missing_import(source: str, raised: Raised) -> Iterator[Patch]:
    found = _NAME.search(raised.message) if raised.short_name == "NameError" else None
    if found is None:
        return
    name = found[1]
    uses = _uses(source, name)
    if name in _ALIASES and _Use.OBJECT in uses:
        yield _importing(source, f"import {_ALIASES[name]} as {name}")
    elif name in stdlib_module_names and not name.startswith("_") and _Use.OBJECT in uses:
        yield _importing(source, f"import {name}")
    library = module_of(name)
    if library is not None:
        wanted = _Use.NUMBER if isinstance(getattr(import_module(library), name), float) else _Use.CALLED
        if wanted in uses:
            yield _importing(source, f"from {library} import {name}")


class _Use(Enum):
    """What a name that was not found is taken for: a variable of that name is not what a library has."""

    CALLED = auto()
    OBJECT = auto()
    NUMBER = auto()


def _uses(source: str, name: str) -> frozenset[_Use]:
    """Return what code takes a name for: something to call or a type, something with attributes, a number."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        for use, parts in _used(node):
            found |= {use for part in parts for each in _named(part) if each == name}
    return frozenset(found)


def _used(node: ast.AST) -> Iterator[tuple[_Use, Iterable[ast.AST | None]]]:
    """Yield the parts of a piece of code that say what they are taken for."""
    match node:
        case ast.Call():
            yield _Use.CALLED, (node.func,)
        case ast.Attribute() | ast.Subscript():
            yield _Use.CALLED, (node.value,)
            yield _Use.OBJECT, (node.value,) if isinstance(node, ast.Attribute) else ()
        case ast.BinOp():
            yield _Use.NUMBER, (node.left, node.right)
        case ast.ClassDef():
            yield _Use.CALLED, (*node.bases, *node.decorator_list)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield _Use.CALLED, (*node.decorator_list, node.returns)
        case ast.arg() | ast.AnnAssign():
            yield _Use.CALLED, (node.annotation,)
        case _:
            return


def _named(part: ast.AST | None) -> Iterator[str]:
    """Yield the name that an expression is, or the names in a choice of types."""
    match part:
        case ast.Name():
            yield part.id
        case ast.BinOp(op=ast.BitOr()):
            yield from (*_named(part.left), *_named(part.right))


def _importing(source: str, line: str) -> Patch:
    """Return code with an import where imports begin: below the docstring and what concerns the future."""
    after = 0
    for number, node in enumerate(ast.parse(source).body):
        is_docstring = number == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_docstring and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            break
        after = node.end_lineno or 0
    lines = lines_of(source)
    if after and not lines[after - 1].endswith("\n"):
        lines[after - 1] += "\n"
    return Patch("".join([*lines[:after], f"{line}\n", *lines[after:]]), f"Added `{line}`.")


def _misspelt(source: str, raised: Raised) -> Iterator[Patch]:
    pattern = {"NameError": _NAME, "AttributeError": _ATTRIBUTE}.get(raised.short_name)
    found = None if pattern is None else pattern.search(raised.message)
    if found is None or raised.line is None:
        return
    name, meant = found[1], _MEANT.search(raised.message)
    own = get_close_matches(name, words_of(source, without=name), n=2, cutoff=_NEAR)
    near = meant[1] if meant and get_close_matches(name, [meant[1]], cutoff=_NEAR) else next(iter(own), None)
    is_one_of_two = len(get_close_matches(name, own, cutoff=_AS_NEAR)) > 1
    is_function_alone = near in dir(builtins) and _Use.CALLED not in _uses(source, name)
    if raised.short_name == "NameError" and (is_one_of_two or is_function_alone):
        return
    if near is not None and raised.line <= len(lines_of(source)):
        edits = [edit for edit in _renamings(source, name, near) if edit.line == raised.line]
        yield Patch(edited(source, edits), f"Wrote `{near}` instead of `{name}`.")


def _renamings(source: str, name: str, near: str) -> Iterator[Edit]:
    """Yield the edits that write one name for another where it is used, and not in texts and comments."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and node.id == name:
            yield _replacing(source, node, near)
        elif isinstance(node, ast.Attribute) and node.attr == name and node.end_lineno and node.end_col_offset:
            begin = node.end_col_offset - len(name.encode())
            yield _between(source, (node.end_lineno, begin), (node.end_lineno, node.end_col_offset), near)


def _zero_division(source: str, raised: Raised) -> Iterator[Patch]:
    """Yield the quotient guarded: a division by zero gives None, because there is no number for it."""
    if raised.short_name != "ZeroDivisionError":
        return
    tree = ast.parse(source)
    decided = {id(part) for node in ast.walk(tree) for test in _tests(node) for part in ast.walk(test)}
    divisions = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod))
        if id(node) not in decided
    )
    for node in divisions:
        if raised.line is not None and not node.lineno <= raised.line <= (node.end_lineno or node.lineno):
            continue
        whole, by = ast.get_source_segment(source, node), ast.get_source_segment(source, node.right)
        if whole and by and _is_repeatable(node.right):
            guarded = f"({whole} if {by} else None)"
            yield Patch(edited(source, [_replacing(source, node, guarded)]), f"Where `{by}` is 0, the result is None.")


def _tests(node: ast.AST) -> Iterable[ast.expr]:
    """Return what a piece of code decides by: there, no result would choose a branch that nobody meant."""
    match node:
        case ast.If() | ast.While() | ast.IfExp() | ast.Assert():
            return (node.test,)
        case ast.comprehension():
            return node.ifs
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return (node,)
        case ast.Match():
            return (node.subject,)
        case _:
            return ()


def _is_repeatable(node: ast.expr) -> bool:
    """Return whether an expression may be evaluated twice: names, attributes, items and lengths."""
    allowed = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Load, ast.BinOp, ast.operator, ast.UnaryOp)
    for part in ast.walk(node):
        is_length = isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in ("len", "sum")
        if not is_length and not isinstance(part, (*allowed, ast.unaryop)):
            return False
    return True


def _text_and_number(source: str, raised: Raised) -> Iterator[Patch]:
    if raised.short_name != "TypeError" or "can only concatenate str" not in raised.message or raised.line is None:
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add) and node.lineno == raised.line:
            text = ast.get_source_segment(source, node.right)
            if text and _is_text(node.left) and not isinstance(node.right, (ast.Constant, ast.JoinedStr)):
                yield Patch(
                    edited(source, [_replacing(source, node.right, f"str({text})")]),
                    f"Made a text of `{text}` before it is joined to one.",
                )


def _is_text(node: ast.expr) -> bool:
    """Return whether an expression is written as a text; a variable may hold a number that was read as one."""
    match node:
        case ast.BinOp(op=ast.Add()):
            return _is_text(node.left) or _is_text(node.right)
        case ast.Constant():
            return isinstance(node.value, str)
        case _:
            return isinstance(node, ast.JoinedStr)


def _syntax(source: str, raised: Raised) -> Iterator[Patch]:
    if raised.short_name not in ("SyntaxError", "IndentationError", "TabError"):
        return
    line, says = raised.line, raised.message
    if raised.short_name == "TabError" or "inconsistent use of tabs" in says:
        yield Patch(source.expandtabs(4), "Indented with spaces alone.")
    if line is None or line > len(lines_of(source)):
        return
    opened = re.search(r"'([(\[{])' was never closed", says)
    if opened is not None:
        yield from _closed(source, line, opened[1])
    text = _line_of(source, line)
    for change, what in _rewritten(text, says, source, line):
        yield Patch(_with_line(source, line, change), what)


def _closed(source: str, line: int, bracket: str) -> Iterator[Patch]:
    """Yield the code with a bracket closed at the end of a line, where it means the same wherever it can be closed."""
    lines = lines_of(source)
    most = line + MOST_PARSED // len(source)
    fixes: dict[str, Patch] = {}
    for number in range(line, len(lines) + 1):
        if number > most:
            return
        if number > line and not _goes_on("".join(lines[:number])):
            break
        code, comment = _without_comment(_line_of(source, number))
        for text in (f"{code}{_CLOSING[bracket]}", f"{code.rstrip(':')}{_CLOSING[bracket]}:"):
            changed = _with_line(source, number, f"{text}{comment}")
            if _is_valid(changed):
                fixes.setdefault(ast.dump(ast.parse(changed)), Patch(changed, f"Closed `{bracket}` on line {number}."))
        if len(fixes) > 1:
            return
    yield from fixes.values()


def _goes_on(beginning: str) -> bool:
    """Return whether code may go on in a way that makes it valid."""
    try:
        return compile_command(beginning, symbol="exec") is None
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        return False


def _rewritten(text: str, says: str, source: str, line: int) -> Iterator[tuple[str, str]]:
    """Yield a line as it may have been meant, and what was changed of it."""
    code, comment = _without_comment(text)
    if "expected ':'" in says or "invalid syntax" in says:
        yield f"{code}:{comment}", f"Ended line {line} with a colon."
    if "Missing parentheses in call to" in says:
        yield (
            re.sub(r"\b(print|exec)\s+(.+)$", r"\1(\2)", code) + comment,
            f"Put parentheses around the call on line {line}.",
        )
    if "unterminated" in says and "string literal" in says:
        for quote in ('"', "'"):
            if code.count(quote) % 2:
                yield f"{text}{quote}", f"Closed the text on line {line}."
                within = text.rstrip(")]}:")
                yield f"{within}{quote}{text[len(within) :]}", f"Closed the text on line {line}."
    if "instead of '='" in says:
        yield re.sub(r"(?<![=!<>:])=(?!=)", "==", text, count=1), f"Compared with `==` on line {line}."
    if "unexpected indent" in says or "unindent does not match" in says:
        changes = [f"{margin}{text.lstrip()}" for margin in dict.fromkeys(_margins_above(source, line))]
        fitting = [change for change in changes if _is_valid(_with_line(source, line, change))]
        if len(fitting) == 1:  # in two places it means two things
            yield fitting[0], f"Indented line {line} like the lines around it."
    if "expected an indented block" in says:
        before, after = next(_margins_above(source, line), ""), next(_margins(lines_of(source)[line:]), None)
        if after is None or after != _margin(text):  # else nothing tells where the block ends
            yield f"{before}    {text.lstrip()}", f"Indented line {line}."
    unmatched = re.search(r"unmatched '([)\]}])'", says)
    if unmatched is not None:
        at = text.rfind(unmatched[1])
        yield text[:at] + text[at + 1 :], f"Removed the unmatched `{unmatched[1]}` on line {line}."


def _margins_above(source: str, line: int) -> Iterator[str]:
    return _margins(reversed(lines_of(source)[: line - 1]))


def _margins(lines: Iterable[str]) -> Iterator[str]:
    return (_margin(each) for each in lines if each.strip())


def _margin(line: str) -> str:
    found = _MARGIN.match(line)
    return found[0] if found else ""


def _without_comment(line: str) -> tuple[str, str]:
    """Return the code of a line, and its comment with the blanks before it."""
    at = line.find("#", max(line.rfind("'"), line.rfind('"')) + 1)
    while at > 0 and not line[at - 1].isspace():
        at = line.find("#", at + 1)
    code = (line if at < 1 else line[:at]).rstrip()
    return code, "" if at < 1 else line[len(code) :]


def _line_of(source: str, number: int) -> str:
    return lines_of(source)[number - 1].rstrip("\r\n")


def _with_line(source: str, number: int, line: str) -> str:
    lines = lines_of(source)
    ending = lines[number - 1][len(lines[number - 1].rstrip("\r\n")) :]
    lines[number - 1] = f"{line}{ending}"
    return "".join(lines)


def _replacing(source: str, node: ast.expr, text: str) -> Edit:
    """Return the edit that puts a text in place of an expression."""
    end = (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
    return _between(source, (node.lineno, node.col_offset), end, text)


def _between(source: str, begin: tuple[int, int], end: tuple[int, int], text: str) -> Edit:
    """Return the edit that puts a text between two places; a tree counts columns in bytes."""
    lines = lines_of(source)
    (line, column), (end_line, end_column) = (
        (number, len(lines[number - 1].encode()[:offset].decode("utf-8", "replace")) + 1)
        for number, offset in (begin, end)
    )
    return Edit(line=line, column=column, end_line=end_line, end_column=end_column, text=text)


def _is_valid(code: str) -> bool:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


_Rule = Callable[[str, Raised], Iterator[Patch]]
_RULES: tuple[_Rule, ...] = (_syntax, _missing_import, _misspelt, _zero_division, _text_and_number)
