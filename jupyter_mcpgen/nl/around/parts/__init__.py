"""Shares, rates, totals and differences, and what missing values do to them."""
