"""People and things with several rows: what each of them has, had or lacks."""
