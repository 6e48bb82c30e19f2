"""Questions over two tables: which table each phrase is of, and how the rows of the two come together."""
