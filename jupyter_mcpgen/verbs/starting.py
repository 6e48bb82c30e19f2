"""`starter`: the tools that come with the product, for a person to look at, approve and sign."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from jupyter_mcpgen.errors import McpgenError, UnsoundApproval
from jupyter_mcpgen.model.card import Card
from jupyter_mcpgen.model.confirmation import Confirms, unconfirmed
from jupyter_mcpgen.model.event import Progress
from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.pipeline.present import blocking
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.starter import Standing, StarterTool
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import Typed, UsageError, split_options

ALL, YES = "all", "yes"
_SHOWN = 16
"""How many signs of a fingerprint are shown; the card has all of them."""


@dataclass(frozen=True)
class Made:
    """The cards of the tools that a person wants, which wait for them, and why some wanted tools have none."""

    cards: tuple[Card, ...]
    installed: tuple[str, ...]
    failed: tuple[str, ...]

    @property
    def unchecked(self) -> tuple[Card, ...]:
        """The cards whose approval has to confirm that nothing computed the result a second time."""
        return tuple(card for card in self.cards if unconfirmed(card.confirmations, ()))

    def page(self) -> str:
        """Return what an approval of the cards is about."""
        told = [*(f"`{name}` is installed already." for name in self.installed), *self.failed]
        return "\n\n".join([*([_table(self.cards)] if self.cards else []), *told])


def starter(words: Sequence[str], runtime: Runtime, face: Face) -> Said:
    """List the tools of the starter library, or install some: `starter [NAME…|all] [--yes] [--unchecked]`.

    Without `--yes` they are made and tested here, and shown with what an approval is about. With it the person who
    typed it approves and signs them; `--unchecked` is for those whose result nothing computed a second time.
    """
    typed = read_words(words)
    if not typed.words:
        return Said(text=_listed(runtime))
    made = make(typed.words, runtime)
    if YES not in typed.options:
        how = [_how(typed.words, made)] if made.cards else []
        return Said(text="\n\n".join([made.page(), *how]), ok=not made.failed)
    confirmed = [Confirms.UNCHECKED] if Confirms.UNCHECKED in typed.options else []
    said = approve(made, confirmed, runtime, face)
    return Said(text="\n\n".join(filter(None, [made.page(), said.text])), ok=said.ok)


def read_words(words: Sequence[str]) -> Typed:
    """Return the names and the options that were typed."""
    return split_options(words, (), flags=(YES, Confirms.UNCHECKED))


def make(names: Sequence[str], runtime: Runtime) -> Made:
    """Make the tools of these names, or all, and run their gates here; one that fails leaves the others."""
    cards: list[Card] = []
    installed: list[str] = []
    failed: list[str] = []
    wanted = _named(names, runtime)
    for number, tool in enumerate(wanted, 1):
        if runtime.starter.standing(tool) is Standing.INSTALLED:
            installed.append(tool.name)
            continue
        for listen in tuple(runtime.listeners):
            listen(Progress(text=f"Making and testing `{tool.name}` ({number} of {len(wanted)}) …"))
        try:
            card = runtime.starter.stage(tool)
            if not card.sound:
                raise UnsoundApproval(card.tool_name, blocking(card))
            cards.append(card)
        except McpgenError as error:
            failed.append(f"`{tool.name}` was left out. {error}")
    return Made(tuple(cards), tuple(installed), tuple(failed))


def approve(made: Made, confirmed: Sequence[Confirms], runtime: Runtime, face: Face) -> Said:
    """Approve and sign the cards for the person, but for those that need more than was confirmed."""
    left = [card for card in made.cards if unconfirmed(card.confirmations, confirmed)]
    approved = [card for card in made.cards if card not in left]
    for card in approved:
        runtime.approve(card.card_id, None, None, confirmed, face)
    return Said(text="\n\n".join(_outcome(approved, left)), ok=not (left or made.failed))


def _outcome(approved: Sequence[Card], left: Sequence[Card]) -> Iterator[str]:
    if approved:
        yield (
            f"You approved and signed {_names(approved)}. "
            "In Python: `from jupyter_mcpgen import tools`. To remove one: `%mcpgen unpublish NAME`."
        )
    if left:
        yield (
            f"Not installed: {_names(left)}. Nothing computed their results a second time. To install them after you "
            "read their code (`%mcpgen show NAME`), add `--unchecked`."
        )


def _listed(runtime: Runtime) -> str:
    starter = runtime.starter
    lines = ["| tool | what it does | |", "|---|---|---|"]
    lines += [f"| `{tool.name}` | {tool.does} | {starter.standing(tool).value} |" for tool in starter.library.tools]
    how = "To install some: `%mcpgen starter NAME …` or `%mcpgen starter all`. You see what you approve first."
    return "\n".join(lines) + f"\n\n{how}"


def _named(words: Sequence[str], runtime: Runtime) -> tuple[StarterTool, ...]:
    tools = {tool.name: tool for tool in runtime.starter.library.tools}
    for word in words:
        if word not in (*tools, ALL):
            near = get_close_matches(word, tools, n=1)
            hint = f" Did you mean `{near[0]}`?" if near else ""
            raise UsageError(f"The starter library has no tool `{word}`.{hint} `%mcpgen starter` lists them.")
    return tuple(tools.values()) if ALL in words else tuple(tools[word] for word in dict.fromkeys(words))


def _table(cards: Sequence[Card]) -> str:
    lines = ["| tool | may use | fingerprint | how it was checked here |", "|---|---|---|---|"]
    lines += [
        f"| `{card.tool_name}` v{card.version} | {', '.join(f'`{each}`' for each in card.capabilities)} | "
        f"`{card.fingerprint.removeprefix('sha256:')[:_SHOWN]}` | {card.evidence_sentence} |"
        for card in cards
    ]
    permissions = dict.fromkeys(sentence for card in cards for sentence in card.permissions)
    return "\n".join([*lines, "", *(f"- {sentence}" for sentence in permissions)])


def _how(words: Sequence[str], made: Made) -> str:
    these = "this tool" if len(made.cards) == 1 else f"these {len(made.cards)} tools"
    also = (
        f" Nothing computes the results of {_names(made.unchecked)} a second time, so they need `--unchecked` as well."
        if made.unchecked
        else ""
    )
    return f"Nothing is installed yet. To approve and sign {these}: `%mcpgen starter {' '.join(words)} --yes`.{also}"


def _names(cards: Sequence[Card]) -> str:
    return ", ".join(f"`{card.tool_name}`" for card in cards)
