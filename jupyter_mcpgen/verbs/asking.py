"""`ask`: a question in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from jupyter_mcpgen.data.references import snapshot_notes
from jupyter_mcpgen.errors import AskedBack
from jupyter_mcpgen.model.request import DataKind
from jupyter_mcpgen.model.validation import is_sound
from jupyter_mcpgen.pipeline.flow import Reused, Staged
from jupyter_mcpgen.pipeline.present import evidence_sentence
from jupyter_mcpgen.plan.english import say_plan
from jupyter_mcpgen.runtime import Runtime, state_folder
from jupyter_mcpgen.server.data_folders import remember
from jupyter_mcpgen.verbs.finding import find_table
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import UsageError, split_options


def why(words: Sequence[str], runtime: Runtime, namespace: Mapping[str, object]) -> Said:
    """Say how a question is understood, or with no words the latest one: `why [--data NAME|PATH] [QUESTION]`."""
    typed = split_options(words, ("data",))
    if not typed.words and runtime.latest_table is None:
        raise UsageError("There is no question yet. Ask one, or write it after `why`.")
    found = find_table(typed.text, typed.options.get("data"), namespace, runtime.latest_table)
    told = runtime.why(runtime.reference(found.name, found.variable), found.question if typed.words else None)
    readings = "\n".join(f"| {each.cost:.2f} | {each.reading} |" for each in told.readings)
    taken = "\n".join(f"| {each.words} | {each.meaning} | {each.cost:.2f} |" for each in told.taken)
    parts = [
        f"**{told.outcome}**{': ' + told.message if told.message else ''}",
        f"Readings, with their cost in certainty (0 is sure):\n\n| cost | reading |\n|---|---|\n{readings}",
        f"What the words may mean:\n\n| words | meaning | cost |\n|---|---|---|\n{taken}",
    ]
    return Said(text="\n\n".join(parts))


def ask(words: Sequence[str], runtime: Runtime, namespace: Mapping[str, object]) -> Said:
    """Answer a question: `[--data NAME|PATH] [--name TOOL] question`."""
    typed = split_options(words, ("data", "name"))
    if not typed.words:
        raise UsageError("Ask a question after `ask`, for example `how many rows are there by month in df`.")
    found = find_table(typed.text, typed.options.get("data"), namespace, runtime.latest_table)
    reference = runtime.reference(found.name, found.variable)
    if reference.kind is DataKind.FILE:
        remember(state_folder() / "server", file=Path(reference.path))
    try:
        done = runtime.ask(found.question, reference, typed.options.get("name"))
    except AskedBack as asked:
        return Said(
            text=f"{asked} Or `pick` one of them by its number.", question=runtime.question(asked.question_id), ok=False
        )
    match done:
        case Staged(card):
            return Said(card=card)
        case Reused(reuse, plan, trial):
            notes = (*reuse.assumptions, *snapshot_notes(reference))
            assumed = "".join(f"\n\nAssumed: {note}" for note in notes)
            arguments = ", ".join(f"{name}={value!r}" for name, value in reuse.arguments.items())
            text = (
                f"**{say_plan(plan)}**\n\nYou already have this: `{reuse.tool.name}` v{reuse.tool.version}, used with "
                f"{arguments or 'no parameters'}. {evidence_sentence(trial.evidence)}{assumed}\n\n"
                f"In Python: `tools.{reuse.tool.name}(data{', ' + arguments if arguments else ''})`"
            )
            return Said(text=text, frame=trial.result, ok=is_sound(trial.evidence))
