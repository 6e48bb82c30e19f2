"""`adjust`: other values in parts of a reading, such as its calculation, its columns or its conditions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from jupyter_mcpgen.card_text import escaped
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.deciding import picked
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.waiting import meant
from jupyter_mcpgen.verbs.words import UsageError

MOST_TOLD = 12
"""How many choices of a part are listed; the others may be typed as well."""


def adjust(words: Sequence[str], runtime: Runtime, namespace: Mapping[str, object]) -> Said:
    """Change parts of a reading and answer again: `adjust [ID] [PART=VALUE …]`; without parts, list them."""
    candidate, rest = meant(words, runtime, decides=False)
    card_id = candidate.tool_id
    card = runtime.card(card_id)
    if not rest:
        return Said(text=_parts_told(card, runtime))
    parts = {key: _values(key, text, card, runtime) for key, text in _pairs(rest, card)}
    staged = runtime.adjust(card_id, parts)
    return replace(picked(staged, runtime, namespace), changed=runtime.card(card_id))


def _pairs(text: str, card: Card) -> Iterator[tuple[str, str]]:
    """Yield the parts that are named with what is to stand in them; a value may have blanks."""
    keys = [part.key for part in card.parts]
    found = list(re.finditer(r"(?:^|\s)(\w+)=", text))
    if not found or text[: found[0].start()].strip():
        raise UsageError(
            f"Write `PART=VALUE`. Parts of this reading: {', '.join(f'`{key}`' for key in keys) or 'none'}."
        )
    for one, following in zip(found, [*found[1:], None], strict=True):
        yield one[1], text[one.end() : following.start() if following else None].strip()


def _values(key: str, text: str, card: Card, runtime: Runtime) -> tuple[str, ...]:
    """Return the values that were typed for a part; commas separate those of one that takes several."""
    if not text:
        return ()
    choices = runtime.choices(card.card_id, key)
    values = [value.strip() for value in text.split(",")] if choices.several else [text]
    labels = {choice.label: choice.value for choice in choices.choices}
    return tuple(labels.get(value, value) for value in values)


def _parts_told(card: Card, runtime: Runtime) -> str:
    if not card.parts:
        return f"`{card.tool_name}` has no parts to change. `edit` changes its code."
    lines = ["| part | value | choices |", "|---|---|---|"]
    for part in card.parts:
        choices = runtime.choices(card.card_id, part.key)
        told = [escaped(choice.label) for choice in choices.choices[:MOST_TOLD]]
        more = ["…"] if len(choices.choices) > MOST_TOLD else []
        typed = ["any value"] if choices.typed and not told else []
        gone = [f"empty: {choices.gone}"] if choices.may_go else []
        lines.append(f"| `{part.key}` | {escaped(part.value)} | {', '.join([*told, *more, *typed, *gone])} |")
    how = f"To change one: `%mcpgen adjust {card.card_id} {card.parts[0].key}=…`."
    return "\n".join([*lines, "", how])
