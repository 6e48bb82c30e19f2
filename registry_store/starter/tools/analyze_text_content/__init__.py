"""The tool `analyze_text_content`; see `tool.py`."""
