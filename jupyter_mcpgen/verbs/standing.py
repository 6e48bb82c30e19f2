"""What the settings and the registry alone can answer, at once: no table is read and no planner is loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.settings import Settings, load_settings
from jupyter_mcpgen.verbs import serving
from jupyter_mcpgen.verbs.activity import activity
from jupyter_mcpgen.verbs.choosing import option
from jupyter_mcpgen.verbs.clients import connect
from jupyter_mcpgen.verbs.commands import help_with
from jupyter_mcpgen.verbs.configuration import config
from jupyter_mcpgen.verbs.listing import list_tools, list_versions, rebuild, search
from jupyter_mcpgen.verbs.said import Said
from jupyter_mcpgen.verbs.snippets import snippets
from jupyter_mcpgen.verbs.statistics import stats
from jupyter_mcpgen.verbs.tokens import token

STANDING: Mapping[str, Callable[[Sequence[str], Settings, Registry], Said]] = {
    "list": lambda words, settings, registry: list_tools(registry),
    "search": lambda words, settings, registry: search(words, registry),
    "versions": lambda words, settings, registry: list_versions(words, registry),
    "snippets": lambda words, settings, registry: snippets(words, registry),
    "activity": lambda words, settings, registry: activity(words, registry),
    "rebuild": lambda words, settings, registry: rebuild(words, registry),
    "stats": lambda words, settings, registry: stats(registry),
    "serve": serving.serve,
    "restart": lambda words, settings, registry: serving.restart(load_settings().values, registry),
    "option": lambda words, settings, registry: option(words),
    "stop": lambda words, settings, registry: serving.stop(),
    "status": lambda words, settings, registry: serving.status(settings, registry),
    "connect": lambda words, settings, registry: connect(words, registry),
    "token": lambda words, settings, registry: token(words),
    "config": lambda words, settings, registry: config(load_settings()),
    "help": lambda words, settings, registry: help_with(words),
}
"""Each command with the function that carries it out."""
