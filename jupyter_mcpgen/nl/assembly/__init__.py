"""From what a question asks for to plans."""
