"""`python -m jupyter_mcpgen.server`: the server process that kernels and clients start."""

from __future__ import annotations

import os
import sys

from jupyter_mcpgen.server.greeting import Wire, greeted


def _serve() -> int:
    from jupyter_mcpgen import warming  # deferred: a process that joins another server imports none of this

    warming.begin()  # its processes import pandas while this one imports the rest

    from jupyter_mcpgen.server.compose import open_served  # takes seconds, a client does not wait so long
    from jupyter_mcpgen.server.serve import main

    return main(sys.argv[1:], open_served)


def _join_or_serve(wire: Wire) -> int:
    from jupyter_mcpgen.server.joining import joined  # deferred: the first message is answered meanwhile

    return 0 if joined(sys.argv[1:], wire) else _serve()


if __name__ == "__main__":
    os.environ["FASTMCP_ENV_FILE"] = os.devnull  # else it would take settings from a file of the folder it stands in
    if "--stdio" in sys.argv[1:]:
        with greeted() as between:
            code = _join_or_serve(between)
    else:
        code = _serve()
    sys.exit(code)
