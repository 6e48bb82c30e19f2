"""The settings name a model, in the seed's short or long form, or none; and then nothing is sent anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.connecting import chosen, connected
from jupyter_mcpgen.errors import NoKey
from jupyter_mcpgen.llm.budget import Prices
from jupyter_mcpgen.llm.connect import Named
from jupyter_mcpgen.llm.dialect import Sampling
from jupyter_mcpgen.llm.roundtrip import TINY, round_trip
from jupyter_mcpgen.settings import BudgetSettings, LlmSettings, NamedModelSettings, PriceSettings
from tests.imitations.acts import error, says, sends
from tests.imitations.server import Imitation

SUM = says('{"sum": 5}')
LONG = LlmSettings(
    base_url="http://localhost:8000/v1",
    code_generation_model=NamedModelSettings(model_name="large", temperature=0.1, max_tokens=4096, top_p=0.95),
    fallback_model=NamedModelSettings(model_name="small"),
)


@pytest.mark.parametrize(
    "settings", [LlmSettings(), LlmSettings(base_url="http://localhost:1/v1"), LlmSettings(model="m")]
)
def test_without_a_model_and_a_place_there_is_none(settings: LlmSettings, tmp_path: Path) -> None:
    assert connected(settings, tmp_path, {}) is None


def test_a_model_without_an_address_is_openais_where_there_is_a_key_for_it() -> None:
    choice = chosen(LlmSettings(model="gpt-4"), {"OPENAI_API_KEY": "x"})

    assert choice is not None
    assert (choice.address, choice.model) == ("https://api.openai.com/v1", Named("gpt-4", Sampling(0.2, 2000)))


def test_the_long_form_gives_each_model_its_own_way_to_write() -> None:
    choice = chosen(LONG, {})

    assert choice is not None
    assert choice.model == Named("large", Sampling(0.1, 4096, 0.95))
    assert choice.fallback == Named("small", Sampling(0.2, 2000, None))


def test_budgets_prices_and_patience_are_handed_on() -> None:
    settings = LONG.model_copy(
        update={
            "budget": BudgetSettings(per_question=5, per_day=6),
            "prices": PriceSettings(input_per_mtok=2),
            "timeout_seconds": 7,
            "cache": False,
        }
    )

    choice = chosen(settings, {})

    assert choice is not None
    assert (choice.per_question, choice.per_day, choice.patience.total, choice.keeps_replies) == (5, 6, 7, False)
    assert choice.prices == Prices(input_per_mtok=2)


def test_a_key_that_is_not_set_is_said_before_anything_is_asked(tmp_path: Path) -> None:
    connection = connected(LONG.model_copy(update={"api_key_env": "MY_KEY"}), tmp_path, {})

    assert connection is not None
    with pytest.raises(NoKey, match="`MY_KEY`"):
        connection.for_question()


def test_a_connection_asks_the_fallback_keeps_replies_and_counts_the_day(tmp_path: Path) -> None:
    with Imitation(((sends("model", "large"), error(404, "model 'large' not found")), (sends("model"), SUM))) as server:
        connection = connected(LONG.model_copy(update={"base_url": server.address}), tmp_path, {})
        assert connection is not None
        first = round_trip(connection.for_question())
        again = connection.for_question().ask(TINY)
        connection.close()

    assert first.is_right
    assert again[0].cached
    assert [chat.body["model"] for chat in server.chats] == ["large", "small", "large"]
    assert connection.spent_today == 28
    assert connection.stays_here
    assert sorted(path.name for path in (tmp_path / "llm").iterdir() if path.suffix != ".lock") == [
        "dialects.json",
        "replies",
        "requests.jsonl",
        "spent.json",
    ]


@pytest.mark.parametrize(
    ("address", "fallback", "here"),
    [
        ("http://localhost:11434/v1", "small", True),
        ("http://localhost:11434/v1", "gpt-oss:120b-cloud", False),
        ("http://10.0.0.3:11434/v1", "small", False),
    ],
)
def test_a_connection_knows_whether_prompts_stay_here(address: str, fallback: str, here: bool, tmp_path: Path) -> None:
    second = NamedModelSettings(model_name=fallback)

    connection = connected(LONG.model_copy(update={"base_url": address, "fallback_model": second}), tmp_path, {})

    assert connection is not None
    assert connection.stays_here is here


def test_getting_ready_sends_nothing_and_says_nothing_of_a_missing_key(tmp_path: Path) -> None:
    with Imitation(()) as server:
        settings = LlmSettings(model="m", base_url=server.address)
        for one in (settings, settings.model_copy(update={"api_key_env": "MY_KEY"})):
            connection = connected(one, tmp_path, {})
            assert connection is not None
            connection.warm()
            connection.close()

        assert server.arrivals == []


def test_the_budget_of_a_question_is_whole_for_the_next_one(tmp_path: Path) -> None:
    needed = TINY.estimated_tokens + 2000
    settings = LlmSettings(model="m", cache=False, budget=BudgetSettings(per_question=needed))

    with Imitation(((sends("model"), SUM),)) as server:
        connection = connected(settings.model_copy(update={"base_url": server.address}), tmp_path, {})
        assert connection is not None
        for _ in range(2):
            assert round_trip(connection.for_question()).is_right
        connection.close()
