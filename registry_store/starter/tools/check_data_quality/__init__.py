"""The tool `check_data_quality`; see `tool.py`."""
