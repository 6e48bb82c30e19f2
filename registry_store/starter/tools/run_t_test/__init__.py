"""The tool `run_t_test`; see `tool.py`."""
