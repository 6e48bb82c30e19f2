"""The server as a program that waits for no other server: `python impatient_server.py --stdio --registry …`."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

# Started by path from anywhere, it uses the checkout it lies in.
sys.path.insert(0, str(Path(__file__).parents[2]))

from jupyter_mcpgen.server import joining

joining.RETURN_SECONDS = 0.5
runpy.run_module("jupyter_mcpgen.server", run_name="__main__")
