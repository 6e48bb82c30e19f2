"""Opens the configured registry, sandbox and built-in tools for a server process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jupyter_mcpgen.runtime import Runtime, build
from jupyter_mcpgen.sandbox.sessions.sessions import Sessions
from jupyter_mcpgen.server.calling import started_in
from jupyter_mcpgen.server.data_folders import DataFolders, only_open_data, working_folder
from jupyter_mcpgen.server.serve import Served
from jupyter_mcpgen.server.shelf import RegistryShelf
from jupyter_mcpgen.settings import jupyter_folder, load_settings, state_folder
from jupyter_mcpgen.tools.families import offers

LOOK_SECONDS = 60.0


@contextmanager
def open_served(registry: Path | None, state: Path) -> Iterator[Served]:
    """Open the registry at a path, or the configured one, with the settings of this machine and a server's state.

    Raises `SandboxUnavailable` before anything is served when no tool could run.
    """
    overrides = {} if registry is None else {"registry.path": registry}
    runtime = build(load_settings(overrides=overrides).values)
    sandbox = runtime.sandbox  # warms up while the client connects
    try:
        with expiring(runtime.sessions):
            run = only_open_data(runtime.call_tool, data_folders(runtime, state))
            beyond = runtime.settings.server.search_beyond
            yield Served(RegistryShelf(runtime.registry, run), offers(runtime), beyond)
    finally:
        runtime.builds.close()
        sandbox.close()


@contextmanager
def expiring(sessions: Sessions, every: float = LOOK_SECONDS) -> Iterator[None]:
    """Destroy idle sessions for as long as the block lasts, also when nobody calls, and all of them at its end."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(every):
            sessions.expire()

    looking = threading.Thread(target=look, name="mcpgen-sessions", daemon=True)
    looking.start()
    try:
        yield
    finally:
        over.set()
        looking.join()
        sessions.close()


def data_folders(runtime: Runtime, state: Path) -> DataFolders:
    """Return the folders whose files a client may name; those that a person used are remembered in a state folder."""
    configured = runtime.settings.server.data_folders
    jupyter = tuple(jupyter_folder(kind) for kind in ("config", "data", "runtime"))
    return DataFolders(
        whole=(*configured, *working_folder(Path.cwd(), Path.home())),
        closed=(runtime.registry.root, state_folder(), state, *jupyter),
        state=state,
        started_in=started_in,
    )
