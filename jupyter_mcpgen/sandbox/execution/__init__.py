"""Code of a person, run once: its limits, its record and what is said of its end."""
