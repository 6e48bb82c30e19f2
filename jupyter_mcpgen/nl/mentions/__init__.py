"""Where a question mentions what is in the table: its columns, its values, its rows."""
