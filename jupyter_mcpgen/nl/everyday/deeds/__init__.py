"""What verbs say: what was done, by whom, how much of it, and what was not."""
