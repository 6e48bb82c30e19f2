"""Dates, periods, ages and durations in everyday words."""
