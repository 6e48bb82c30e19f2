"""Advice about exceptions of Python, the narrow ones first; nothing here runs or imports what it speaks about."""

from __future__ import annotations

import re
from collections.abc import Callable

from jupyter_mcpgen.model.guidance import ErrorGuidance, ErrorType
from jupyter_mcpgen.sandbox.guidance.beside import folder_of
from jupyter_mcpgen.sandbox.guidance.rules import files, limits, tables
from jupyter_mcpgen.sandbox.guidance.rules.advice import advice, example, quoted
from jupyter_mcpgen.sandbox.guidance.rules.ending import Ending
from jupyter_mcpgen.sandbox.guidance.rules.processes import processes
from jupyter_mcpgen.sandbox.guidance.rules.stderr import Raised
from jupyter_mcpgen.sandbox.guidance.rules.words import nearest, texts_of, words_of

Rule = Callable[[Raised, Ending], ErrorGuidance | None]

_FILE_ERRORS = ("FileNotFoundError", "PermissionError", "NotADirectoryError", "IsADirectoryError")
_MODULE = re.compile(
    r"No module named '([\w.]{1,200})'|Missing optional dependency '([\w.-]{1,200})'|`Import ([\w.-]{1,200})` failed"
)
_NAME = re.compile(r"name '(\w{1,200})' is not defined|cannot access local variable '(\w{1,200})'")
_NETWORK_ERRORS = (
    "URLError", "gaierror", "ConnectionRefusedError", "ConnectionError", "ConnectTimeout", "ConnectError",
    "MaxRetryError", "NewConnectionError",
)  # fmt: skip
_NETWORK_WORDS = re.compile(r"Network is unreachable|Name or service not known|Temporary failure in name resolution")
_NETWORK_FILES = ("/socket.py", "/ssl.py", "http/client.py", "urllib/request.py", "asyncio/base_events.py")
_OPERATING_SYSTEM = ("OSError", "PermissionError", "BlockingIOError", "RuntimeError", "AttributeError", "TimeoutError")
_REFUSED = "[Errno 1]"
_SHARED = re.compile(r"\bmmap\(\s*(?:fileno\s*=\s*)?-1\b")
_SHARED_FILES = ("multiprocessing/shared_memory.py", "multiprocessing/heap.py")
_READ_ONLY = re.compile(r"\[Errno (?:1|13|30|63|69)\]")  # the last two are what WASI calls 1 and 30


def _missing_package(raised: Raised, ending: Ending) -> ErrorGuidance | None:
    found = _MODULE.search(raised.message) if raised.short_name in ("ModuleNotFoundError", "ImportError") else None
    if found is None:
        return None
    package = next(name for name in found.groups() if name).partition(".")[0]
    beside = ending.surroundings.beside(package)
    if beside is not None:
        return _vendored(package, folder_of(beside, package))
    return advice(
        ErrorType.MISSING_PACKAGE,
        f"There is no package `{package}` in this runtime, and nothing can be installed during a run.",
        "`list_available_packages` says what is there; most tables need pandas and the standard library only.",
        "It would not work here anyway: the sandbox has no network." if package in _FOR_THE_NETWORK else None,
        examples=example(
            f"import {package}",
            f"try:\n    import {package}\nexcept ImportError:\n    {package} = None  # go on without it",
            "Runs with the package and without it.",
        ),
    )


_FOR_THE_NETWORK = ("requests", "httpx", "aiohttp", "urllib3", "boto3")


def _vendored(package: str, folder: str) -> ErrorGuidance:
    line = f"sys.path.insert(0, {folder!r})"
    return advice(
        ErrorType.MISSING_VENDORED_PACKAGE,
        f"`{package}` is not installed, but lies in {quoted(folder)}, which is not on the import path.",
        f"Write `import sys` and {quoted(line)} above the import.",
        examples=example(
            f"import {package}", f"import sys\n{line}\nimport {package}", "The folder of packages on the import path."
        ),
    )


def _import_failed(raised: Raised, _: Ending) -> ErrorGuidance | None:
    if raised.short_name != "ImportError":
        return None
    return advice(
        ErrorType.IMPORT_FAILED,
        f"An import failed{raised.where}: {quoted(raised.message.partition(' (')[0])}.",
        "The name may belong to another version of the package, or a file of yours may have the package's name.",
        "`dir(module)` and `module.__version__` say what there is.",
        examples=example(
            "from pandas import Panel", "import pandas as pd\nprint(pd.__version__)", "See which version it is."
        ),
    )


