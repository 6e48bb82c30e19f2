"""A second reader: looks up cells by the values and column names that stand in a question."""
