"""The tool `plot_relationship`; see `tool.py`."""
