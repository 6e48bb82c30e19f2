"""A worker of its own: a fresh interpreter that becomes the supervisor of one job.

Started as `python -I -S -c START <folder of the sandbox> <result> <status> <hold> <pid of the host> <how to begin>`.
Standard library only, loaded as `inside` without the rest of jupyter_mcpgen: nothing here imports anything but its
siblings, by relative name.
"""

from __future__ import annotations

import json
import os
import sys
from typing import NoReturn

from .confinement import Preparation
from .fields import Fields
from .supervisor import Channels, serve
from .zygote import load, opened

START = "import sys; sys.path.insert(0, sys.argv[1]); from inside.worker import main; del sys.path[0]; main()"


def main() -> NoReturn:
    """Import what was asked for, which is mostly nothing, and serve one job."""
    result, status, hold = map(int, sys.argv[2:5])
    host = int(sys.argv[5])
    start = json.loads(sys.argv[6])
    try:
        death = opened(host)
        load(start["libraries"], start["paths"])
        serve(
            Channels(0, 1, 2, result, status, hold), death, Preparation.from_fields(Fields(start["preparation"])), host
        )
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}".encode())
        os._exit(1)
