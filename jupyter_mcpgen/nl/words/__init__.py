"""The words of a language: tokens, their forms, what they are short for, and what the lexicon says of them."""
