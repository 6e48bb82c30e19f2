import math

import pandas as pd

_NUMBER = r"\s*[-+]?(?:[0-9]+(?:[.,][0-9]+)*|[.][0-9]+)\s*[%€$£]?\s*"


def check_data_quality(df: pd.DataFrame) -> pd.DataFrame:
    """Look for what usually goes wrong in a table, column by column, and count the rows of each problem."""
    found = [("(whole row)", "repeated row", int(df.astype(str).duplicated().sum()))]
    for name in df.columns:
        found += [(str(name), problem, rows) for problem, rows in _problems(df[name])]
    problems = pd.DataFrame([each for each in found if each[2] > 0], columns=["column", "problem", "rows"])
    problems = problems.astype({"column": "str", "problem": "str", "rows": "int64"})
    problems["share"] = problems["rows"] / max(1, len(df))
    return problems.sort_values(["rows", "column", "problem"], ascending=[False, True, True], ignore_index=True)


def _problems(values: pd.Series) -> list[tuple[str, int]]:
    present = values.dropna()
    problems = [("missing value", len(values) - len(present))]
    if len(present) > 1 and present.astype(str).nunique() == 1:
        problems.append(("does not vary", len(present)))
    if pd.api.types.is_bool_dtype(values) or pd.api.types.is_datetime64_any_dtype(values):
        return problems
    if pd.api.types.is_numeric_dtype(values):
        return [*problems, ("infinite number", int((present.astype("float64").abs() == math.inf).sum()))]
    texts = present.astype(str)
    numbers = texts.str.fullmatch(_NUMBER)
    trimmed = texts.str.strip()
    folded = pd.DataFrame({"folded": trimmed.str.casefold(), "text": trimmed})
    spellings = folded.groupby("folded")["text"].transform("nunique")
    return [
        *problems,
        ("empty text", int((trimmed == "").sum())),
        ("blanks around the text", int(((trimmed != texts) & (trimmed != "")).sum())),
        ("text that is a number", int(numbers.sum())),
        ("same text in other capitals", int((spellings > 1).sum())),
    ]
