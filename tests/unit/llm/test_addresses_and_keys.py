"""An address is taken as people paste it; a key is for one origin, and shows itself nowhere."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import pytest

from jupyter_mcpgen.errors import NoKey, SettingsError
from jupyter_mcpgen.llm.address import clean_address, in_a_sentence, origin_of, stays_here
from jupyter_mcpgen.llm.keys import SERVICE, find_key

SECRET = "sk-secret-of-the-test"
OPENAI = "https://api.openai.com/v1"
HERE = "http://localhost:4000"


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("http://localhost:8000/v1/", "http://localhost:8000/v1"),
        ("localhost:11434", "http://localhost:11434"),
        (" https://api.example.com/v1/chat/completions ", "https://api.example.com/v1"),
        ("https://r.openai.azure.com/openai/v1/?a=1", "https://r.openai.azure.com/openai/v1?a=1"),
        ("http://[::1]:8080/v1/models", "http://[::1]:8080/v1"),
    ],
)
def test_an_address_is_the_base_of_what_was_pasted(text: str, address: str) -> None:
    assert clean_address(text) == address


@pytest.mark.parametrize("text", ["", "ftp://a/v1", "http://", "http://a:b/v1", "file:///etc/passwd"])
def test_what_is_no_address_of_a_server_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="not the address"):
        clean_address(text)


def test_a_password_in_an_address_is_refused_without_repeating_it() -> None:
    with pytest.raises(SettingsError, match=r"llm\.api_key_env") as refused:
        clean_address(f"https://me:{SECRET}@api.example.com/v1")

    assert SECRET not in str(refused.value)


@pytest.mark.parametrize(
    ("address", "model", "here"),
    [
        ("http://localhost:11434/v1", "qwen3", True),
        ("http://127.0.0.2:11434/v1", "qwen3", True),
        ("http://[::1]:1/v1", "qwen3", True),
        ("http://localhost:11434/v1", "gpt-oss:120b-cloud", False),
        ("http://192.168.1.2:11434/v1", "qwen3", False),
        ("https://localhost.example.com/v1", "qwen3", False),
        (OPENAI, "gpt-5", False),
    ],
)
def test_what_stays_on_this_machine_is_known(address: str, model: str, here: bool) -> None:
    assert stays_here(address, model) is here


def test_words_of_a_server_are_shown_on_one_line_and_obeyed_by_nothing() -> None:
    assert in_a_sentence("a\n`b`\x1b[31m\u202e" + "c" * 900)[:24] == "a 'b'\\x1b[31m\\u202eccccc"
    assert len(in_a_sentence("c" * 900)) == 200


def _no_ring(service: str, user: str) -> str | None:
    return None


def test_a_key_comes_from_the_variable_that_was_named() -> None:
    key = find_key(HERE, "MY_KEY", {"MY_KEY": f" {SECRET}\n"}, _no_ring)

    assert key is not None
    assert key.for_origin(origin_of(HERE)) == SECRET


def test_a_named_variable_that_is_not_set_is_an_error() -> None:
    with pytest.raises(NoKey, match="`MY_KEY`"):
        find_key(HERE, "MY_KEY", {"MY_KEY": " "}, _no_ring)


def test_the_usual_variable_of_a_maker_is_for_the_makers_address_alone() -> None:
    environment = {"OPENAI_API_KEY": SECRET}

    usual = find_key(OPENAI, None, environment, _no_ring)

    assert usual is not None
    assert usual.variable == "OPENAI_API_KEY"
    for other in (HERE, "https://api.openai.com.example.com/v1", "http://api.openai.com/v1"):
        assert find_key(other, None, environment, _no_ring) is None


def test_the_keyring_is_asked_for_the_origin_and_never_for_this_machine() -> None:
    asked: list[tuple[str, str]] = []

    def ring(service: str, user: str) -> str | None:
        asked.append((service, user))
        return SECRET

    assert find_key(HERE, None, {}, ring) is None
    kept = find_key(OPENAI, None, {}, ring)

    assert kept is not None
    assert (kept.variable, asked) == (None, [(SERVICE, "https://api.openai.com")])


def test_a_key_is_given_to_no_other_origin_and_is_neither_shown_nor_stored() -> None:
    key = find_key(OPENAI, "MY_KEY", {"MY_KEY": SECRET}, _no_ring)

    assert key is not None
    with pytest.raises(ValueError, match="not for"):
        key.for_origin("https://example.com")
    with pytest.raises(TypeError, match="not stored"):
        pickle.dumps(key)
    assert SECRET not in f"{key} {key!r}"


@pytest.mark.parametrize(
    "beginning",
    ["", "sys.modules['keyring'] = None", "os.environ['PYTHON_KEYRING_BACKEND'] = 'keyring.backends.fail.Keyring'"],
    ids=["as it is here", "not installed", "no ring"],
)
def test_a_keyring_that_is_missing_or_fails_is_one_without_a_key(beginning: str) -> None:
    code = (
        f"import os, sys; {beginning}\nfrom jupyter_mcpgen.llm.keys import from_keyring; print(from_keyring('a', 'b'))"
    )
    environment = {**os.environ, "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)

    assert (done.stdout, done.stderr) == ("None\n", "")
