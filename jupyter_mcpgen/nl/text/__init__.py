"""The text of a question: its words and what forms they have."""
