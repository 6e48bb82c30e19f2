"""The tool `merge_extracted_text`; see `tool.py`."""
