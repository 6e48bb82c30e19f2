import pandas as pd


def find_csv_patterns(df: pd.DataFrame, column: str = "order_id") -> pd.DataFrame:
    """Write each text of the column as its pattern (digits as 9, letters as A) and count the rows of each pattern."""
    texts = df[column].dropna().astype(str)
    patterns = texts.str.replace(r"[0-9]+", "9", regex=True).str.replace(r"[A-Za-z]+", "A", regex=True)
    found = (
        pd.DataFrame({"pattern": patterns, "text": texts})
        .groupby("pattern", as_index=False)
        .agg(rows=("text", "size"), different_values=("text", "nunique"), example=("text", "min"))
    )
    found["share"] = found["rows"] / len(texts)
    return found.sort_values(["rows", "pattern"], ascending=[False, True], ignore_index=True)