def _network(raised: Raised, ending: Ending) -> ErrorGuidance | None:
    by_socket = raised.short_name in _OPERATING_SYSTEM and raised.passed(*_NETWORK_FILES)
    if raised.short_name in _NETWORK_ERRORS or by_socket or _NETWORK_WORDS.search(raised.message):
        return files.network_denied(ending)
    return None


def _shared_memory(raised: Raised, _: Ending) -> ErrorGuidance | None:
    if raised.short_name not in ("PermissionError", "FileNotFoundError"):
        return None
    is_mapped = _REFUSED in raised.message and _SHARED.search(raised.source or "") is not None
    return files.shared_memory_denied() if is_mapped or raised.passed(*_SHARED_FILES) else None


def _file(raised: Raised, ending: Ending) -> ErrorGuidance | None:
    refused = raised.short_name == "OSError" and _READ_ONLY.search(raised.message)
    if raised.short_name not in _FILE_ERRORS and not refused:
        return None
    paths = files.paths_in(raised.message)
    beyond = next((path for path in paths if files.outside(path, ending.surroundings)), None)
    if beyond is not None:
        return files.path_restriction(beyond, ending)
    path = next(iter(paths), None)
    if raised.short_name == "FileNotFoundError":
        return files.file_not_found(path, ending)
    return files.permission_denied(path, ending)


def _memory(raised: Raised, ending: Ending) -> ErrorGuidance | None:
    return limits.memory_exhausted(ending) if raised.short_name in ("MemoryError", "_ArrayMemoryError") else None


def _syntax(raised: Raised, _: Ending) -> ErrorGuidance | None:
    if raised.short_name not in ("SyntaxError", "IndentationError", "TabError"):
        return None
    return advice(
        ErrorType.SYNTAX_ERROR,
        f"The program is not valid Python{raised.where}: {quoted(raised.message)}.",
        f"The line is {quoted(raised.source)}; the cause can be the line above, such as a bracket left open."
        if raised.source
        else None,
        "Nothing of the program ran. Correct this one place and run it again.",
        examples=example("if total > 3\n    print(total)", "if total > 3:\n    print(total)", "A colon ends the line."),
    )


def _undefined(raised: Raised, ending: Ending) -> ErrorGuidance | None:
    found = _NAME.search(raised.message) if raised.short_name in ("NameError", "UnboundLocalError") else None
    if found is None:
        return None
    name = found[1] or found[2]
    offer = nearest(name, words_of(ending.code, without=name))
    return advice(
        ErrorType.NAME_NOT_DEFINED,
        f"The name `{name}` is not defined{raised.where}.{offer}",
        f"Add `{_USUAL_IMPORTS[name]}` at the top." if name in _USUAL_IMPORTS else None,
        "Define it before its first use; names of an earlier run are there only in a session that keeps them.",
        examples=example("print(totl)", "total = 3\nprint(total)", "Defined before its use, with the same spelling."),
    )


_USUAL_IMPORTS = {
    "pd": "import pandas as pd",
    "np": "import numpy as np",
    "plt": "import matplotlib.pyplot as plt",
    **{name: f"import {name}" for name in ("json", "math", "re", "os", "sys", "csv", "random", "statistics")},
    "datetime": "from datetime import datetime",
    "Path": "from pathlib import Path",
    "Counter": "from collections import Counter",
    "defaultdict": "from collections import defaultdict",
}


def _recursion(raised: Raised, _: Ending) -> ErrorGuidance | None:
    if raised.short_name != "RecursionError":
        return None
    return advice(
        ErrorType.RECURSION_TOO_DEEP,
        f"A function called itself too often{raised.where}.",
        "Give the recursion an end condition, or use a loop with a list of what is left to do.",
        "A higher recursion limit lets the process crash instead.",
        examples=example(
            "def total(n):\n    return n + total(n - 1)",
            "def total(n):\n    return 0 if n <= 0 else n + total(n - 1)",
            "It ends at 0.",
        ),
    )


def _division(raised: Raised, _: Ending) -> ErrorGuidance | None:
    if raised.short_name != "ZeroDivisionError":
        return None
    return advice(
        ErrorType.DIVISION_BY_ZERO,
        f"A number was divided by zero{raised.where}{_source(raised)}.",
        "Check the divisor first: an empty list or a filter without rows gives 0.",
        examples=example(
            "mean = sum(values) / len(values)",
            "mean = sum(values) / len(values) if values else None",
            "Returns no mean when there are no values.",
        ),
    )


