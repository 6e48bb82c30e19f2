"""The tool that asks the linters, as the sandbox runs it; nothing of the product imports it."""
