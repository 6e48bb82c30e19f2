"""`python -m jupyter_mcpgen.server`: the server process that kernels and clients start."""

from __future__ import annotations

import sys
from contextlib import nullcontext

from jupyter_mcpgen import warming
from jupyter_mcpgen.server.greeting import greeted

if __name__ == "__main__":
    with greeted() if "--stdio" in sys.argv[1:] else nullcontext():
        warming.begin()  # its processes import pandas while this one imports the rest

        from jupyter_mcpgen.server.compose import open_served  # deferred: takes seconds, a client does not wait so long
        from jupyter_mcpgen.server.serve import main

        code = main(sys.argv[1:], open_served)
    sys.exit(code)
