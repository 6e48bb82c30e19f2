"""Who reads a question: the planner, the language model, or the one after the other."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, assert_never

from jupyter_mcpgen.errors import NoModel
from jupyter_mcpgen.settings import LlmSettings, Settings

if TYPE_CHECKING:
    from jupyter_mcpgen.authors.author import Author
    from jupyter_mcpgen.authors.modelled.author import ModelledAuthor
    from jupyter_mcpgen.authors.modelled.sheet import Policy
    from jupyter_mcpgen.authors.way_on import WayOn
    from jupyter_mcpgen.llm.connect import Connection
    from jupyter_mcpgen.llm.model import CancelToken, Model


class Reader(StrEnum):
    """Who is asked to read a question."""

    LADDER = "ladder"
    """The planner, and the model where the planner is not sure."""
    PLANNER = "planner"
    MODEL = "model"
    BOTH = "both"
    """Each on its own, and what they understood is compared."""
    SQL = "sql"
    """Nobody: what is asked is a SELECT."""


def author_for(
    reader: Reader,
    settings: Settings,
    of_model: LlmSettings,
    connection: Connection | None,
    tell: Callable[[str], None],
    way_on: WayOn,
    stop: CancelToken | None = None,
) -> Author:
    """Return the author that reads; raises `NoModel` where only a model is to read and none is set up.

    `tell` is called with a few words while a model is asked, and cancelling `stop` ends that; `way_on` knows what was
    said of models already.
    """
    from jupyter_mcpgen.authors.embedded import EmbeddedAuthor  # deferred: a server needs no planner
    from jupyter_mcpgen.authors.way_on import PlannerAlone

    planner = EmbeddedAuthor(settings.planner.language)
    alone = PlannerAlone(planner, way_on, has_model=connection is not None)
    match reader:
        case Reader.PLANNER:
            return alone
        case Reader.MODEL:
            if connection is None:
                raise NoModel
            return modelled(of_model, connection, tell, stop)
        case Reader.BOTH:
            from jupyter_mcpgen.authors.both import Both

            if connection is None:
                raise NoModel
            return Both(planner, modelled(of_model, connection, tell, stop))
        case Reader.SQL:
            from jupyter_mcpgen.authors.selected import SelectAuthor

            return SelectAuthor(None if connection is None else modelled(of_model, connection, tell, stop))
        case Reader.LADDER:
            from jupyter_mcpgen.authors.ladder import Ladder

            return alone if connection is None else Ladder(planner, modelled(of_model, connection, tell, stop))
        case _:
            assert_never(reader)


def policy_of(settings: LlmSettings) -> Policy:
    """Return what of the data the settings let a model see."""
    from jupyter_mcpgen.authors.modelled.sheet import Policy, Privacy  # deferred: only where a model is asked

    return Policy(Privacy(settings.privacy), settings.low_cardinality_values)


def modelled(
    settings: LlmSettings, connection: Connection, tell: Callable[[str], None], stop: CancelToken | None = None
) -> ModelledAuthor:
    """Return the author that asks the model of a connection, within what the settings let it see, until `stop`."""
    from jupyter_mcpgen.authors.modelled.author import ModelledAuthor  # deferred: only where a model is asked
    from jupyter_mcpgen.authors.modelled.prompting import Surface
    from jupyter_mcpgen.llm.listening import Listening
    from jupyter_mcpgen.llm.model import NEVER

    def model() -> Model:
        return Listening(connection.for_question(), lambda news: tell(f"Language model: {news.text} …"), stop or NEVER)

    return ModelledAuthor(
        connection.choice.model.name,
        model,
        policy_of(settings),
        surface=Surface(settings.surface),
        candidates=settings.candidates,
    )
