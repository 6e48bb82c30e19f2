"""The tool `sum_by_group`; see `tool.py`."""
