"""The names that code takes from elsewhere, over code of every shape that binds names."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.analysis.free_names import free_names


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("def f(x):\n    return x * factor", ("factor",)),
        ("def f(x):\n    return len(x)", ()),
        ("import numpy as np\n\ndef f(x):\n    return np.sum(x)", ()),
        ("LIMIT = 3\n\ndef f(x):\n    return x < LIMIT", ()),
        ("def f(x, by=offset):\n    return x + by", ("offset",)),
        ("def f(x):\n    def g(y):\n        return x + y + z\n    return g(1)", ("z",)),
        ("def f(x):\n    return [a for a in x if a > least]", ("least",)),
        ("def f(x):\n    return (y := x) + y", ()),
        ("def f():\n    global made\n    made = 1\n    return made", ()),
        ("def f(x):\n    try:\n        return x\n    except ValueError as error:\n        return str(error)", ()),
        ("def f(x):\n    import math\n    return math.pi * x", ()),
        ("class A:\n    def g(self):\n        return there\n\ndef f():\n    return A().g()", ("there",)),
        ("def f(x: Kind) -> Other:\n    return x", ("Kind", "Other")),
        (
            "def f(x):\n    match x:\n        case {'a': found}:\n            return found\n    return default",
            ("default",),
        ),
        ("def f():\n    return __name__", ()),
        ("print(first)\n\ndef f():\n    return second", ("first", "second")),
    ],
)
def test_what_is_read_and_bound_nowhere_is_free(code: str, names: tuple[str, ...]) -> None:
    assert free_names(code) == names
