"""Ask a question of your data in a notebook, check the evidence, keep the answer as a validated MCP tool."""

__version__ = "0.1.0"
