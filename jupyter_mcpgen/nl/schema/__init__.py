"""What a table is, inferred once from its profile, and where a question mentions its columns and values."""
