"""Calls functions of some code with small values, and runs its tests: a program of its own that runs in the sandbox.

The code comes on stdin, with the function to call and the mark that the line of answers begins with.
"""

from __future__ import annotations

import ast
import asyncio
import hashlib
import inspect
import io
import itertools
import json
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from typing import Any

VALUES = ("[]", "0", "''", "None", "[1, 2]", "1", "-1", "2.5", "'ab'", "{}", "{'a': 1}", "()")
MOST_CALLS = 150
MOST_ITEMS = 1_000
"""How many values of an iterator are looked at."""
LONGEST = 200
FILE, MODULE = "<code>", "code_under_test"


def calls_of(space: dict[str, Any], function: str | None) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """Yield the calls to make: the function, its arguments as text, and whether it is a test.

    They are of one function, or of all where none is named.
    """
    own = {name: each for name, each in space.items() if inspect.isfunction(each) and _is_own(each)}
    tests = [name for name in own if name.startswith("test_") and not _required(own[name])]
    wanted = [function] if function in own else [name for name in own if name not in tests]
    for name in tests:
        yield name, (), True
    for name in wanted:
        if name not in tests:
            values = itertools.product(VALUES, repeat=_required(own[name]))
            for chosen in itertools.islice(values, MOST_CALLS):
                yield name, chosen, False


def ended(function: Callable[..., Any], texts: tuple[str, ...], *, is_test: bool) -> dict[str, object]:
    """Make one call and return how it ended; its digest is of all that shows: value, output and arguments after it."""
    answer: dict[str, object] = {"call": f"{function.__name__}({', '.join(texts)})", "is_test": is_test}
    arguments, printed = [ast.literal_eval(text) for text in texts], io.StringIO()
    try:
        with redirect_stdout(printed):
            value = function(*arguments)
            if inspect.iscoroutine(value):
                value = asyncio.run(value)
            if isinstance(value, Iterator):
                value = list(itertools.islice(value, MOST_ITEMS))
        whole = repr((value, printed.getvalue(), arguments))
        digest = hashlib.sha256(whole.encode("utf-8", "backslashreplace")).hexdigest()
        return {**answer, "value": repr(value)[:LONGEST], "digest": digest}
    except BaseException as error:  # also `sys.exit()`, and what a test ends with that failed
        return {**answer, "error": type(error).__name__, "message": str(error)[:LONGEST], "line": _line(error)}


def main() -> None:
    """Answer one request."""
    asked = json.load(sys.stdin)
    module = sys.modules[MODULE] = types.ModuleType(MODULE)
    space = vars(module)
    with redirect_stdout(io.StringIO()), suppress(SystemExit):  # what is defined until then can be called
        exec(compile(asked["source"], FILE, "exec"), space)  # noqa: S102  # it is the sandbox that confines it
    calls = calls_of(space, asked["function"])
    answers = [ended(space[name], texts, is_test=is_test) for name, texts, is_test in calls]
    sys.stdout.write(f"\n{asked['mark']}{json.dumps(answers)}\n")


def _is_own(function: Callable[..., Any]) -> bool:
    return function.__code__.co_filename == FILE


def _required(function: Callable[..., Any]) -> int:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(function).parameters.values()
    return sum(each.kind in kinds and each.default is each.empty for each in parameters)


def _line(error: BaseException) -> int | None:
    trace, line = error.__traceback__, None
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == FILE else line
        trace = trace.tb_next
    return line


if __name__ == "__main__":
    main()
