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
    programs = metrics.programs
    if programs.runs:
        known = "" if programs.classified_rate is None else f", {programs.classified_rate:.0%} of a known kind"
        kinds = ", ".join(f"{kind} ({count})" for kind, count in programs.error_types.items())
        rows |= {
            "programs of clients": f"{programs.runs:,} runs, {programs.failures:,} failed{known}",
            "out of fuel": f"{programs.out_of_fuel_rate:.1%} of the runs",
            "kinds of failures": kinds or "none",
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
