"""`synthesize`: a specification, or a wish in words, becomes files, which are shown before they are written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jupyter_mcpgen.build.builds import folder_of_person
from jupyter_mcpgen.build.synthesis.modelled import Wish
from jupyter_mcpgen.build.synthesis.synthesis import LANGUAGE, FromPrompt, FromSpecification
from jupyter_mcpgen.errors import SynthesisError
from jupyter_mcpgen.plan.visible import fenced
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.said import Proposal, Said
from jupyter_mcpgen.verbs.words import Typed, UsageError, split_options

_ENDINGS = (".json", ".yaml", ".yml")


def synthesize(words: Sequence[str], runtime: Runtime) -> Said:
    """Show what becomes of a specification or a wish, and write it if the person agrees: `synthesize SPEC|WISH`."""
    typed = split_options(words, ("template", "to"), ("yes",))
    if not typed.words:
        raise UsageError("What should be made? `synthesize SPEC`, a `.json` or `.yaml` file, or `synthesize WISH`.")
    made = _made(typed, runtime, is_preview="yes" not in typed.options)
    if "yes" in typed.options:
        return Said(text=_done(made))
    files = "\n\n".join(f"`{name}`:\n\n{fenced(text)}" for name, text in made.generated_files.items())

    def write() -> Said:
        # a model writes something else each time, so what was shown is what is written
        return Said(text=runtime.synthesis.write(made.generated_files, _folder(typed)))

    question = f"Write {len(made.generated_files)} of these to `{_folder(typed)}`?"
    return Said(text=f"{files}\n\n{_done(made)}", proposal=Proposal(question, write))


def _made(typed: Typed, runtime: Runtime, *, is_preview: bool) -> FromSpecification | FromPrompt:
    made: FromSpecification | FromPrompt
    if len(typed.words) == 1 and Path(typed.words[0]).suffix.casefold() in _ENDINGS:
        made = runtime.synthesis.from_specification(
            lambda: folder_of_person(typed.words[0]),
            LANGUAGE,
            lambda: _folder(typed),
            typed.options.get("template"),
            is_preview=is_preview,
        )
    elif "template" in typed.options:
        raise UsageError("`--template` goes with a specification, a `.json` or `.yaml` file.")
    else:
        made = runtime.synthesis.from_prompt(
            Wish(typed.text), LANGUAGE, lambda: _folder(typed), folder_of_person, is_preview=is_preview
        )
    if made.status == "failure":
        raise SynthesisError(made.error_message)
    return made


def _folder(typed: Typed) -> Path:
    return folder_of_person(typed.options.get("to") or ".")


def _done(made: FromSpecification | FromPrompt) -> str:
    return made.log_output if isinstance(made, FromSpecification) else made.explanation
