"""The one exception that says what a refusal, or no answer at all, means for the person."""

from __future__ import annotations

from jupyter_mcpgen.errors import (
    AccountSpent,
    ContextTooSmall,
    ModelDown,
    ModelError,
    ModelRefused,
    ModelServerFailed,
    ModelTooSlow,
    NoSuchModel,
    NotAModelServer,
    Offline,
    RateLimited,
    WrongKey,
)
from jupyter_mcpgen.llm.address import in_a_sentence
from jupyter_mcpgen.llm.client import Client, Trouble, Unanswered
from jupyter_mcpgen.llm.faults import Fault


def error_of(fault: Fault, client: Client, model: str) -> ModelError:
    """Return the exception for a refusal that neither a change nor waiting can mend."""
    named = in_a_sentence(model)
    said = in_a_sentence(fault.said)
    if fault.is_without_credit:
        return AccountSpent(client.origin)
    if fault.is_filtered:
        return ModelRefused(named, "a filter of the server stopped the prompt")
    if fault.is_too_long:
        return ContextTooSmall(named, fault.asked, fault.room)
    status = fault.status
    if status == 429 or (status == 402 and fault.retry_after is not None):
        return RateLimited(client.origin, fault.retry_after)
    if status in (401, 403):
        return WrongKey(client.origin, _source_of(client))
    if status is not None and 300 <= status < 400:
        return NotAModelServer(client.origin, "sends requests on to another address, which is not followed")
    if status in (404, 405):
        return NotAModelServer(client.origin, "takes no chat completions there")
    return ModelServerFailed(client.origin, status, quoted(said))


def quoted(said: str) -> str:
    """Return the words of a server or a model as theirs, so that nobody takes them for ours."""
    return f"“{said.rstrip('.')}”" if said else ""


def no_such_model(model: str, client: Client, known: tuple[str, ...]) -> NoSuchModel:
    """Return the exception for a model that the server does not have."""
    return NoSuchModel(in_a_sentence(model), client.origin, known)


def unanswered(nothing: Unanswered, client: Client) -> ModelError:
    """Return the exception for a server that gave no answer at all."""
    match nothing.trouble:
        case Trouble.DOWN | Trouble.UNTRUSTED:
            return ModelDown(client.origin, str(nothing.trouble))
        case Trouble.LOST:
            return ModelServerFailed(client.origin, None, nothing.detail or str(nothing.trouble))
        case Trouble.OFFLINE:
            return Offline(client.origin)
        case Trouble.SILENT:
            return ModelTooSlow(client.origin, nothing.seconds, "nothing")
        case Trouble.SLOW:
            return ModelTooSlow(client.origin, nothing.seconds, "no more of its reply")
        case Trouble.NO_MODEL_SERVER:
            return NotAModelServer(client.origin, nothing.detail)


def _source_of(client: Client) -> str | None:
    return None if client.key is None else client.key.variable or "the keyring"
