"""The Jupyter server's part: pages hear what AI clients offer, look into the registry, and decide, without any kernel.

Every Jupyter server imports this module at its start, so nothing of the product is imported before a page comes, and
never FastMCP or pandas: a process of its own reads and decides.
"""

from __future__ import annotations

import json
import sys
import uuid
from asyncio import AbstractEventLoop, get_running_loop
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jupyter_server.auth.decorator import authorized, ws_authenticated
from jupyter_server.base.handlers import APIHandler, JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from jupyter_server.utils import ensure_async, url_path_join
from tornado import web
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from jupyter_mcpgen import __version__
from jupyter_mcpgen.lab.consent import ConsentChannel
from jupyter_mcpgen.lab.panel import PanelChannel
from jupyter_mcpgen.lab.wire import Page, Wire

if TYPE_CHECKING:
    from jupyter_server.serverapp import ServerApp

    from jupyter_mcpgen.lab.clerk_process import ClerkProcess
    from jupyter_mcpgen.registry.layout import Layout

RESOURCE = "mcpgen"
"""What an authorizer of the Jupyter server is asked about."""
SOCKETS = ("consents", "panel")
CLERK = (sys.executable, "-P", "-m", "jupyter_mcpgen.panel")
"""What decides for pages; without the current folder among the places of modules: it may be anybody's clone."""


class AboutHandler(APIHandler):
    """Tells a page that this part is here."""

    auth_resource = RESOURCE

    @web.authenticated
    @authorized
    async def get(self) -> None:
        """Say which version runs, and which sockets there are."""
        await self.finish(json.dumps({"version": __version__, "sockets": SOCKETS}))


class StandingHandler(APIHandler):
    """Tells a page how many decisions wait, and whether the MCP server runs."""

    auth_resource = RESOURCE

    @web.authenticated
    @authorized
    async def get(self) -> None:
        """Look at the registry, beside the server's own work."""
        from jupyter_mcpgen.lab.standing import standing_now  # deferred: loads pydantic

        standing = await get_running_loop().run_in_executor(None, standing_now)
        await self.finish(standing.model_dump_json())


class PageSocket(WebSocketMixin, WebSocketHandler, JupyterHandler):
    """One page that listens; it says and hears what it would say to a kernel."""

    auth_resource = RESOURCE

    def initialize(self, open_wire: Callable[[], Wire]) -> None:
        """Take what opens the way to all pages."""
        self._open_wire = open_wire
        self._id = uuid.uuid4().hex

    @ws_authenticated
    async def get(self, *args: Any, **kwargs: Any) -> None:
        """Let in who may decide."""
        may = await ensure_async(self.authorizer.is_authorized(self, self.current_user, "write", RESOURCE))
        if not may:
            raise web.HTTPError(403)
        await super().get(*args, **kwargs)

    def set_default_headers(self) -> None:
        """Set none: a socket is no page."""

    def open(self, *args: Any, **kwargs: Any) -> None:
        """Listen from now on."""
        super().open(*args, **kwargs)
        self._wire = self._open_wire()
        self._loop = get_running_loop()
        self._wire.join(self._id, Page(self._say, lambda: _from_elsewhere(self._loop, self.close)))

    def on_message(self, message: str | bytes) -> None:
        """Have what the page said carried out; what is no JSON is nobody's message."""
        try:
            data = json.loads(message)
        except ValueError:
            self.close(1003, "not JSON")
            return
        self._wire.accept(data, self._say)

    def on_close(self) -> None:
        """Forget the page."""
        super().on_close()
        self._wire.leave(self._id)

    def _say(self, data: Mapping[str, Any]) -> None:
        _from_elsewhere(self._loop, lambda: self._write(json.dumps(data)))

    def _write(self, text: str) -> None:
        with suppress(WebSocketClosedError):  # the page has gone, and is forgotten by then
            self.write_message(text)


def _from_elsewhere(loop: AbstractEventLoop, work: Callable[[], object]) -> None:
    with suppress(RuntimeError):  # the server has ended
        loop.call_soon_threadsafe(work)


class _Channels:
    """The channels of a server, each opened when the first page comes to it."""

    def __init__(self) -> None:
        self._process: ClerkProcess | None = None
        self._consents: ConsentChannel | None = None
        self._panel: PanelChannel | None = None

    def consents(self) -> Wire:
        """Return the way to the pages that hear of requests for consent."""
        if self._consents is None:
            from jupyter_mcpgen.lab.clerk_process import RemoteClerk  # deferred, as all below: loads pydantic
            from jupyter_mcpgen.lab.consent_messages import excuse

            clerk = RemoteClerk(self._clerks(), "consents", excuse)
            self._consents = ConsentChannel(lambda: clerk, _list_of_what_waits, Wire)
        return self._consents.wire

    def panel(self) -> Wire:
        """Return the way to the pages whose side panel is open."""
        if self._panel is None:
            from jupyter_mcpgen.lab.clerk_process import RemoteClerk
            from jupyter_mcpgen.lab.panel_messages import excuse

            self._panel = PanelChannel(RemoteClerk(self._clerks(), "panel", excuse), _what_a_panel_shows)
        return self._panel.wire

    def _clerks(self) -> ClerkProcess:
        if self._process is None:
            from jupyter_mcpgen.lab.clerk_process import ClerkProcess

            self._process = ClerkProcess(CLERK)
        return self._process


def _list_of_what_waits() -> Path:
    return _layout().staging_metadata


def _what_a_panel_shows() -> tuple[Path, ...]:
    """Return what changes with the registry, with each call of a tool, and when an MCP server starts or stops."""
    from jupyter_mcpgen.settings import state_folder

    layout, running = _layout(), state_folder() / "server" / "server.json"
    return layout.active_metadata, layout.staging_metadata, layout.audits, layout.metrics, running


def _layout() -> Layout:
    from jupyter_mcpgen.registry.layout import Layout
    from jupyter_mcpgen.settings import load_settings

    return Layout(load_settings().values.registry_path)


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(app: ServerApp) -> None:
    base, channels = app.web_app.settings["base_url"], _Channels()
    app.web_app.add_handlers(  # type: ignore[no-untyped-call]
        ".*$",
        [
            (url_path_join(base, "mcpgen", "about"), AboutHandler),
            (url_path_join(base, "mcpgen", "standing"), StandingHandler),
            (url_path_join(base, "mcpgen", "consents"), PageSocket, {"open_wire": channels.consents}),
            (url_path_join(base, "mcpgen", "panel"), PageSocket, {"open_wire": channels.panel}),
        ],
    )