def _index(raised: Raised, _: Ending) -> ErrorGuidance | None:
    if raised.short_name != "IndexError":
        return None
    return advice(
        ErrorType.INDEX_OUT_OF_RANGE,
        f"A position was asked for that is not there{raised.where}{_source(raised)}{_said(raised)}.",
        "Check the length first (`len(...)`, `df.empty`): a filter may have left nothing. The first position is 0.",
        examples=example("df.iloc[0]", "first = None if df.empty else df.iloc[0]", "Gives nothing without a row."),
    )


def _key(raised: Raised, ending: Ending) -> ErrorGuidance | None:
    if raised.short_name != "KeyError":
        return None
    key = raised.message.strip("'\"")
    known = (*ending.names, *texts_of(ending.code, without=key))
    offer = nearest(key, known)
    return advice(
        ErrorType.KEY_NOT_FOUND,
        f"There is no key {quoted(key)}{raised.where}.{offer}",
        "Print `list(d)`, or use `d.get(key)` where a key may be missing.",
        examples=example("prices[name]", "prices.get(name, 0)", "0 where there is no price."),
    )


def _attribute(raised: Raised, ending: Ending) -> ErrorGuidance | None:
    if raised.short_name != "AttributeError":
        return None
    found = re.search(r"'(\w{1,60})' object has no attribute '(\w{1,80})'", raised.message)
    owner, name = (found[1], found[2]) if found else ("", "")
    return advice(
        ErrorType.ATTRIBUTE_NOT_FOUND,
        f"Something has no attribute of that name{raised.where}{_said(raised)}.",
        _GONE.get(name) if owner in ("DataFrame", "Series") else None,
        f"If `{name}` should be a column: print `list(df.columns)`.{nearest(name, ending.names)}"
        if owner == "DataFrame" and name not in _GONE
        else None,
        "A value that is `None` comes from a call that found or returned nothing." if owner == "NoneType" else None,
        "Print `type(value)` and `dir(value)` to see what it is.",
        examples=example(
            "df = df.append(row)", "df = pd.concat([df, pd.DataFrame([row])])", "`append` is gone from pandas."
        ),
    )


_GONE = {
    "append": "`DataFrame.append` is gone: use `pd.concat([df, more])`.",
    "ix": "`DataFrame.ix` is gone: use `.loc` or `.iloc`.",
    "applymap": "`DataFrame.applymap` is gone: use `DataFrame.map`.",
    "iteritems": "`iteritems` is gone: use `items`.",
    "swapaxes": "`DataFrame.swapaxes` is gone: use `transpose`.",
}


def _value(raised: Raised, _: Ending) -> ErrorGuidance | None:
    if raised.short_name != "ValueError":
        return None
    return advice(
        ErrorType.INVALID_VALUE,
        f"A function was given a value it does not take{raised.where}{_source(raised)}{_said(raised)}.",
        "Print the value just before this line; `repr(value)` also shows blanks and quotes.",
        examples=example("n = int(text)", "n = int(text.strip().replace(',', ''))", "Text as people write numbers."),
    )


def _type(raised: Raised, _: Ending) -> ErrorGuidance | None:
    if raised.short_name != "TypeError":
        return None
    return advice(
        ErrorType.WRONG_TYPE,
        f"An operation or a call was given the wrong type{raised.where}{_source(raised)}{_said(raised)}.",
        "Print `type(value)` of what goes in; for a call, `help(function)` names its parameters.",
        examples=example("'total: ' + 3", "f'total: {3}'", "Text and a number in one text."),
    )


def _source(raised: Raised) -> str:
    return f", {quoted(raised.source)}" if raised.source else ""


def _said(raised: Raised) -> str:
    return f": {quoted(raised.message)}" if raised.message.strip() else ""


RULES: tuple[Rule, ...] = (
    _missing_package,
    _import_failed,
    processes,
    _network,
    _shared_memory,
    _file,
    _memory,
    _syntax,
    _undefined,
    _recursion,
    _division,
    tables.column_not_found,
    tables.parse_error,
    tables.encoding_error,
    tables.merge_error,
    tables.duplicate_entries,
    tables.ambiguous_truth,
    tables.shape_mismatch,
    tables.dtype_error,
    _index,
    _key,
    _attribute,
    _value,
    _type,
)
