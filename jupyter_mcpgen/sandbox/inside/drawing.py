"""Saves the figures that a tool left open, without a screen: they are files of the run, in its scratch folder.

Standard library only; the figures are saved by the matplotlib that the tool itself imported.
"""

from __future__ import annotations

import os
import shutil
import sys

MOST = 4
"""How many figures of one run are saved; those beyond are closed."""
DRAWS = "matplotlib"
"""The package that a tool was granted if it draws."""
_PYPLOT = "matplotlib.pyplot"
_SETTINGS = ".matplotlib"


def without_screen() -> None:
    """Have matplotlib draw into memory, and keep its list of fonts in the scratch folder."""
    os.environ |= {"MPLBACKEND": "Agg", "MPLCONFIGDIR": os.path.join(os.getcwd(), _SETTINGS)}


def save_figures(*, keeps: bool) -> None:
    """Save what is drawn, if it is to be kept, and close it: no figure is left for the next call."""
    pyplot = sys.modules.get(_PYPLOT)
    if pyplot is None:
        return
    try:
        for place, number in enumerate(pyplot.get_fignums()[: MOST if keeps else 0], 1):
            # without the version of the library in it, the same drawing is the same file
            pyplot.figure(number).savefig(f"figure-{place}.png", format="png", metadata={"Software": None})
    finally:
        pyplot.close("all")


def forget_fonts() -> None:
    """Remove the list of fonts, which is no file of the tool."""
    if _PYPLOT in sys.modules:
        shutil.rmtree(os.environ["MPLCONFIGDIR"], ignore_errors=True)
