"""Readers of what is asked of things by all of their rows: those without a row of a kind, and with so many of them."""
