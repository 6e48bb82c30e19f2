"""Whether an answer is of the kind that was asked for."""
