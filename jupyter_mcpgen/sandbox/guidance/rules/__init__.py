"""The rules of error guidance: what is known of an ending, how standard error is read, and one table per language."""
