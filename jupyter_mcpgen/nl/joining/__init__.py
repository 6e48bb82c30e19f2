"""Questions over two tables: which rows come together, by which key, and what is asked of them."""
