"""The static gate: what source may use, read from its syntax and never from its letters."""

from __future__ import annotations

import ast
import re
import threading
import warnings
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from jupyter_mcpgen.analysis import rules
from jupyter_mcpgen.analysis.escapes import Escape, EscapeKind, plain_source
from jupyter_mcpgen.analysis.namespaces import TOOL_NAMESPACES
from jupyter_mcpgen.analysis.rules import each, words
from jupyter_mcpgen.analysis.scan import scan
from jupyter_mcpgen.analysis.source_policy import SourcePolicy
from jupyter_mcpgen.model.validation import Finding

_FRAMES = each(
    "tb_frame tb_next f_globals f_locals f_builtins f_back f_code gi_frame gi_code gi_yieldfrom cr_frame cr_code "
    "cr_await ag_frame ag_code ag_await func_globals func_code co_code",
    rules.FRAME,
)

TOOL_POLICY = SourcePolicy(
    namespaces=TOOL_NAMESPACES,
    builtins={
        **each("eval exec compile __import__ open input breakpoint help exit quit license copyright", rules.BUILTIN),
        **each("getattr setattr delattr vars globals locals dir memoryview", rules.BUILTIN),
        **each("get_ipython run_line_magic run_cell_magic", rules.GET_IPYTHON),
        "print": rules.PRINT,
    },
    attributes={
        **_FRAMES,
        **each("mro with_traceback", rules.FRAME),
        **each("to_pickle read_pickle parse_raw parse_file", rules.PICKLE),
        "ctypes": rules.MEMBER,
        **each("to_sql to_gbq to_clipboard to_iceberg", rules.DATABASE),
        **each("to_hdf tofile write_text write_bytes", rules.FILE_WRITE),
        "savefig": rules.FIGURE_STAYS_OPEN,
        **each("read_text read_bytes", rules.FILE_ACCESS),
        **each("from_formula from_custom_template", rules.CODE_NOT_CONSTANT),
        "obj": rules.EXCEPTION_OBJECT,
    },
    calls={
        **each("system popen Popen check_output check_call getoutput getstatusoutput", rules.PROCESS),
        **each("execv execve execl execlp execvp spawnl spawnv fork forkpty posix_spawn", rules.PROCESS),
        **each("urlopen urlretrieve", rules.NETWORK),
        **each("import_module load_module exec_module find_spec", rules.IMPORT),
        **each("run_line_magic run_cell_magic run_cell", rules.GET_IPYTHON),
        **each("dump save unlink rmdir mkdir touch symlink_to hardlink_to chmod", rules.FILE_WRITE),
    },
    dunders=frozenset({"__name__", "__doc__", "__all__", "__version__", "__slots__"}),
    dunder_methods=words(
        "__init__ __post_init__ __repr__ __str__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __len__ __iter__ "
        "__next__ __contains__ __getitem__ __call__ __bool__ __add__ __radd__ __sub__ __mul__ __enter__ __exit__"
    ),
)
"""What a generated tool may use: the data libraries, the safe part of the standard library, nothing else."""

# PEP 263: Python honours this comment when it reads the file, so text that was checked is not the text that runs.
_ENCODING = re.compile(r"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_MOST_PARTS = 300
# The parser's time grows with the square of the parts: 60,000 of them in one `import` take it 20 seconds.
_LONG_NAME = re.compile(rf"(?:\w++\s*+\.\s*+){{{_MOST_PARTS}}}")
_UTF8 = frozenset({"utf-8", "utf8", "utf-8-sig"})

# `warnings.catch_warnings` is process-wide; two threads that parse must not restore each other's filters.
_PARSING = threading.Lock()


@lru_cache(maxsize=32)
def check_policy(source: str, capabilities: tuple[str, ...]) -> tuple[Finding, ...]:
    """Return what the source of a tool would use beyond its capabilities, in the order of its lines.

    IPython's escapes are found first, because Python cannot parse them; then the rest is parsed and read.
    """
    plain = plain_source(source)
    findings = chain(_escapes(plain.escapes), _encodings(source), _parsed(plain.python, capabilities))
    # One line that breaks a rule twice in the same way is one flaw.
    unique = {(f.rule, f.line, f.message): f for f in findings}
    return tuple(sorted(unique.values(), key=lambda f: (f.line or 0, f.rule, f.message)))


def parse(source: str) -> ast.Module | Finding:
    """Return the syntax tree, or the finding that says why there is none."""
    if _LONG_NAME.search(source):
        return rules.TOO_DEEP.finding(f"a name has more than {_MOST_PARTS} parts", None)
    try:
        with _PARSING, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # doubtful escapes in strings are the linter's business
            return ast.parse(source)
    except SyntaxError as error:
        return rules.SYNTAX.finding(error.msg or "it cannot be parsed", error.lineno)
    except (ValueError, UnicodeError) as error:
        return rules.SYNTAX.finding(str(error), None)
    except (RecursionError, MemoryError):
        return rules.TOO_DEEP.finding("the parser gave up", None)


def _parsed(python: str, capabilities: tuple[str, ...]) -> Iterator[Finding]:
    tree = parse(python)
    if isinstance(tree, Finding):
        yield tree
        return
    try:
        yield from scan(tree, capabilities, TOOL_POLICY)
    except (RecursionError, MemoryError):  # an annotation is text that is parsed too
        yield rules.TOO_DEEP.finding("reading it took too many steps", None)


def _escapes(escapes: tuple[Escape, ...]) -> Iterator[Finding]:
    for escape in escapes:
        match escape.kind:
            case EscapeKind.SHELL:
                yield rules.SHELL.finding(escape.text, escape.line)
            case EscapeKind.MAGIC:
                yield rules.MAGIC.finding(escape.text, escape.line)
            case EscapeKind.HELP:
                yield rules.HELP.finding(escape.text, escape.line)


def _encodings(source: str) -> Iterator[Finding]:
    for number, line in enumerate(source.split("\n")[:2], 1):
        declared = _ENCODING.match(line)
        if declared and declared[1].lower().replace("_", "-") not in _UTF8:
            yield rules.ENCODING.finding(declared[1], number)
