"""The tool `find_outliers`; see `tool.py`."""
