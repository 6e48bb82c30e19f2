"""The tool `run_anova`; see `tool.py`."""
