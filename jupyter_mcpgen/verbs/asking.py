"""`ask`: a question in plain words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jupyter_mcpgen.data.references import snapshot_notes
from jupyter_mcpgen.model.validation import is_sound
from jupyter_mcpgen.pipeline.flow import Reused, Staged
from jupyter_mcpgen.pipeline.present import evidence_sentence
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.finding import find_table
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import UsageError, split_options


def ask(words: Sequence[str], runtime: Runtime, namespace: Mapping[str, object]) -> Said:
    """Answer a question: `[--data NAME|PATH] [--name TOOL] question`."""
    typed = split_options(words, ("data", "name"))
    if not typed.words:
        raise UsageError("Ask a question after `ask`, for example `how many rows are there by month in df`.")
    found = find_table(typed.text, typed.options.get("data"), namespace)
    reference = runtime.reference(found.name, found.variable)
    match runtime.ask(found.question, reference, typed.options.get("name")):
        case Staged(card):
            return Said(card=card)
        case Reused(reuse, reading, trial):
            notes = (*reuse.assumptions, *snapshot_notes(reference))
            assumed = "".join(f"\n\nAssumed: {note}" for note in notes)
            arguments = ", ".join(f"{name}={value!r}" for name, value in reuse.arguments.items())
            text = (
                f"**{reading}**\n\nYou already have this: `{reuse.tool.name}` v{reuse.tool.version}, used with "
                f"{arguments or 'no parameters'}. {evidence_sentence(trial.evidence)}{assumed}\n\n"
                f"In Python: `tools.{reuse.tool.name}(data{', ' + arguments if arguments else ''})`"
            )
            return Said(text=text, frame=trial.result, ok=is_sound(trial.evidence))
