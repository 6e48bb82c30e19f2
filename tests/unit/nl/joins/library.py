"""Two tables: what a tool library lent, and who borrowed it."""

from __future__ import annotations

from functools import cache

import pandas as pd

from jupyter_mcpgen.data.profile import profile
from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.door import understand
from jupyter_mcpgen.nl.reading import Understanding
from jupyter_mcpgen.plan.plan import Plan
from jupyter_mcpgen.toolkit.pairs import allow_missing
from tests.engines import run_duckdb, run_pandas


@cache
def frames() -> dict[str, pd.DataFrame]:
    """Return rentals, of which one is of nobody who is known, and borrowers, of whom one rented nothing."""
    rentals = pd.DataFrame(
        {
            "rental_id": range(1, 13),
            "borrower_id": [1, 1, 2, 3, 1, 2, 9, 3, 2, 1, 3, 3],
            "tool": [
                "drill",
                "saw",
                "drill",
                "plane",
                "saw",
                "drill",
                "saw",
                "plane",
                "drill",
                "saw",
                "plane",
                "drill",
            ],
            "deposit": [5.0, 10.0, 5.0, 8.0, 10.0, 5.0, 10.0, 8.0, 5.0, 10.0, 8.0, 5.0],
            "status": ["open", "closed", "closed", "open"] * 3,
            "rented_on": pd.to_datetime(["2023-01-05", "2023-02-07", "2023-11-20", "2024-01-11"] * 3),
        }
    )
    borrowers = pd.DataFrame(
        {
            "borrower_id": [1, 2, 3, 4],
            "name": ["Ada", "Bo", "Cy", "Di"],
            "village": ["Moor", "Fenn", "Moor", "Holt"],
            "yearly_dues": [20, 30, 40, 50],
        }
    )
    return {"rentals": rentals, "borrowers": borrowers}


@cache
def table(name: str) -> Profile:
    """Return the profile of one of them."""
    return profile(name, frames()[name])


def asked(question: str, first: str = "rentals", earlier: tuple[str, Plan] | None = None) -> Understanding:
    """Return what a question means where both tables are known, and one of them was meant."""
    other = next(name for name in frames() if name != first)
    return understand(question, table(first), "en", earlier, table(other))


def computed(plan: Plan) -> pd.DataFrame:
    """Return the rows of a plan, which both engines agree on."""
    first = frames()[plan.source]
    other = frames()[plan.second.other] if plan.second is not None else None
    made = run_pandas(plan, first, other=allow_missing(other) if other is not None else None)
    reference = run_duckdb(plan, first, other)
    assert made.astype(str).to_numpy().tolist() == reference.astype(str).to_numpy().tolist()
    return made
