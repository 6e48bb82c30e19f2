"""The process that answers the side panel and decides for pages without a kernel; the Jupyter server starts it."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from jupyter_mcpgen.lab.clerk_process import Clerk, serve_parent
from jupyter_mcpgen.lab.consent_clerk import ConsentsClerk, RuntimeDesk
from jupyter_mcpgen.lab.panel_clerk import PanelClerk
from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.panel.desk import RuntimePanel
from jupyter_mcpgen.runtime import current


def _clerks() -> Mapping[str, Clerk]:
    consents = ConsentsClerk(lambda: RuntimeDesk(current(), Face.PANEL))
    return {"consents": consents, "panel": PanelClerk(lambda: RuntimePanel(current()))}


if __name__ == "__main__":
    sys.exit(serve_parent(_clerks))
