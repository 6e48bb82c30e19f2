"""Columns that a question computes before anything else: times between dates, figures that rows are compared with."""
