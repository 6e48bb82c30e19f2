"""Readers around the others: each takes its words out, has the rest read, and completes or judges what it means."""
