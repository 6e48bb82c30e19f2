"""Superlatives, peaks and rankings, and which groups are kept of them."""
