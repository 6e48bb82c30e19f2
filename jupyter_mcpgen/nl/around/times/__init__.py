"""Periods and years that a question compares, leaves out or names in two ways."""
