"""The tool `train_classifier`; see `tool.py`."""
