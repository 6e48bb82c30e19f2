"""Model servers of this machine are found by what they answer, with GET alone, and other programs are not."""

from __future__ import annotations

import pytest

from jupyter_mcpgen.llm.found import Found, Kind, look
from jupyter_mcpgen.llm.names import MOST_NAMES, names_in
from tests.imitations.acts import at, drip_forever, listing, refuse, silent
from tests.imitations.server import Imitation, Rule

HOST = ("127.0.0.1",)
LONG = 5.0
"""Seconds; only a server that is silent on purpose is waited for, and less."""


def listed(*models: object, owner: str = "somebody") -> Rule:
    data = [{"id": model, "object": "model", "owned_by": owner} for model in models]
    return (listing, refuse(200, {"object": "list", "data": data}))


SERVERS: tuple[tuple[Kind, tuple[Rule, ...]], ...] = (
    (Kind.OLLAMA, (listed("qwen3:8b", "x", owner="library"),)),
    (Kind.LLAMA_CPP, (listed("qwen3:8b", "x", owner="llamacpp"),)),
    (Kind.VLLM, (listed("qwen3:8b", "x", owner="vllm"),)),
    (Kind.LM_STUDIO, (listed("qwen3:8b", "x", owner="organization_owner"),)),
    (
        Kind.LM_STUDIO,
        (listed("qwen3:8b", "x"), (at("/api/v0/models"), refuse(200, {"data": [{"id": "x", "state": "loaded"}]}))),
    ),
    (Kind.TGI, (listed("qwen3:8b", "x"), (at("/info"), refuse(200, {"model_id": "x"})))),
    (Kind.LITELLM, (listed("qwen3:8b", "x"), (at("/health/readiness"), refuse(200, {"litellm_version": "1"})))),
    (Kind.OTHER, (listed("qwen3:8b", "x"),)),
    # a server that has one answer for every address
    (Kind.OTHER, (listed("qwen3:8b", "x"), (lambda arrival: True, refuse(200, {"data": [{"id": "x"}]})))),
)


@pytest.mark.parametrize(("kind", "rules"), SERVERS, ids=lambda value: str(value) if isinstance(value, Kind) else "")
def test_a_server_is_found_with_its_kind_and_its_models(kind: Kind, rules: tuple[Rule, ...]) -> None:
    with Imitation(rules) as server:
        found = look((server.port,), HOST, LONG, 10 * LONG)

    assert found == (Found(server.address, kind, ("qwen3:8b", "x")),)
    assert {one.method for one in server.arrivals} == {"GET"}
    assert not any({"authorization", "cookie"} & set(one.headers) for one in server.arrivals)


def test_an_ollama_without_models_is_found() -> None:
    rules: tuple[Rule, ...] = (
        (listing, refuse(200, {"object": "list", "data": None})),
        (at("/api/version"), refuse(200, {"version": "0.20"})),
    )

    with Imitation(rules) as server:
        assert look((server.port,), HOST, LONG, 10 * LONG) == (Found(server.address, Kind.OLLAMA),)


def test_a_server_that_wants_a_key_is_found_without_its_models() -> None:
    with Imitation(((listing, refuse(401, {"error": "no key"})),)) as server:
        assert look((server.port,), HOST, LONG, 10 * LONG) == (Found(server.address, Kind.OTHER, needs_key=True),)


@pytest.mark.parametrize(
    "act",
    [
        refuse(200, "<html>Hello</html>", kind="text/html"),
        refuse(200, {"hello": "world"}),
        refuse(200, "[1, 2"),
        refuse(404),
        refuse(307, None, {"Location": "http://127.0.0.1:9/"}),
        refuse(200, "[" * 100_000),
    ],
)
def test_another_program_on_the_port_is_no_model_server(act: object) -> None:
    with Imitation(((listing, act),)) as server:  # type: ignore[arg-type]
        assert look((server.port,), HOST, LONG, 10 * LONG) == ()


def test_a_silent_program_and_a_closed_port_are_not_waited_for() -> None:
    with Imitation(()) as closed:
        port = closed.port
    with Imitation(((listing, silent),)) as server:
        assert look((port, server.port), HOST, 0.1) == ()


@pytest.mark.soak
def test_a_program_that_sends_without_end_is_left_behind() -> None:
    with Imitation(((listing, drip_forever),)) as server, Imitation((listed("a", owner="vllm"),)) as good:
        found = look((server.port, good.port), HOST, LONG, 3.0)

    assert [one.models for one in found] == [("a",)]


def test_several_are_found_at_once_in_the_order_of_the_ports() -> None:
    with Imitation((listed("a"),)) as one, Imitation((listed("b"),)) as two:
        found = look((two.port, one.port), (*HOST, "::1"), LONG, 10 * LONG)

    assert [server.models for server in found] == [("b",), ("a",)]


@pytest.mark.parametrize(
    ("told", "names"),
    [
        ({"models": [{"name": "a/b c.gguf"}, {"model": "d"}]}, ("a/b c.gguf", "d")),
        (["a", {"id": "b"}, 3, None], ("a", "b")),
        ({"data": [{"id": "hid\u200bden"}, {"id": "\x1b[31m"}, {"id": "a" * 301}, {"id": "a"}, {"id": "a"}]}, ("a",)),
        ({"data": None}, ()),
        ("x", ()),
        (None, ()),
    ],
)
def test_names_of_models_are_read_from_any_shape(told: object, names: tuple[str, ...]) -> None:
    assert names_in(told) == names


def test_of_thousands_of_models_the_first_ones_are_named() -> None:
    assert len(names_in([{"id": str(number)} for number in range(5000)])) == MOST_NAMES
