"""Unpacks workbooks, archives and databases into one table that the reader of tables takes."""
