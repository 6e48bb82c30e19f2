"""Advice about exceptions of JavaScript, in QuickJS and in Node."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from jupyter_mcpgen.model.guidance import ErrorGuidance, ErrorType
from jupyter_mcpgen.sandbox.guidance.rules import files, limits
from jupyter_mcpgen.sandbox.guidance.rules.advice import advice, example, quoted
from jupyter_mcpgen.sandbox.guidance.rules.ending import Ending
from jupyter_mcpgen.sandbox.guidance.rules.stderr import Raised
from jupyter_mcpgen.sandbox.guidance.rules.words import nearest, words_of

Rule = Callable[[Raised, Ending], ErrorGuidance | None]

_MISSING_MODULE = re.compile(r"(?:Cannot find (?:module|package)|could not load module(?: filename)?) '([^']{1,200})'")
_UNDEFINED = re.compile(r"'?([A-Za-z_$][\w$]{0,100})'? is not defined")
_NETWORK = re.compile(
    r"\b(?:fetch failed|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENETUNREACH|(?:connect|listen) E(?:PERM|ACCES))\b"
)
_NETWORK_NAMES = ("fetch", "XMLHttpRequest", "WebSocket")
_NOTHING = re.compile(r"cannot read propert|undefined|null")


def _missing_module(raised: Raised, ending: Ending) -> ErrorGuidance | None:
    missing = _MISSING_MODULE.search(raised.message)
    if missing is None:
        return None
    name = missing[1]
    beside = ending.surroundings.beside(name)
    if beside is None:
        return advice(
            ErrorType.MISSING_PACKAGE,
            f"There is no module {quoted(name)} in this runtime, and nothing can be installed during a run.",
            "`list_available_packages` says what is there; put a small module into the workspace as a file of its own.",
            examples=example(f"require({name!r})", "import { f } from './mine.js'", "A file in the workspace."),
        )
    path = json.dumps(beside if beside.startswith("/") else f"./{beside}", ensure_ascii=False)
    return advice(
        ErrorType.MISSING_VENDORED_PACKAGE,
        f"{quoted(name)} is not installed, but lies in {quoted(beside)}: its name alone does not find it there.",
        f"Load it by its path: {quoted(f'require({path})')}.",
        examples=example(f"require('{name}')", f"require({path})", "The path of the file instead of a name."),
    )


def _network(raised: Raised, ending: Ending) -> ErrorGuidance | None:
    undefined = _UNDEFINED.search(raised.message)
    asked_for = undefined is not None and undefined[1] in _NETWORK_NAMES
    return files.network_denied(ending) if asked_for or _NETWORK.search(raised.message) else None


def _file(raised: Raised, ending: Ending) -> ErrorGuidance | None:
    code = re.search(r"\b(ENOENT|EISDIR|EACCES|EPERM|EROFS)\b", raised.message)
    if code is None:
        return None
    path = next(iter(files.paths_in(raised.message)), None)
    if path is not None and files.outside(path, ending.surroundings):
        return files.path_restriction(path, ending)
    if code[1] == "EISDIR":
        return None  # a folder of the workspace, which the message names
    return files.file_not_found(path, ending) if code[1] == "ENOENT" else files.permission_denied(path, ending)


def _taken_apart(raised: Raised, ending: Ending) -> ErrorGuidance | None:
    if raised.name != "TypeError" or "is not iterable" not in raised.message:
        return None
    host = ending.surroundings.javascript
    return advice(
        host.taken_apart,
        f"A value that is not an array is taken apart{raised.where}.",
        "Use array destructuring with square brackets, `const [data, error] = f()`, and only on an array: "
        + host.arrays,
        "Print the value first (`console.log(JSON.stringify(value))`), then take `value[0]` or `value.name` out of it.",
        examples=(host.apart,),
    )


def _memory(raised: Raised, ending: Ending) -> ErrorGuidance | None:
    return limits.memory_exhausted(ending) if "out of memory" in raised.message.lower() else None


def _recursion(raised: Raised, _: Ending) -> ErrorGuidance | None:
    if not re.search(r"stack overflow|call stack size exceeded", raised.message, re.IGNORECASE):
        return None
    return advice(
        ErrorType.RECURSION_TOO_DEEP,
        "A function called itself too often.",
        "Give the recursion an end condition, or use a loop with a list of what is left to do.",
        examples=example(
            "const sum = (n) => n + sum(n - 1);", "const sum = (n) => (n <= 0 ? 0 : n + sum(n - 1));", "It ends at 0."
        ),
    )


def _syntax(raised: Raised, _: Ending) -> ErrorGuidance | None:
    if raised.name != "SyntaxError":
        return None
    return advice(
        ErrorType.SYNTAX_ERROR,
        f"The program is not valid JavaScript{raised.where}: {quoted(raised.message)}.",
        "Nothing of it ran. Check brackets, quotes and that it is JavaScript, not TypeScript or Python.",
        examples=example("const total: number = 3;", "const total = 3;", "Types belong to TypeScript."),
    )


_OF_ANOTHER_HOST = ("document", "window", "process", "require", "setTimeout", "Buffer")


def _undefined(raised: Raised, ending: Ending) -> ErrorGuidance | None:
    found = _UNDEFINED.search(raised.message)
    if raised.name != "ReferenceError" or found is None:
        return None
    name = found[1]
    return advice(
        ErrorType.NAME_NOT_DEFINED,
        f"The name `{name}` is not defined.{nearest(name, words_of(ending.code, without=name))}",
        ending.surroundings.javascript.what_it_is if name in _OF_ANOTHER_HOST else None,
        "Define it before its first use; a session keeps names only when it was asked to.",
        examples=example("console.log(totl);", "const total = 3;\nconsole.log(total);", "Defined before it is used."),
    )


def _not_there(raised: Raised, ending: Ending) -> ErrorGuidance | None:
    if raised.name != "TypeError" or not _NOTHING.search(raised.message):
        return None
    return advice(
        ErrorType.ATTRIBUTE_NOT_FOUND,
        f"A property was read of something that is not there: {quoted(raised.message)}.",
        ending.surroundings.javascript.nothing_there,
        examples=(ending.surroundings.javascript.nothing,),
    )


RULES: tuple[Rule, ...] = (
    _missing_module,
    _network,
    _file,
    _taken_apart,
    _memory,
    _recursion,
    _syntax,
    _undefined,
    _not_there,
)
