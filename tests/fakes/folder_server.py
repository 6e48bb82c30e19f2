"""A whole server over a folder shelf, as a program: `python folder_server.py --http --registry … --state …`."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

# Started by path from anywhere, it uses the checkout it lies in.
sys.path.insert(0, str(Path(__file__).parents[2]))
runpy.run_module("tests.fakes.folder_shelf", run_name="__main__")
