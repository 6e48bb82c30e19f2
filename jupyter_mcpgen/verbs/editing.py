"""`edit`: the code of an answer, for a person to change, and the answer by the changed code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.deciding import picked
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import UsageError, split_options

HOW = (
    "Change the code and run it: in a notebook in the next cell, in a terminal with "
    "`jupyter mcpgen edit {card_id} FILE`."
)


def edit(words: Sequence[str], runtime: Runtime, namespace: Mapping[str, object]) -> Said:
    """Give the code of an answer to change, or answer by changed code: `edit ID|NAME [FILE|CODE]`."""
    typed = split_options(words, (), leading=True)
    if not typed.words:
        raise UsageError("Which answer? `edit ID`. `list` shows the pending answers and the tools.")
    named, *rest = typed.text.split(maxsplit=1)
    card_id = runtime.card_named(named).card_id
    if not rest:
        return Said(text=HOW.format(card_id=card_id), code=runtime.code(card_id), edits=card_id)
    staged = runtime.edit(card_id, _code(rest[0]))
    return replace(picked(staged, runtime, namespace), changed=runtime.card(card_id))


def _code(given: str) -> str:
    """Return the code that was typed, or that is in the file of that name."""
    if len(given.split()) > 1:
        return given
    none = f"There is no file `{given}`. Name a file with the changed code, or put the code in the cell."
    try:
        path = Path(given).expanduser()
        if not path.is_file():
            raise UsageError(none)
        return path.read_text(encoding="utf-8-sig")
    except RuntimeError as error:  # the home of an account that there is not
        raise UsageError(none) from error
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"`{given}` could not be read as text: {error}. Save it as UTF-8.") from error
