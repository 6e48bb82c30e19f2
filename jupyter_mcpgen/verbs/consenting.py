"""`inbox`, `consent`: the tools that AI clients offer, and what a person says about them."""

from __future__ import annotations

from collections.abc import Sequence

from jupyter_mcpgen.consent_text import on_one_line, paragraphs_of
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.consent import ConsentDecision, ConsentRequest
from jupyter_mcpgen.model.feedback import Face
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.verbs.deciding import live
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import UsageError, split_options

_WORDS = {
    "allow": ConsentDecision.ALLOW,
    "always": ConsentDecision.ALWAYS_ALLOW,
    "decline": ConsentDecision.DECLINE,
}
_FORGET = "forget"
_USAGE = "`consent ID allow|always|decline`. `inbox` lists the requests."


def inbox(words: Sequence[str], runtime: Runtime) -> Said:
    """List the tools that AI clients offer, or show one with all that a decision is about: `inbox [ID]`."""
    typed = split_options(words, ())
    if len(typed.words) > 1:
        raise UsageError("Which request? `inbox ID`. `inbox` lists them.")
    if typed.words:
        return Said(text=_page(_looked_at(typed.words[0], runtime)))
    waiting = runtime.consents.waiting()
    if not waiting:
        return Said(text="No AI client waits for your consent.")
    lines = ["| request | tool | client | what it does |", "|---|---|---|---|"]
    lines += [
        f"| `{candidate.tool_id}` | `{offered.name}` v{offered.version} | {on_one_line(offered.client)} | "
        f"{on_one_line(offered.description)} |"
        for candidate, offered in waiting
    ]
    how = "To read one: `%mcpgen inbox ID`. To decide: `%mcpgen consent ID allow`, `always` or `decline`."
    return Said(text="\n".join(lines) + f"\n\n{how}")


def consent(words: Sequence[str], runtime: Runtime, face: Face) -> Said:
    """Decide about an offered tool, or list what you always allow: `consent [ID allow|always|decline [REASON]]`."""
    typed = split_options(words, (), flags=tuple(Confirms))
    if not typed.words:
        return Said(text=_standing(runtime))
    wanted, decision, *reason = (*typed.words[:2], *typed.words[2:]) if len(typed.words) > 1 else (typed.words[0], "")
    if decision == _FORGET:
        number = runtime.consents.revoke_standing(wanted)
        if not number:
            raise UsageError(f"You do not always allow a tool named `{wanted}`. `consent` lists what you always allow.")
        return Said(text=f"`{wanted}` will be asked about again.")
    if decision not in _WORDS:
        raise UsageError(f"What do you decide? {_USAGE}")
    request = runtime.consents.request(wanted)
    if _WORDS[decision] is not ConsentDecision.DECLINE and wanted != request.request_id:
        # by name it could be another request than the one that was read
        raise UsageError(f"Which request did you read? Allow it by its id: `consent {request.request_id} {decision}`.")
    confirmed = [each for each in Confirms if each in typed.options]
    card = runtime.consents.decide(
        request.request_id, request.token, _WORDS[decision], confirmed, " ".join(reason) or None, face
    )
    if _WORDS[decision] is ConsentDecision.DECLINE:
        return Said(text=f"`{card.tool_name}` is declined. The client is told so.", changed=card)
    always = ""
    if _WORDS[decision] is ConsentDecision.ALWAYS_ALLOW:
        always = (
            " The same tool of this client is not asked about again. "
            f"To change that: `%mcpgen consent {card.tool_name} forget`."
        )
    return Said(text=f"{live(card, runtime.registry)}{always}", changed=card)


def _looked_at(wanted: str, runtime: Runtime) -> ConsentRequest:
    """Return a request after the linters looked at its code, as they do when a card is shown."""
    runtime.look_late(runtime.consents.request(wanted).request_id)
    return runtime.consents.request(wanted)


def _page(request: ConsentRequest) -> str:
    how = (
        f"To decide: `%mcpgen consent {request.request_id} allow --unchecked`, `always --unchecked` or `decline`. "
        "`--unchecked` says that you read the code, because nothing else checks its results."
    )
    return "\n\n".join([*paragraphs_of(request), how])


def _standing(runtime: Runtime) -> str:
    consents = runtime.consents.standing()
    if not consents:
        return "There is nothing that you always allow."
    lines = ["| tool | client | mode | until |", "|---|---|---|---|"]
    lines += [
        f"| `{each.tool_name}` | {on_one_line(each.client)} | {each.mode} | {each.expires_at[:10]} |"
        for each in consents
    ]
    return "\n".join(lines) + "\n\nTo be asked again: `%mcpgen consent NAME forget`."
