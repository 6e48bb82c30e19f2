"""The tool `plot_correlations`; see `tool.py`."""
