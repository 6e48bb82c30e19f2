"""How a question is said again: the text on its way, the words of a language, and the columns that words stand for."""
