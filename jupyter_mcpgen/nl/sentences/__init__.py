"""The sentences beside a question: which rows it is about, what is done to them first, and how it is judged."""
