"""The tool `extract_structured_data`; see `tool.py`."""
