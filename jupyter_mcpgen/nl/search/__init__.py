"""The search for readings: a chart of phrases, and the cheapest ways to cover a question with them."""
