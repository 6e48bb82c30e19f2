"""Plans that nobody wrote: drawn at random from what the plan language can say, and frozen in files.

`python -m benchmarks.drawn_plans SEED` draws the plans of a seed and prints them.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from jupyter_mcpgen.plan.faults import faults_of
from jupyter_mcpgen.plan.plan import Plan
from tests.plans import schema_of
from tests.statistic_plans import samples_with_statistics
from tests.strategies.plans import plans
from tests.strategies.two_tables import two_tables_with_plans

FOLDER = Path(__file__).parent / "drawn"
COLUMNS = {
    "parcels": "integer",
    "weight": "real",
    "fee": "real",
    "city": "text",
    "carrier": "text",
    "sent": "date",
    "insured": "boolean",
}
SEEDS = (1, 2)
"""The seeds whose plans are frozen."""
EXAMPLES = 1_500
"""How many plans of each kind are drawn, of which some are taken."""
FEWEST_FAULTS = 5
"""How many faults a plan can have at least, unless it is a statistic."""


def draw(number: int) -> list[Plan]:
    """Draw 48 plans, no two of the same steps: 30 over one table, 10 over two, and 8 statistics."""
    return [
        *_some(plans(schema_of(COLUMNS)), number, 30, FEWEST_FAULTS),
        *_some(two_tables_with_plans().map(lambda drawn: drawn[2]), number, 10, FEWEST_FAULTS),
        *_some(samples_with_statistics().map(lambda drawn: drawn[1]), number, 8, 1),
    ]


def _some(drawn: st.SearchStrategy[Plan], number: int, count: int, fewest: int) -> list[Plan]:
    found: dict[tuple[str, ...], Plan] = {}

    @seed(number)
    @settings(
        max_examples=EXAMPLES,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(drawn)
    def take(plan: Plan) -> None:
        kinds = (type(plan.second).__name__, *(step.kind for step in plan.steps))
        if kinds not in found and len(faults_of(plan)) >= fewest:
            found[kinds] = plan

    take()
    return random.Random(number).sample(list(found.values()), count)


def frozen(number: int) -> Iterator[tuple[str, Plan]]:
    """Yield the plans that were drawn from a seed, by name."""
    for place, tree in enumerate(json.loads((FOLDER / f"{number}.json").read_text(encoding="utf-8")), 1):
        yield f"drawn {number}.{place}", Plan.model_validate(tree)


if __name__ == "__main__":
    lines = [json.dumps(plan.model_dump(mode="json"), ensure_ascii=False) for plan in draw(int(sys.argv[1]))]
    sys.stdout.write("[\n" + ",\n".join(lines) + "\n]\n")
