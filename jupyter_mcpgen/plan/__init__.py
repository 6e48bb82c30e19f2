"""The table language: typed steps over one source or two, checked when built, emitted to pandas and DuckDB."""
