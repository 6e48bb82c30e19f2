"""Logistic regression that predicts a column of classes from number columns, tested on held-out rows."""

from collections.abc import Sequence
import numpy as np
from scipy.optimize import minimize
from typing import Annotated

import pandas as pd
from fastmcp import FastMCP
from helpers import load_csv_data_with_types, validate_file_and_columns
from pydantic import Field

mcp = FastMCP("train_classifier")


def analyze(
    df: pd.DataFrame,
    target: str = "status",
    features: Sequence[str] = ("delivery_days", "price", "units"),
    penalty: float = 1.0,
    fewest_rows: int = 10,
) -> dict[str, object]:
    """Fit a logistic regression with a ridge penalty on four of five rows, and count how often it is right on the rest."""
    used = df[[*features, target]].replace([np.inf, -np.inf], np.nan).dropna()
    classes = used[target].astype(str)
    sizes = classes.value_counts()
    classes = classes[classes.map(sizes) >= fewest_rows]
    used = used.loc[classes.index]
    labels = sorted(classes.unique())
    report = {"target": target, "features": list(features), "rows_in": len(df), "rows_used": len(used)}
    if len(labels) < 2:
        return {**report, "note": f"Nothing was trained: fewer than two classes have {fewest_rows} rows."}
    table = used[list(features)].astype("float64").assign(_class=classes)
    table = table.sort_values(["_class", *features], kind="stable")
    held = np.arange(len(table)) % 5 == 2
    numbers = table[list(features)].to_numpy()
    truth = np.searchsorted(labels, table["_class"].to_numpy(dtype=str))
    middle, spread = numbers[~held].mean(axis=0), numbers[~held].std(axis=0)
    constant = [name for name, each in zip(features, spread, strict=True) if each == 0]
    scaled = (numbers - middle) / np.where(spread == 0, 1, spread)
    weights = _fitted(scaled[~held], truth[~held], len(labels), penalty)
    guessed = _scores(scaled, weights).argmax(axis=1)
    usual = np.bincount(truth[~held]).argmax()
    return {
        **report,
        "classes": labels,
        "rows_trained": int((~held).sum()),
        "rows_tested": int(held.sum()),
        "accuracy": _figure((guessed == truth)[held].mean()),
        "accuracy_of_commonest_class": _figure((truth[held] == usual).mean()),
        "per_class": [_class(label, n, guessed[held], truth[held]) for n, label in enumerate(labels)],
        "weights": {
            label: {name: _figure(weights[n + 1, k]) for n, name in enumerate(features)}
            for k, label in enumerate(labels)
        },
        "note": f"These columns do not vary: {', '.join(constant)}." if constant else "",
    }


def _scores(scaled: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return weights[0] + scaled @ weights[1:]


def _fitted(scaled: np.ndarray, truth: np.ndarray, classes: int, penalty: float) -> np.ndarray:
    shape = (scaled.shape[1] + 1, classes)
    wanted = np.eye(classes)[truth]
    whole = np.column_stack([np.ones(len(scaled)), scaled])

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        weights = flat.reshape(shape)
        scores = whole @ weights
        scores = scores - scores.max(axis=1, keepdims=True)
        logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
        slope = whole.T @ (np.exp(logs) - wanted) + penalty * weights
        value = -(wanted * logs).sum() + penalty * (weights**2).sum() / 2
        return value, slope.ravel()

    return minimize(loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B").x.reshape(shape)


def _class(label: str, number: int, guessed: np.ndarray, truth: np.ndarray) -> dict[str, object]:
    right = int(((guessed == number) & (truth == number)).sum())
    said, there = int((guessed == number).sum()), int((truth == number).sum())
    return {
        "class": label,
        "rows": there,
        "precision": _figure(right / said) if said else None,
        "recall": _figure(right / there) if there else None,
    }


def _figure(number: float) -> float:
    return round(float(number), 4)


@mcp.tool()
def train_classifier(
    file_path: Annotated[str, Field(description="Path of the table: CSV, Parquet, Arrow, JSON or a workbook.")],
    target: Annotated[str, Field(description="Target.")] = "status",
    features: Annotated[Sequence[str], Field(description="Features.")] = ("delivery_days", "price", "units"),
    penalty: Annotated[float, Field(description="Penalty.")] = 1.0,
    fewest_rows: Annotated[int, Field(description="Fewest rows.")] = 10,
) -> dict[str, object]:
    """Logistic regression that predicts a column of classes from number columns, tested on held-out rows.

    WHEN TO USE THIS TOOL:
    To get this: Logistic regression that predicts a column of classes from number columns, tested on held-out rows.

    WHAT THIS TOOL DOES:
    Fit a logistic regression with a ridge penalty on four of five rows, and count how often it is right on the
    rest.

    RETURNS:
    A value of the type `dict[str, object]`.

    PREREQUISITES:
    The file exists and can be read as a table.
    """
    validate_file_and_columns(file_path, [])
    df = load_csv_data_with_types(file_path)
    return analyze(df, target=target, features=list(features), penalty=penalty, fewest_rows=fewest_rows)


if __name__ == "__main__":
    mcp.run()
