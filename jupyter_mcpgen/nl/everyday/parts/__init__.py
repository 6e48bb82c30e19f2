"""Rates, percentages and parts, and the two sides of yes and no."""
