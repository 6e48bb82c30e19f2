"""The tool `gap_to_largest`; see `tool.py`."""
