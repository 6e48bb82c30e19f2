"""The chart parser: leaves of a question, the rules that join them, and the cheapest covers."""
