"""A language model that gave no usable answer: why, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from jupyter_mcpgen.errors.root import McpgenError, did_you_mean
from jupyter_mcpgen.wording import in_time


class ModelError(McpgenError):
    """The language model gave no usable answer; the built-in planner works without it."""


class NoModel(ModelError):
    """A language model was to read a question, and none is set up."""

    def __init__(self) -> None:
        super().__init__("No language model is set up. `%mcpgen model` shows how to connect one.")


class ModelDown(ModelError):
    """Nothing answers at the address of the model server."""

    def __init__(self, origin: str, reason: str) -> None:
        super().__init__(
            f"No model server answers at `{origin}`: {reason}. Start it, or choose another with `%mcpgen model use`."
        )
        self.origin = origin


class Offline(ModelError):
    """The address of the model server cannot be found from this machine."""

    def __init__(self, origin: str) -> None:
        super().__init__(
            f"`{origin}` cannot be reached: this machine is offline, or the name is wrong. "
            "Check the network and `llm.base_url`."
        )
        self.origin = origin


class NotAModelServer(ModelError):
    """Something answers at the address, and it is no model server."""

    def __init__(self, origin: str, what: str) -> None:
        super().__init__(
            f"`{origin}` is not a model server: it {what}. Check `llm.base_url`; it usually ends in `/v1`."
        )
        self.origin = origin


class ModelServerFailed(ModelError):
    """The model server reported an error of its own, or one that cannot be worked around."""

    def __init__(self, origin: str, status: int | None, said: str) -> None:
        code = f" ({status})" if status is not None else ""
        reason = f": {said.rstrip('.')}" if said else ""
        super().__init__(f"The model server at `{origin}` failed{code}{reason}. Try again, or look into its log.")
        self.origin = origin
        self.status = status


class ModelTooSlow(ModelError):
    """The model took longer than it may."""

    def __init__(self, origin: str, seconds: float, waited_for: str) -> None:
        super().__init__(
            f"The model at `{origin}` sent {waited_for} in {in_time(seconds)}, so the request was ended. "
            "Try again, choose a smaller model, or raise `llm.timeout_seconds`."
        )
        self.origin = origin


class WrongKey(ModelError):
    """The model server refused the key, or there is none; the key itself is never shown."""

    def __init__(self, origin: str, variable: str | None) -> None:
        trouble = f"`{origin}` refused the key from `{variable}`" if variable else f"`{origin}` asks for a key"
        super().__init__(
            f"{trouble}. Put a valid key into an environment variable and name it with "
            "`%mcpgen model use URL --key-env NAME`."
        )
        self.origin = origin


class NoKey(ModelError):
    """The environment variable that is to hold the key is not set."""

    def __init__(self, origin: str, variable: str) -> None:
        super().__init__(
            f"The environment variable `{variable}` with the key for `{origin}` is not set. "
            "Set it where you start Jupyter, and restart the kernel."
        )
        self.variable = variable


class NoSuchModel(ModelError):
    """The server has no model of that name; `known` are those it has, where it says so."""

    def __init__(self, model: str, origin: str, known: Iterable[str] = ()) -> None:
        known = tuple(known)
        listed = f" It has {', '.join(f'`{name}`' for name in known[:8])}." if known else ""
        super().__init__(
            f"`{origin}` has no model `{model}`.{did_you_mean(model, known)}{listed} "
            "Choose one with `%mcpgen model use`."
        )
        self.model = model
        self.known = known


class EmptyReply(ModelError):
    """The model answered with nothing."""

    def __init__(self, model: str, thought: bool = False) -> None:
        why = " after thinking" if thought else ""
        advice = (
            "Raise `llm.max_tokens`, or choose another model." if thought else "Try again, or choose another model."
        )
        super().__init__(f"`{model}` gave an empty reply{why}. {advice}")
        self.model = model


class UnreadableReply(ModelError):
    """A reply without the one JSON object that was asked for; `reason` and `text` are for asking once more."""

    def __init__(self, model: str, reason: str, text: str = "") -> None:
        super().__init__(
            f"The reply of `{model}` cannot be used: {reason}. Ask again, or choose a model that is better at JSON."
        )
        self.model = model
        self.reason = reason
        self.text = text


class TruncatedReply(ModelError):
    """A reply that ended before it was complete; it is never completed by guessing.

    `limit` is the number of tokens that it reached; without one, the connection ended.
    """

    def __init__(self, model: str, limit: int | None = None) -> None:
        why = f"it reached the limit of {limit:,} tokens" if limit is not None else "the connection ended early"
        advice = "Raise `llm.max_tokens`." if limit is not None else "Try again."
        super().__init__(f"The reply of `{model}` was cut off: {why}. {advice}")
        self.model = model
        self.limit = limit


class ModelRefused(ModelError):
    """The model, or a filter before it, declined to answer."""

    def __init__(self, model: str, said: str = "") -> None:
        reason = f": {said.rstrip('.')}" if said else ""
        super().__init__(
            f"`{model}` declined to answer{reason}. Put the question differently, or choose another model."
        )
        self.model = model
        self.said = said


class RateLimited(ModelError):
    """The model server takes no more requests for a while."""

    def __init__(self, origin: str, seconds: float | None) -> None:
        when = f"in {in_time(seconds)}" if seconds is not None else "later"
        super().__init__(f"`{origin}` takes no more requests for now. Try again {when}.")
        self.origin = origin
        self.seconds = seconds


class AccountSpent(ModelError):
    """The account at the provider has no credit left."""

    def __init__(self, origin: str) -> None:
        super().__init__(f"Your account at `{origin}` has no credit left. Add some there, or choose another model.")
        self.origin = origin


class BudgetSpent(ModelError):
    """A request that would exceed the budget of the settings; it was not sent."""

    def __init__(self, setting: str, cap: int, spent: int, needed: int) -> None:
        super().__init__(
            f"The request was not sent: it may need {needed:,} tokens, and {spent:,} of the {cap:,} of `{setting}` "
            "are used. Raise that setting, or ask the built-in planner."
        )
        self.setting = setting


class AskCancelled(ModelError):
    """The person cancelled; the request was ended."""

    def __init__(self) -> None:
        super().__init__("The request to the model was cancelled.")


class ContextTooSmall(ModelError):
    """The model cannot hold the prompt; `asked` and `room` are in tokens where the server tells them."""

    def __init__(self, model: str, asked: int | None = None, room: int | None = None) -> None:
        size = f" It needs {asked:,} tokens." if asked is not None else ""
        holds = f" It holds {room:,} tokens." if room is not None else ""
        super().__init__(
            f"The prompt is too long for the context of `{model}`.{size}{holds} "
            "Ask about fewer columns, or start the server with a larger context."
        )
        self.model = model
        self.asked = asked
        self.room = room


class TooLongToSend(ModelError):
    """A text is too long to be sent whole, and an answer about a part of it would be about something else."""

    def __init__(self, called: str, length: int, most: int) -> None:
        super().__init__(
            f"{called} has {length:,} characters, and a language model is sent at most {most:,}. Shorten it, or send a "
            "part that stands alone."
        )


class RequestNotLogged(ModelError):
    """The record of what is sent cannot be written, so nothing was sent."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"The record of model requests at `{path}` cannot be written ({reason}), so nothing was sent. "
            "Free some space or take ownership of Jupyter's data folder."
        )
        self.path = path


class NoEmbeddings(ModelError):
    """The model server gave no embeddings of the texts that it was sent."""

    def __init__(self, origin: str, model: str, reason: str) -> None:
        super().__init__(
            f"`{origin}` gave no embeddings by `{model}`: {reason}. "
            "Name an embedding model of that server in `llm.embedding`, or remove the setting."
        )
        self.origin = origin


class NoRecording(ModelError):
    """No reply was recorded for a prompt; `Recorded` never asks a model."""

    def __init__(self, name: str, digest: str, folder: Path) -> None:
        super().__init__(
            f"No reply is recorded for the prompt `{name}` ({digest}) in `{folder}`. "
            "Record one with `Recording(model, folder).ask(prompt)`, where `model` is a real model."
        )
        self.name = name
        self.digest = digest
