"""The tool `load_and_analyze_csv`; see `tool.py`."""
