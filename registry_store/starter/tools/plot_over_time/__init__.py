"""The tool `plot_over_time`; see `tool.py`."""
