"""Changes of Python code that follow from the error alone: a missing import, a slip of writing, a division by zero.

Each is tried in the sandbox before anybody is told of it, so a rule may offer more than one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from importlib import import_module
from sys import stdlib_module_names

from jupyter_mcpgen.coding.checking import Edit
from jupyter_mcpgen.coding.debugging.diagnosing import Failure
from jupyter_mcpgen.coding.debugging.patch import Patch, edited
from jupyter_mcpgen.sandbox.guidance.rules.stderr import Raised
from jupyter_mcpgen.sandbox.guidance.rules.words import words_of

_LIBRARIES = (
    "collections", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "io", "itertools", "json",
    "math", "pathlib", "random", "re", "statistics", "time", "abc", "copy", "string", "textwrap", "typing",
)  # fmt: skip
"""Where a name is looked for that somebody forgot to import."""
_ALIASES = {"np": "numpy", "pd": "pandas", "plt": "matplotlib.pyplot", "dt": "datetime"}
_NAME = re.compile(r"name '(\w{1,200})' is not defined")
_ATTRIBUTE = re.compile(r"has no attribute '(\w{1,200})'")
_MEANT = re.compile(r"[Dd]id you mean:? '(\w{1,200})'")
_NEAR = 0.7
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_MARGIN = re.compile(r"\s*")


def patches(source: str, failure: Failure) -> Iterator[Patch]:
    """Yield changes that may end a failure, the likeliest first; each is valid Python."""
    raised = failure.raised
    if raised is None:
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
    if name in _ALIASES:
        yield _importing(source, f"import {_ALIASES[name]} as {name}")
    elif name in stdlib_module_names and not name.startswith("_"):
        yield _importing(source, f"import {name}")
    yield from (
        _importing(source, f"from {library} import {name}")
        for library in _LIBRARIES
        if library != name and name in getattr(import_module(library), "__all__", dir(import_module(library)))
    )


def _importing(source: str, line: str) -> Patch:
    """Return code with an import where imports begin: below the docstring and what concerns the future."""
    after = 0
    for number, node in enumerate(ast.parse(source).body):
        is_docstring = number == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not is_docstring and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            break
        after = node.end_lineno or 0
    lines = source.splitlines(keepends=True)
    if after and not lines[after - 1].endswith("\n"):
        lines[after - 1] += "\n"
    return Patch("".join([*lines[:after], f"{line}\n", *lines[after:]]), f"Added `{line}`.")


def _misspelt(source: str, raised: Raised) -> Iterator[Patch]:
    pattern = {"NameError": _NAME, "AttributeError": _ATTRIBUTE}.get(raised.short_name)
    found = None if pattern is None else pattern.search(raised.message)
    if found is None or raised.line is None:
        return
    name, meant = found[1], _MEANT.search(raised.message)
    words = get_close_matches(name, words_of(source, without=name), n=1, cutoff=_NEAR)
    near = meant[1] if meant else next(iter(words), None)
    if near is not None and raised.line <= len(source.splitlines()):
        line = re.sub(rf"\b{name}\b", near, _line_of(source, raised.line))
        yield Patch(_with_line(source, raised.line, line), f"Wrote `{near}` instead of `{name}`.")


def _zero_division(source: str, raised: Raised) -> Iterator[Patch]:
    """Yield the quotient guarded: a division by zero gives None, because there is no number for it."""
    if raised.short_name != "ZeroDivisionError":
        return
    divisions = (
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod))
    )
    for node in divisions:
        if raised.line is not None and not node.lineno <= raised.line <= (node.end_lineno or node.lineno):
            continue
        whole, by = ast.get_source_segment(source, node), ast.get_source_segment(source, node.right)
        if whole and by and _is_repeatable(node.right):
            guarded = f"({whole} if {by} else None)"
            yield Patch(edited(source, [_replacing(source, node, guarded)]), f"Where `{by}` is 0, the result is None.")


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
            if text and not isinstance(node.right, (ast.Constant, ast.JoinedStr)):
                yield Patch(
                    edited(source, [_replacing(source, node.right, f"str({text})")]),
                    f"Made a text of `{text}` before it is joined to one.",
                )


def _syntax(source: str, raised: Raised) -> Iterator[Patch]:
    if raised.short_name not in ("SyntaxError", "IndentationError", "TabError"):
        return
    line, says = raised.line, raised.message
    if raised.short_name == "TabError" or "inconsistent use of tabs" in says:
        yield Patch(source.expandtabs(4), "Indented with spaces alone.")
    if line is None or line > len(source.splitlines()):
        return
    text = _line_of(source, line)
    for change, what in _rewritten(text, says, source, line):
        yield Patch(_with_line(source, line, change), what)


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
    opened = re.search(r"'([(\[{])' was never closed", says)
    if opened is not None:
        closing = _CLOSING[opened[1]]
        yield f"{code}{closing}{comment}", f"Closed `{opened[1]}` on line {line}."
        yield f"{code.rstrip(':')}{closing}:{comment}", f"Closed `{opened[1]}` before the colon on line {line}."
    if "unterminated" in says and "string literal" in says:
        for quote in ('"', "'"):
            if code.count(quote) % 2:
                yield f"{text}{quote}", f"Closed the text on line {line}."
                yield re.sub(r"([)\]}:]+)$", rf"{quote}\1", text), f"Closed the text on line {line}."
    if "instead of '='" in says:
        yield re.sub(r"(?<![=!<>:])=(?!=)", "==", text, count=1), f"Compared with `==` on line {line}."
    if "unexpected indent" in says or "unindent does not match" in says:
        before = next((each for each in reversed(source.splitlines()[: line - 1]) if each.strip()), "")
        for margin in dict.fromkeys((_margin(before), *_margins_above(source, line))):
            yield f"{margin}{text.lstrip()}", f"Indented line {line} like the lines around it."
    if "expected an indented block" in says:
        before = next((each for each in reversed(source.splitlines()[: line - 1]) if each.strip()), "")
        yield f"{_margin(before)}    {text.lstrip()}", f"Indented line {line}."
    unmatched = re.search(r"unmatched '([)\]}])'", says)
    if unmatched is not None:
        at = text.rfind(unmatched[1])
        yield text[:at] + text[at + 1 :], f"Removed the unmatched `{unmatched[1]}` on line {line}."


def _margins_above(source: str, line: int) -> Iterator[str]:
    return (_margin(each) for each in reversed(source.splitlines()[: line - 1]) if each.strip())


def _margin(line: str) -> str:
    found = _MARGIN.match(line)
    return found[0] if found else ""


def _without_comment(line: str) -> tuple[str, str]:
    """Return the code of a line, and its comment with the blanks before it."""
    found = re.search(r"\s+#[^'\"]*$", line)
    return (line.rstrip(), "") if found is None else (line[: found.start()], line[found.start() :])


def _line_of(source: str, number: int) -> str:
    return source.splitlines()[number - 1]


def _with_line(source: str, number: int, line: str) -> str:
    lines = source.splitlines(keepends=True)
    ending = lines[number - 1][len(lines[number - 1].rstrip("\r\n")) :]
    lines[number - 1] = f"{line}{ending}"
    return "".join(lines)


def _replacing(source: str, node: ast.expr, text: str) -> Edit:
    """Return the edit that puts a text in place of an expression; the tree counts columns in bytes."""
    lines = source.splitlines()

    def column(line: int, offset: int) -> int:
        return len(lines[line - 1].encode()[:offset].decode("utf-8", "replace")) + 1

    end_line, end_offset = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    begin, end = column(node.lineno, node.col_offset), column(end_line, end_offset)
    return Edit(line=node.lineno, column=begin, end_line=end_line, end_column=end, text=text)


def _is_valid(code: str) -> bool:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


_Rule = Callable[[str, Raised], Iterator[Patch]]
_RULES: tuple[_Rule, ...] = (_syntax, _missing_import, _misspelt, _zero_division, _text_and_number)
