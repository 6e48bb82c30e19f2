"""`python -m jupyter_mcpgen.server`: the server process that kernels and clients start."""

from __future__ import annotations

import sys

from jupyter_mcpgen.server.compose import open_served
from jupyter_mcpgen.server.serve import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], open_served))
