"""`approve`, `reject`, `undo`, `pick`: what a person decides about a staged card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from jupyter_mcpgen.answer import answer_of
from jupyter_mcpgen.model.card import Card, Chip
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.model.question import QUESTION_MARK, QuestionBack
from jupyter_mcpgen.pipeline.draft import Staged
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.serving import what_clients_see
from jupyter_mcpgen.verbs.waiting import CARD_ID, meant
from jupyter_mcpgen.verbs.words import UsageError, split_options


def approve(words: Sequence[str], runtime: Runtime, face: Face) -> Said:
    """Accept an output and save its tool: `approve [ID] [--name NAME] [--as-read] [--unchecked] [note]`.

    Without an id it is the latest card here. `--as-read` confirms the reading of a model, `--unchecked` a calculation
    that nothing checked a second time.
    """
    typed = split_options(words, ("name",), flags=tuple(Confirms))
    candidate, note = meant(typed.words, runtime)
    confirmed = [each for each in Confirms if each in typed.options]
    card = runtime.approve(candidate.tool_id, typed.options.get("name"), note or None, confirmed, face)
    return Said(text=known_already(card, runtime.registry) or live(card, runtime.registry), changed=card)


def accept(words: Sequence[str], runtime: Runtime, face: Face) -> Said:
    """Accept an output without keeping its tool: `accept [ID] [note]`. It can be kept later."""
    candidate, note = meant(words, runtime)
    card = runtime.answer(candidate.tool_id, candidate.fingerprint, "output", "yes", note or None, face=face)
    later = f"To save `{card.tool_name}`: `%mcpgen approve {card.card_id}`."
    return Said(text=f"Answer accepted; no tool was saved. {later}", changed=card)


def reject(words: Sequence[str], runtime: Runtime, namespace: Mapping[str, object], face: Face) -> Said:
    """Reject a tool with a reason: `reject [ID] reason`. A reason that says what was meant gives the new answer."""
    candidate, reason = meant(words, runtime)
    card = runtime.answer(candidate.tool_id, candidate.fingerprint, "registration", "reject", reason or None, face=face)
    with_reason = " with the reason" if reason else ""
    text = f"`{card.tool_name}` is rejected and archived{with_reason}."
    refined = runtime.refine(card.card_id)
    if refined.staged is None:
        return Said(text=f"{text} {refined.sentence}".strip(), changed=card)
    return replace(picked(refined.staged, runtime, namespace), text=f"{text} This is the new answer.", changed=card)


def undo(words: Sequence[str], runtime: Runtime) -> Said:
    """Take back the latest promotion of a tool: `undo NAME`."""
    typed = split_options(words, ())
    if len(typed.words) != 1:
        raise UsageError("Which tool? `undo NAME`. `list` shows the names.")
    card = runtime.undo(runtime.registry.tool(typed.words[0]).tool_id)
    return Said(text=f"`{card.tool_name}` is no longer active. Its answer is pending again.", changed=card)


def reopen(words: Sequence[str], runtime: Runtime) -> Said:
    """Let an expired card wait for a decision again: `reopen ID`."""
    typed = split_options(words, ())
    if len(typed.words) != 1:
        raise UsageError("Which answer? `reopen ID`.")
    card = runtime.reopen(typed.words[0])
    return Said(card=card, changed=card)


def pick(words: Sequence[str], runtime: Runtime, namespace: Mapping[str, object]) -> Said:
    """Answer in another reading of a card, or of a question that was asked back: `pick [ID] NUMBER|LABEL`.

    Without an id it is the question that was asked back last, or else the latest card: nothing is decided.
    """
    asked = _asked_back(words, runtime)
    if asked is not None:
        choice = " ".join(words).removeprefix(asked.question_id).strip()
        return picked(runtime.pick_reading(asked.question_id, _by_number(choice, asked.options)), runtime, namespace)
    candidate, choice = meant(words, runtime, decides=False)
    staged = runtime.pick_reading(candidate.tool_id, _by_number(choice, runtime.card(candidate.tool_id).chips))
    return replace(picked(staged, runtime, namespace), changed=runtime.card(candidate.tool_id))


def picked(staged: Staged, runtime: Runtime, namespace: Mapping[str, object]) -> Said:
    """Show the answer that a person chose in the place of another one."""
    request = staged.computed.request
    names = {ref.name for ref in (request.data, request.other) if ref is not None}
    return Said(answer=answer_of(staged, runtime, {name: namespace[name] for name in names & set(namespace)}))


def _by_number(choice: str, chips: Sequence[Chip]) -> str:
    is_place = choice.isdecimal() and 1 <= int(choice) <= len(chips)
    return chips[int(choice) - 1].label if is_place else choice


def _asked_back(words: Sequence[str], runtime: Runtime) -> QuestionBack | None:
    """Return the open question that is meant: by its id, or the one that was asked back last if no id is there."""
    if words and words[0].startswith(QUESTION_MARK):
        return runtime.question(words[0])
    waiting = runtime.questions.waiting
    return None if waiting is None or (words and CARD_ID.fullmatch(words[0])) else waiting.shown


def known_already(card: Card, registry: Registry) -> str:
    """Say that an approved card made no new version; empty where it did."""
    tool = registry.tool(card.tool_name)
    same = f"`{tool.name}` v{tool.version} has this content already, so no new version was made."
    return same if tool.version != card.version else ""


def live(card: Card, registry: Registry) -> str:
    """Say that a tool can be called now, and how."""
    return (
        f"`{card.tool_name}` v{card.version} is live. In Python, after `from jupyter_mcpgen import tools`: "
        f"`{card.signature}`. MCP: {what_clients_see(registry)}. To take that back: `%mcpgen undo {card.tool_name}`."
    )
