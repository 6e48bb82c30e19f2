"""The tool `plot_correlation_heatmap`; see `tool.py`."""
