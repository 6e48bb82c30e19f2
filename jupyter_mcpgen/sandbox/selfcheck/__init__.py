"""Proves what the sandbox enforces, by attacking it."""
