"""The tool `analyze_temporal_patterns`; see `tool.py`."""
