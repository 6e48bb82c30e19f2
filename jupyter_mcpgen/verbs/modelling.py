"""`model`, `preview`: which language model reads what the planner cannot, and what it would be sent."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from jupyter_mcpgen.errors import McpgenError, NoModel
from jupyter_mcpgen.runtime import Runtime
from jupyter_mcpgen.settings import forget_model, load_settings, remember_model
from jupyter_mcpgen.verbs.asking import question_and_tables
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.words import Typed, UsageError, split_options

_USAGE = "Use `model`, `model use NAME|URL [NAME] [--key-env VARIABLE]`, `model test` or `model off`."
_PRIVACY = {
    "none": "names and types of columns, and no values",
    "masked": "names and types of columns, and the shapes of some values",
    "rows": "names and types of columns, and some values",
}


def model(words: Sequence[str], runtime: Runtime) -> Said:
    """Show, choose, test or switch off the language model."""
    typed = split_options(words, ("key-env",))
    match typed.words:
        case ():
            return Said(text="\n\n".join([model_line(runtime), _on_this_machine()]))
        case ("use", name):
            return _use(name, None, typed, runtime)
        case ("use", address, name):
            return _use(address, name, typed, runtime)
        case ("test",):
            return _tested(runtime)
        case ("off",):
            forget_model()
            runtime.use(load_settings().values.llm)
            still = runtime.connection
            left = "" if still is None else f" The settings still name `{still.choice.model.name}`; see `config`."
            return Said(text=f"No language model is chosen any more.{left}")
        case _:
            raise UsageError(_USAGE)


def preview(words: Sequence[str], runtime: Runtime, namespace: Mapping[str, object]) -> Said:
    """Show exactly what a question would send to the model; nothing is sent: `preview [--data NAME|PATH] question`."""
    connection = runtime.connection
    if connection is None:
        raise NoModel
    question, data, other = question_and_tables(words, runtime, namespace)
    sent = runtime.prompt_of(question, data, other)
    parts = [f"**{message.role}**\n\n```\n{message.content}\n```" for message in sent.messages]
    if sent.name == "plan":
        form = json.dumps(sent.schema, ensure_ascii=False)
        parts.append(f"**the form of the reply**, where the server takes one\n\n```\n{form}\n```")
    size = f"About {sent.estimated_tokens:,} tokens would go to `{connection.origin}`; nothing was sent."
    return Said(text="\n\n".join([size, *parts]))


def model_line(runtime: Runtime) -> str:
    """Say which model reads what the planner is not sure of, where it is, and what it is sent."""
    connection = runtime.connection
    if connection is None:
        return (
            "No language model is set up: the built-in planner reads your questions, and nothing leaves this machine. "
            "To add one: `%mcpgen model use NAME` or `%mcpgen model use URL`."
        )
    place = "on this machine" if connection.stays_here else f"at `{connection.origin}`, so prompts leave this machine"
    sent = _PRIVACY[runtime.settings_of_model.privacy]
    embedder = connection.embedder
    compared = (
        ""
        if embedder is None
        else f" `{embedder.name}` there compares questions with your tools. It is sent your question, and the names, "
        "descriptions and first questions of tools that may be near."
    )
    return (
        f"`{connection.choice.model.name}` {place} reads what the planner is not sure of. It is sent your question and "
        f"{sent}.{compared} Tokens used today: {connection.spent_today:,}. `%mcpgen preview QUESTION` shows what "
        "the language model is sent."
    )


def _on_this_machine() -> str:
    from jupyter_mcpgen.llm.found import look  # deferred: only this command looks for servers

    found = look()
    if not found:
        return "No model server was found on the usual ports of this machine."
    lines = []
    for server in found:
        names = ", ".join(f"`{name}`" for name in server.models[:10]) or "no models"
        more = f" and {len(server.models) - 10} more" if len(server.models) > 10 else ""
        lines.append(f"- {server.kind} at `{server.address}`: {'needs a key' if server.needs_key else names + more}")
    return "Found on this machine:\n\n" + "\n".join(lines)


def _use(first: str, second: str | None, typed: Typed, runtime: Runtime) -> Said:
    """Choose a model by its name, or by the address of its server, and keep the choice."""
    key = typed.options.get("key-env")
    address, name = _chosen(first, second, key, runtime)
    remember_model({"model": name, "base_url": address, "api_key_env": key})
    runtime.use(load_settings().values.llm)
    connection = runtime.connection
    if connection is None or (connection.choice.model.name, connection.address) != (name, address):
        return Said(text=f"`{name}` is kept, but another setting comes first. `config` shows which one.")
    return Said(text=f"{model_line(runtime)} `%mcpgen model test` tries it.")


def _chosen(first: str, second: str | None, key: str | None, runtime: Runtime) -> tuple[str, str]:
    """Return address and name of the model that is meant; raises `UsageError` that lists what there is."""
    from jupyter_mcpgen.llm.found import look

    if "://" not in first and "/" not in first.partition(":")[2] and second is None:
        servers = [server for server in look() if first in server.models]
        if len(servers) == 1:
            return servers[0].address, first
        if key is not None and not servers:
            from jupyter_mcpgen.llm.address import OPENAI

            return OPENAI, first
        raise UsageError(
            f"No server on this machine has a model `{first}`. Give its address: "
            f"`%mcpgen model use URL {first}`, with `--key-env VARIABLE` where it needs a key."
        )
    from jupyter_mcpgen.llm.address import clean_address

    address = clean_address(first)
    if second is not None:
        return address, second
    names = runtime.models_at(address, key)
    if len(names) == 1:
        return address, names[0]
    listed = ", ".join(f"`{name}`" for name in names[:20]) or "none that it lists"
    raise UsageError(f"`{address}` has several models: {listed}. Choose one: `%mcpgen model use {address} NAME`.")


def _tested(runtime: Runtime) -> Said:
    from jupyter_mcpgen.llm.roundtrip import round_trip  # deferred: only this command tests

    connection = runtime.connection
    if connection is None:
        raise NoModel
    try:
        done = round_trip(connection.endpoint())
    except McpgenError as error:
        return Said(text=str(error), ok=False)
    tokens = "" if done.usage.total is None else f" and used {done.usage.total:,} tokens"
    if not done.is_right:
        return Said(
            text=f"`{done.model}` answered in {done.seconds:.1f} s, but wrong: 2 + 3 is not what it said.", ok=False
        )
    return Said(text=f"`{done.model}` answered in {done.seconds:.1f} s{tokens}.")
