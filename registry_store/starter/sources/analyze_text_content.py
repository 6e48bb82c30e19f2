import re

import pandas as pd


def analyze_text_content(df: pd.DataFrame, column: str = "text", shortest_word: int = 3) -> pd.DataFrame:
    """Take the words out of the texts, in lower case, and count how often each occurs and in how many rows."""
    texts = df[column].dropna().astype(str)
    words = [(row, word) for row, text in enumerate(texts) for word in re.findall(r"[^\W\d_]+", text.lower())]
    found = pd.DataFrame([pair for pair in words if len(pair[1]) >= shortest_word], columns=["row", "word"])
    counted = found.groupby("word", as_index=False).agg(times=("row", "size"), rows=("row", "nunique"))
    counted = counted.astype({"word": "str", "times": "int64", "rows": "int64"})
    return counted.sort_values(["times", "word"], ascending=[False, True], ignore_index=True)
