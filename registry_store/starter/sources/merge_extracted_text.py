import pandas as pd


def merge_extracted_text(
    df: pd.DataFrame, document_column: str = "document", order_column: str = "page", text_column: str = "text"
) -> pd.DataFrame:
    """Trim the pieces, drop the blank ones and those that the document has already, and join the rest in order."""
    pieces = pd.DataFrame(
        {
            "document": df[document_column],
            "order": df[order_column],
            "text": df[text_column].map(lambda text: str(text).strip(" \t\r\n"), na_action="ignore"),
        }
    ).dropna()
    pieces = pieces[pieces["text"] != ""].sort_values(["document", "order", "text"], kind="stable")
    pieces = pieces.drop_duplicates(["document", "text"])
    return pieces.groupby("document", as_index=False).agg(
        pieces=("text", "size"), text=("text", lambda texts: "\n".join(map(str, texts)))
    )
