"""A request for consent as text: who offers what, what it may do, and every line of its code."""

from __future__ import annotations

from collections.abc import Iterator

from jupyter_mcpgen.authors.offered import limits_in_words
from jupyter_mcpgen.card_text import diff_in_markdown, escaped
from jupyter_mcpgen.model.consent import ConsentRequest
from jupyter_mcpgen.plan.visible import fenced, visible, visible_code, without_pictures


def paragraphs_of(request: ConsentRequest) -> Iterator[str]:
    """Yield a request in paragraphs of Markdown; nothing of what the client wrote hides in them or is obeyed."""
    yield (
        f"**{request.tool_name}** v{request.version}, offered by the AI client “{on_one_line(request.client)}”. "
        f"It names “{on_one_line(request.author)}” as the author; nobody checks either name."
    )
    yield on_one_line(request.description)
    rights = [f"- `{each.label}`: {'⚠ ' if each.dangerous else ''}{each.sentence}" for each in request.capabilities]
    yield "It asks for:\n\n" + "\n".join(rights) if rights else "It asks for no capability: it only computes."
    if request.variables:
        names = ", ".join(f"`{name}`" for name in request.variables)
        yield f"From your notebook it gets a copy of {names} in each call."
    yield f"{limits_in_words(request.limits)} The server is in {request.mode} mode."
    yield "\n".join(f"- {without_pictures(visible(' '.join(each.split())))}" for each in request.evidence)
    if request.diff is not None:
        yield diff_in_markdown(request.diff)
    yield fenced(visible_code(request.source_code), "python")


def on_one_line(text: str) -> str:
    """Return a client's words on one line, with nothing in them that hides or that Markdown would obey."""
    return escaped(visible(" ".join(text.split())))
