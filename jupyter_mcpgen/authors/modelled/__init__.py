"""The author that asks a language model: its prompts, what they show of the data, and what becomes of the replies."""
