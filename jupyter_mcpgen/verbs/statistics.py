"""`stats`: what was generated, decided and called so far."""

from __future__ import annotations

from jupyter_mcpgen.model.usage import Metrics
from jupyter_mcpgen.registry.layout import Layout
from jupyter_mcpgen.registry.monitoring import Monitor
from jupyter_mcpgen.registry.store import Registry, utc_now
from jupyter_mcpgen.verbs.said import Said


def stats(registry: Registry) -> Said:
    """Show the metrics of a registry, and the calls of each of its tools."""
    metrics = Monitor(Layout(registry.root), utc_now).read()
    if metrics == Metrics():
        return Said(text="Nothing is counted yet. Ask a question first.")
    reasons = ", ".join(f"{reason} ({count})" for reason, count in metrics.rejection_reasons.items())
    rows = {
        "answers generated": f"{metrics.total_generated:,}",
        "approved": f"{metrics.approved:,}",
        "rejected": f"{metrics.rejected:,}",
        "reasons for rejections": reasons or "none",
        "mean time to generate": f"{metrics.avg_generation_time_ms:,.0f} ms",
        "failed validation": f"{metrics.validation_failure_rate:.1%}",
    }
    parts = [
        "\n".join(["| counted | figure |", "|---|---|", *(f"| {name} | {value} |" for name, value in rows.items())])
    ]
    if metrics.tools:
        lines = ["| tool | calls | errors | last used |", "|---|---|---|---|"]
        used = sorted(metrics.tools.items(), key=lambda each: (-each[1].calls, each[0]))
        lines += [f"| `{name}` | {use.calls:,} | {use.errors:,} | {use.last_used} |" for name, use in used]
        parts.append("\n".join(lines))
    return Said(text="\n\n".join(parts))
