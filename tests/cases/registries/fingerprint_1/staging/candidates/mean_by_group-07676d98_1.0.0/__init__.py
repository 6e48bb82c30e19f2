"""The tool `mean_by_group`; see `tool.py`."""
