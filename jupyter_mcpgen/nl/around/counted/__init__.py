"""Rows, pieces or amounts: which of them a figure counts or adds up."""
