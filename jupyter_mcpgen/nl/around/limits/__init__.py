"""Limits: what they are compared with, and before or after it is added up."""
