"""`synthesize`: a specification becomes files, which are shown before they are written."""

from __future__ import annotations

from collections.abc import Sequence

from jupyter_mcpgen.build.builds import folder_of_person
from jupyter_mcpgen.build.synthesis.synthesis import LANGUAGE, FromSpecification
from jupyter_mcpgen.errors import SynthesisError
from jupyter_mcpgen.plan.visible import fenced
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.said import Proposal, Said
from jupyter_mcpgen.verbs.words import UsageError, split_options


def synthesize(words: Sequence[str], runtime: Runtime) -> Said:
    """Show what a specification becomes, and write it if the person agrees: `synthesize SPEC [--template NAME]`."""
    typed = split_options(words, ("template", "to"), ("yes",))
    if len(typed.words) != 1:
        raise UsageError("Which specification? `synthesize SPEC`, a `.json` or `.yaml` file.")

    def made(*, is_preview: bool) -> FromSpecification:
        found = runtime.synthesis.from_specification(
            lambda: folder_of_person(typed.words[0]),
            LANGUAGE,
            lambda: folder_of_person(typed.options.get("to") or "."),
            typed.options.get("template"),
            is_preview=is_preview,
        )
        if found.status == "failure":
            raise SynthesisError(found.error_message)
        return found

    if "yes" in typed.options:
        return Said(text=made(is_preview=False).log_output)
    shown = made(is_preview=True)
    files = "\n\n".join(f"`{name}`:\n\n{fenced(text)}" for name, text in shown.generated_files.items())
    question = f"Write {len(shown.generated_files)} files?"
    write = Proposal(question, lambda: Said(text=made(is_preview=False).log_output))
    return Said(text=f"{files}\n\n{shown.log_output}", proposal=write)
