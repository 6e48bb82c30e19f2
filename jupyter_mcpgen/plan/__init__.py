"""The table language: typed steps over one source, checked when built, emitted to pandas and DuckDB."""
