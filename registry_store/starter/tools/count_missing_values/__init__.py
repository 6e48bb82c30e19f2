"""The tool `count_missing_values`; see `tool.py`."""
