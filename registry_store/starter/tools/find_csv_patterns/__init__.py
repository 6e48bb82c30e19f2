"""The tool `find_csv_patterns`; see `tool.py`."""
