"""Guards against the difference that nobody sees: numpy in WebAssembly counts in 32 bits where the native one has 64.

`np.array([2_000_000_000] * 2).sum()` is negative there, without a word. So what a guest computed is never called equal
to the native result before the two were compared, and code that is likely to be hit is named before it runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from jupyter_mcpgen.sandbox.execution.record import Execution, Status
from jupyter_mcpgen.sandbox.fuel.syntax import parsed

_MAKERS = frozenset(
    ("array", "asarray", "arange", "zeros", "ones", "empty", "full", "fromiter", "cumsum", "prod", "sum")
)
_HAVE_KINDS = frozenset(("zeros", "ones", "empty"))
_NUMPY = frozenset(("np", "numpy"))
_NARROW = frozenset(("int_", "intp", "uint", "uintp"))


class Parity(StrEnum):
    """Whether a guest's result is known to be the native one; only `EQUAL` may be shown as equal."""

    EQUAL = "equal"
    DIFFERENT = "different"
    NOT_COMPARED = "not_compared"


@dataclass(frozen=True)
class Compared:
    """What came of comparing a guest's output with the native output of the same code."""

    parity: Parity
    reason: str


@dataclass(frozen=True)
class Hazard:
    """A place where integers may be 32 bits wide in a guest, and what to write instead."""

    line: int
    found: str
    instead: str


NOT_COMPARED = Compared(
    Parity.NOT_COMPARED, "The result was not compared with a native run; integers may be 32 bits wide."
)


def compared(native: Execution, guest: Execution) -> Compared:
    """Compare what the same code printed natively and in a guest, character for character."""
    if native.status is not Status.SUCCESS or guest.status is not Status.SUCCESS:
        failed = "native" if native.status is not Status.SUCCESS else "guest's"
        return Compared(Parity.NOT_COMPARED, f"The {failed} run did not succeed, so there is nothing to compare.")
    if native.stdout == guest.stdout:
        return Compared(Parity.EQUAL, "The native run printed the same, character for character.")
    pairs = zip(native.stdout.splitlines(), guest.stdout.splitlines(), strict=False)
    line = next((number for number, (one, other) in enumerate(pairs, 1) if one != other), None)
    where = f"line {line}" if line else "its length"
    return Compared(
        Parity.DIFFERENT, f"The native run printed something else, beginning at {where}: use the native one."
    )


def hazards(code: str) -> tuple[Hazard, ...]:
    """Return the places where code makes integers of the platform's width; none where it cannot be read."""
    tree = parsed(code)
    if tree is None:
        return ()
    found = {hazard for node in ast.walk(tree) for hazard in _hazards(node)}
    return tuple(sorted(found, key=lambda hazard: (hazard.line, hazard.found)))


def _hazards(node: ast.AST) -> Iterator[Hazard]:
    if isinstance(node, ast.Attribute) and node.attr in _NARROW and _is_numpy(node.value):
        yield Hazard(node.lineno, f"np.{node.attr}", "np.int64")
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    name = node.func.attr
    kinds = [keyword.value for keyword in node.keywords if keyword.arg == "dtype"] or _positional_kind(node, name)
    if name == "astype" or (kinds and name in _MAKERS):
        if any(isinstance(kind, ast.Name) and kind.id == "int" for kind in kinds or node.args[:1]):
            yield Hazard(node.lineno, f"{name}(…, int)", f"{name}(…, 'int64')")
    elif name in _MAKERS - _HAVE_KINDS and _is_numpy(node.func.value) and not kinds:
        yield Hazard(node.lineno, f"np.{name}(…)", f"np.{name}(…, dtype='int64')")


def _positional_kind(node: ast.Call, name: str) -> list[ast.expr]:
    return node.args[1:2] if name in _HAVE_KINDS | {"array", "asarray"} else []


def _is_numpy(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in _NUMPY
