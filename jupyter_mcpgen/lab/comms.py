"""The pages of one kernel: each opens a comm, which is answered on a subshell beside the user's cell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import comm

from jupyter_mcpgen.lab.subshells import answer_while_busy
from jupyter_mcpgen.lab.wire import AtOnce, Page, Serve, Wire, not_at_once, nothing


class CommWire(Wire):
    """The pages that open one comm target of this kernel; `close` takes the target away."""

    def __init__(
        self, target: str, serve: Serve, opened: Callable[[], None] = nothing, at_once: AtOnce = not_at_once
    ) -> None:
        super().__init__(target, serve, opened, at_once)
        self._target = target
        self._manager = comm.get_comm_manager()
        self._manager.register_target(target, self._comm_opened)

    def close(self) -> None:
        """Stop listening and tell the pages; work already accepted is carried out first."""
        if self._manager.targets.get(self._target) == self._comm_opened:
            self._manager.unregister_target(self._target, self._comm_opened)
        super().close()

    def _comm_opened(self, opened: Any, message: dict[str, Any]) -> None:
        answer_while_busy(opened)
        opened.on_msg(lambda message: self.accept(message["content"]["data"], opened.send))
        opened.on_close(lambda message: self.leave(opened.comm_id))
        if message["content"]["data"]:
            self.accept(message["content"]["data"], opened.send)
        self.join(opened.comm_id, Page(opened.send, opened.close))
