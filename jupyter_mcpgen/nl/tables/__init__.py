"""What tables are like beyond their types: numbers written as text, rows of totals, flags, several dates."""
