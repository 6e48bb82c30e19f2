"""Products that were asked for and not made: "sales times margin" is no average of the one beside that of the other."""

from __future__ import annotations

from jupyter_mcpgen.model.profile import Profile
from jupyter_mcpgen.nl.everyday.saying.speech import Speech, table_of
from jupyter_mcpgen.nl.reading import Answered, Refused, Understanding
from jupyter_mcpgen.plan.expressions import Arithmetic
from jupyter_mcpgen.plan.ops import Derive


def refusing_unmade_products(meant: Understanding, question: str, profile: Profile, language: str) -> Understanding:
    """Refuse a meaning without a calculation where words of two columns are multiplied."""
    if not isinstance(meant, Answered):
        return meant
    if any(isinstance(step, Derive) and isinstance(step.expression, Arithmetic) for step in meant.winner.plan.steps):
        return meant
    table = table_of(profile, language)
    for found in Speech(question).find_all(table.wording("product_said")):
        named = [table.context.columns_with(table.context.plain(found.folded(side))) for side in ("one", "other")]
        if all(named):
            return Refused(
                f"I could not read “{found.text}” as a product of two columns. Write the column names in backticks.",
                words=(found["sign"],),
            )
    return meant
