"""Follow-ups: what the words of a new question change of the answer before it."""
