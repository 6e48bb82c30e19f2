"""The syntax tree of Python code that somebody else wrote, in bounded time, without a word of its doubtful escapes."""

from __future__ import annotations

import ast
import re
import threading
import warnings

_MOST_PARTS = 300
# The parser's time grows with the square of the parts: 60,000 of them in one `import` take it 20 seconds.
_LONG_NAME = re.compile(rf"(?:\w++\s*+\.\s*+){{{_MOST_PARTS}}}")
_PARSING = threading.Lock()  # the filter of warnings belongs to the whole process


def parsed(code: str) -> ast.Module | None:
    """Return the tree; `None` for code that Python cannot read, or of which a name is too long to be read soon."""
    if _LONG_NAME.search(code):
        return None
    try:
        with _PARSING, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # doubtful escapes are the linter's business
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
