"""The tool `explore_data`; see `tool.py`."""
