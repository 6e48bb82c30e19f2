"""The language model that the settings name, if they name one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from jupyter_mcpgen.llm.address import OPENAI
from jupyter_mcpgen.llm.budget import Prices
from jupyter_mcpgen.llm.client import Patience
from jupyter_mcpgen.llm.connect import Choice, Connection, Named, connect
from jupyter_mcpgen.llm.dialect import Sampling
from jupyter_mcpgen.settings import LlmSettings, NamedModelSettings

FOLDER = "llm"
"""The folder of the log, the kept replies and the budget of the day, in the state folder."""
_OPENAI_KEY = "OPENAI_API_KEY"


def connected(settings: LlmSettings, state: Path, environment: Mapping[str, str]) -> Connection | None:
    """Return the connection to the model of the settings, or `None` without one; sends nothing."""
    choice = chosen(settings, environment)
    return None if choice is None else connect(choice, state / FOLDER, environment)


def chosen(settings: LlmSettings, environment: Mapping[str, str]) -> Choice | None:
    """Return which model is to be asked, and where.

    A model without an address is one of OpenAI's, as the seed has it, and is only asked where there is a key for that.
    """
    model = _named(settings)
    has_key = settings.api_key_env is not None or bool(environment.get(_OPENAI_KEY, "").strip())
    address = settings.base_url or (OPENAI if has_key else None)
    if model is None or address is None:
        return None
    fallback = settings.fallback_model
    prices = settings.prices
    return Choice(
        address=address,
        model=model,
        fallback=None if fallback is None else Named(fallback.model_name, _sampling(settings, fallback)),
        key_variable=settings.api_key_env,
        patience=Patience(total=settings.timeout_seconds),
        prices=None if prices is None else Prices(**dict(prices)),
        per_question=settings.budget.per_question,
        per_day=settings.budget.per_day,
        keeps_replies=settings.cache,
        embedding=settings.embedding,
    )


def _named(settings: LlmSettings) -> Named | None:
    """Return the first model: the short form, else the long one."""
    long = settings.code_generation_model
    if settings.model is not None:
        return Named(settings.model, _sampling(settings, None))
    return None if long is None else Named(long.model_name, _sampling(settings, long))


def _sampling(settings: LlmSettings, own: NamedModelSettings | None) -> Sampling:
    if own is None:
        return Sampling(settings.temperature, settings.max_tokens)
    return Sampling(
        temperature=settings.temperature if own.temperature is None else own.temperature,
        max_tokens=settings.max_tokens if own.max_tokens is None else own.max_tokens,
        top_p=own.top_p,
    )
