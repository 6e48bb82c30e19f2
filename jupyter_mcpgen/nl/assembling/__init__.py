"""From the phrases of a question to answers and their plans."""
