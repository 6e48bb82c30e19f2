import re

import pandas as pd

_FORMS = {
    "email": r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+",
    "url": r"https?://[A-Za-z0-9./?=_&%#-]*[A-Za-z0-9/]",
    "date": r"\b[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])\b",
    "amount": r"(?:[$€£] ?[0-9][0-9,]*(?:\.[0-9]+)?|\b[0-9][0-9,]*(?:\.[0-9]+)? (?:USD|EUR|GBP)\b)",
}


def extract_structured_data(df: pd.DataFrame, column: str = "text") -> pd.DataFrame:
    """Find what is written in one of the known forms, and count in how many rows each value stands."""
    texts = df[column].dropna().astype(str)
    found = [
        (kind, value)
        for text in texts
        for kind, form in _FORMS.items()
        for value in sorted(set(re.findall(form, text, flags=re.ASCII)))
    ]
    values = pd.DataFrame(found, columns=["kind", "value"]).astype("str")
    counted = values.groupby(["kind", "value"], as_index=False).size().rename(columns={"size": "rows"})
    return counted.sort_values(["kind", "value"], ignore_index=True)
