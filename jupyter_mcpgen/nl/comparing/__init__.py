"""Finds what a question compares its figures with, one file per kind of comparison."""
