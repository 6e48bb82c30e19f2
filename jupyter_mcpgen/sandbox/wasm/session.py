"""JavaScript that keeps its globals in WebAssembly: the guest runs in a process that is confined like any program.

So its workspace has a quota, its process limits, and a fault of the WebAssembly runtime is no fault of this process.
"""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from jupyter_mcpgen.errors import SessionError
from jupyter_mcpgen.sandbox.loops import Loop
from jupyter_mcpgen.sandbox.programs.languages import LANGUAGES
from jupyter_mcpgen.sandbox.programs.program import MEGABYTE
from jupyter_mcpgen.sandbox.wasm.artifacts import QUICKJS, located
from jupyter_mcpgen.sandbox.wasm.compiled import cache_folder, module
from jupyter_mcpgen.sandbox.wasm.inside.reactor import new_engine

LEAST_MEMORY_MB = 192
"""What keeps a guest takes some 100 MB for itself."""
_SHARE_OF_GUEST = 0.75
_COMPILED = "quickjs.cwasm"
_OURS = ("__init__.py", "loop.py", "reactor.py", "state.js")
_START = "import sys\nfrom inside.loop import main\nmain(sys.path[0], {memory_bytes})\n"


def require_session(language: str, memory_mb: int) -> None:
    """Raise `SessionError` or `RuntimeNotReady` when there can be no such session here."""
    if language != "javascript":
        raise SessionError(
            f"Sessions of `{language}` run in the `native` runtime only. Leave `runtime` out, or use `javascript`."
        )
    if memory_mb < LEAST_MEMORY_MB:
        raise SessionError(f"A session in WebAssembly needs at least {LEAST_MEMORY_MB} MB. Ask for more memory.")
    located(QUICKJS)


def quickjs_loop(memory_mb: int, cache: Path | None = None) -> Loop:
    """Return the program that keeps a guest; compiles QuickJS where that was not done before.

    Raises `RuntimeNotReady` where it is not installed, or is not the file it should be.
    """
    engine = new_engine()
    compiled = bytes(module(engine, QUICKJS, cache or cache_folder()).serialize())
    inside = files("jupyter_mcpgen.sandbox.wasm.inside")
    return Loop(
        cells=replace(LANGUAGES["javascript"], out_of_memory=("out of memory",)),
        written_in=LANGUAGES["python"],
        text=_START.format(memory_bytes=int(memory_mb * _SHARE_OF_GUEST) * MEGABYTE),
        beside={_COMPILED: compiled, **{f"inside/{name}": inside.joinpath(name).read_bytes() for name in _OURS}},
        workspace="/app",
    )
