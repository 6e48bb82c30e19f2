"""The tool `run_automated_tests`; see `tool.py`."""
