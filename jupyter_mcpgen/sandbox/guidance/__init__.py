"""What to do about an execution that failed; rules only."""
