"""What model servers are known to do, one row each: the dialect, the quirk, and what a good client makes of it.

The numbers are of no meaning but to find a row. `GOOD` is the reply that every prompt of the tests asks for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jupyter_mcpgen import errors
from tests.imitations.acts import (
    DONE,
    always,
    chunk,
    cut,
    drip_blanks,
    endless,
    endless_refusal,
    error,
    event,
    first,
    listing,
    message,
    refuse,
    reset,
    says,
    says_as,
    sends,
    stream,
    streams,
    then_hang_up,
    whole,
)
from tests.imitations.server import Rule

GOOD: Mapping[str, Any] = {"colour": "red", "count": 3}
WRITTEN = json.dumps(GOOD)
ABSENT = "(absent)"
GOOD_REPLY: Rule = (always, says(WRITTEN))
CHAT = "/v1/chat/completions"


@dataclass(frozen=True)
class Quirk:
    """One row of the table."""

    name: str
    rules: tuple[Rule, ...]
    gives: Mapping[str, Any] | type[errors.ModelError] = field(default_factory=lambda: GOOD)
    says: str = ""
    """A part of the error's message."""
    requests: int = 1
    """How many requests for a completion arrive."""
    last: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the last request, by name."""
    pauses: tuple[float, ...] = ()
    """How long the client waits in between, in seconds, with half of the jitter."""
    long: bool = False
    """Whether the prompt is a long one."""


def _gpt_oss(text: str) -> str:
    return f"<|channel|>analysis<|message|>The colour is {{red}}<|end|><|channel|>final<|message|>{text}<|return|>"


SCHEMA, OBJECT = ("response_format.type", "json_schema"), ("response_format.type", "json_object")
FASTAPI = {"detail": [{"loc": ["body", "response_format"], "msg": "extra fields not permitted", "type": "value_error"}]}

QUIRKS = (
    Quirk(
        "any server: a plain good reply",
        (GOOD_REPLY,),
        last={"stream": True, "max_tokens": 2000, "response_format.type": "json_schema"},
    ),
    Quirk("any server: it does not stream", ((always, message(WRITTEN)),)),
    # --- what servers do not take
    Quirk(
        "LM Studio: no JSON mode, and the error is a text",
        (
            (sends(*SCHEMA), refuse(400, {"error": "json_schema is not supported by this model"})),
            (sends(*OBJECT), refuse(400, {"error": "'response_format.type' must be 'json_schema' or 'text'"})),
            GOOD_REPLY,
        ),
        requests=3,
        last={"response_format": ABSENT},
    ),
    Quirk(
        "LM Studio: only text, said at once",
        ((sends("response_format"), refuse(400, {"error": "'response_format.type' must be 'text'"})), GOOD_REPLY),
        requests=2,
        last={"response_format": ABSENT},
    ),
    Quirk(
        "old vLLM: an error without the key `error`, with a number as code",
        (
            (
                sends(*SCHEMA),
                refuse(
                    400,
                    {
                        "object": "error",
                        "message": "response_format json_schema is not supported",
                        "type": "BadRequestError",
                        "param": None,
                        "code": 400,
                    },
                ),
            ),
            GOOD_REPLY,
        ),
        requests=2,
        last={"response_format.type": "json_object"},
    ),
    Quirk(
        "vLLM: the schema has features that its grammar lacks",
        (
            (
                sends("response_format.json_schema.schema.properties.colour.pattern"),
                error(400, "The provided JSON schema contains features not supported by xgrammar."),
            ),
            GOOD_REPLY,
        ),
        requests=2,
        last={
            "response_format.type": "json_schema",
            "response_format.json_schema.schema.properties.colour.pattern": ABSENT,
        },
    ),
    Quirk(
        "vLLM: no schema is taken at all",
        (
            (sends(*SCHEMA), error(400, "The provided JSON schema contains features not supported by xgrammar.")),
            GOOD_REPLY,
        ),
        requests=3,
        last={"response_format.type": "json_object"},
    ),
    Quirk(
        "llama.cpp: the grammar of a pattern cannot be parsed",
        (
            (
                sends("response_format.json_schema.schema.properties.colour.pattern"),
                error(400, "Failed to initialize samplers: failed to parse grammar"),
            ),
            GOOD_REPLY,
        ),
        requests=2,
        last={"response_format.json_schema.schema.properties.colour.pattern": ABSENT},
    ),
    Quirk(
        "llama.cpp: a template without a system message answers 500",
        ((says_as("system"), error(500, "Jinja Exception: Unexpected message role.")), GOOD_REPLY),
        requests=2,
    ),
    Quirk(
        "Mistral: conversation roles must alternate",
        (
            (says_as("system"), error(400, "Conversation roles must alternate user/assistant/user/assistant/...")),
            GOOD_REPLY,
        ),
        requests=2,
    ),
    Quirk(
        "OpenAI's reasoning models: another name for the limit, and only one temperature",
        (
            (
                sends("max_tokens"),
                error(
                    400,
                    "Unsupported parameter: 'max_tokens' is not supported with this model. "
                    "Use 'max_completion_tokens' instead.",
                    code="unsupported_parameter",
                    param="max_tokens",
                ),
            ),
            (
                sends("temperature"),
                error(
                    400,
                    "Unsupported value: 'temperature' does not support 0.2 with this model.",
                    code="unsupported_value",
                    param="temperature",
                ),
            ),
            GOOD_REPLY,
        ),
        requests=3,
        last={"max_tokens": ABSENT, "max_completion_tokens": 2000, "temperature": ABSENT},
    ),
    Quirk(
        "a model with a smaller limit: the limit is left out",
        ((sends("max_tokens"), error(400, "max_tokens is too large: 2000")), GOOD_REPLY),
        requests=2,
        last={"max_tokens": ABSENT, "max_completion_tokens": ABSENT},
    ),
    Quirk(
        "OpenAI: JSON mode wants the word",
        (
            (sends(*SCHEMA), error(400, "Invalid parameter: 'response_format' of type 'json_schema' is not supported")),
            (
                sends(*OBJECT),
                error(400, "'messages' must contain the word 'json' in some form, to use 'response_format'"),
            ),
            GOOD_REPLY,
        ),
        requests=3,
        last={"response_format": ABSENT},
    ),
    Quirk(
        "Gemini: the error is a list, and a field is unknown",
        (
            (
                sends("top_p"),
                refuse(
                    400,
                    [
                        {
                            "error": {
                                "code": 400,
                                "message": 'Invalid JSON payload received. Unknown name "top_p": Cannot find field.',
                                "status": "INVALID_ARGUMENT",
                            }
                        }
                    ],
                ),
            ),
            GOOD_REPLY,
        ),
        requests=2,
        last={"top_p": ABSENT},
    ),
    Quirk(
        "Gemini: a keyword of the schema is unknown",
        (
            (
                sends("response_format.json_schema.schema.additionalProperties", False),
                refuse(
                    400,
                    [{"error": {"code": 400, "message": 'Invalid JSON payload: Unknown name "additionalProperties"'}}],
                ),
            ),
            GOOD_REPLY,
        ),
        requests=2,
        last={"response_format.type": "json_schema", "response_format.json_schema.schema.additionalProperties": ABSENT},
    ),
    Quirk(
        "Anthropic: usage in a stream is not asked for",
        ((sends("stream_options"), error(400, "stream_options: Extra inputs are not permitted")), GOOD_REPLY),
        requests=2,
        last={"stream_options": ABSENT},
    ),
    Quirk(
        "LiteLLM: the text of the error names its own class",
        (
            (
                sends("response_format"),
                error(400, "litellm.UnsupportedParamsError: x does not support parameters: ['response_format']"),
            ),
            GOOD_REPLY,
        ),
        requests=3,
        last={"response_format": ABSENT},
    ),
    Quirk(
        "TGI: 422 with a text",
        (
            (
                sends("response_format"),
                refuse(422, {"error": "Input validation error: grammar is not supported", "error_type": "validation"}),
            ),
            GOOD_REPLY,
        ),
        requests=4,
        last={"response_format": ABSENT},
    ),
    Quirk(
        "FastAPI: 422 with a list of details",
        ((sends("response_format"), refuse(422, FASTAPI)), GOOD_REPLY),
        requests=3,
        last={"response_format": ABSENT},
    ),
    Quirk("any server: a 400 that names nothing", ((always, refuse(400)),), errors.ModelServerFailed),
    Quirk(
        "any server: words that a terminal would obey",
        ((always, error(400, "\x1b[31mno\nreally`no`\u202e")),),
        errors.ModelServerFailed,
        says="“\\x1b[31mno really'no'\\u202e”",
    ),
    # --- the schema is taken, and not kept to
    Quirk("vLLM: prose although a schema was sent", ((always, says("The colour is red.")),), errors.UnreadableReply),
    Quirk(
        "llama.cpp: the grammar failed, and other keys come",
        ((always, says('{"color": "red"}')),),
        errors.UnreadableReply,
        says="colour",
    ),
    Quirk("gpt-oss, Qwen: a fence despite the schema", ((always, says(f"```json\n{WRITTEN}\n```")),)),
    Quirk("Anthropic: prose around the JSON", ((always, says(f"Here it is:\n\n{WRITTEN}\n\nTell me if …")),)),
    Quirk("gpt-oss: channels leak into the text", ((always, says(_gpt_oss(WRITTEN))),)),
    Quirk("DeepSeek: reasoning in the text", ((always, says(f'<think>{{"colour": "blue"}}</think>\n{WRITTEN}')),)),
    Quirk("Qwen: only the end of the reasoning", ((always, says(f'{{"colour": "blue"}}</think>{WRITTEN}')),)),
    Quirk(
        "any server: a tag within a string of the reply",
        ((always, says('{"colour": "<think>", "count": 3}')),),
        {"colour": "<think>", "count": 3},
    ),
    Quirk("any server: a comma too many", ((always, says('{"colour": "red", "count": 3,}')),)),
    Quirk("any server: a byte order mark", ((always, says(f"\ufeff{WRITTEN}")),)),
    Quirk("any server: the same object twice", ((always, says(f"{WRITTEN}\n{WRITTEN}")),)),
    Quirk(
        "any server: two different objects",
        ((always, says(f'{WRITTEN} or {{"colour": "blue", "count": 1}}')),),
        errors.UnreadableReply,
        says="several",
    ),
    Quirk("any server: wrapped below the prompt's name", ((always, says(json.dumps({"paint": GOOD}))),)),
    Quirk(
        "any server: wrapped below another name",
        ((always, says(json.dumps({"thing": GOOD}))),),
        errors.UnreadableReply,
    ),
    Quirk("any server: a list of one", ((always, says(f"[{WRITTEN}]")),)),
    Quirk(
        "any server: a key twice",
        ((always, says('{"colour": "red", "colour": "blue", "count": 3}')),),
        errors.UnreadableReply,
        says="twice",
    ),
    Quirk("any server: NaN", ((always, says('{"colour": "red", "count": NaN}')),), errors.UnreadableReply, says="NaN"),
    Quirk(
        "any server: a number as text",
        ((always, says('{"colour": "red", "count": "3"}')),),
        errors.UnreadableReply,
        says="count",
    ),
    Quirk(
        "any server: null as text",
        ((always, says('{"colour": "red", "count": "null"}')),),
        errors.UnreadableReply,
        says="count",
    ),
    Quirk("any server: smart quotes", ((always, says("{“colour”: “red”, “count”: 3}")),), errors.UnreadableReply),
    Quirk(
        "any server: a line break within a string",
        ((always, says('{"colour": "re\nd", "count": 3}')),),
        errors.UnreadableReply,
    ),
    Quirk("any server: single quotes", ((always, says("{'colour': 'red', 'count': 3}")),), errors.UnreadableReply),
    # --- what is not there
    Quirk(
        "Ollama: no such model",
        (
            (listing, refuse(200, {"object": "list", "data": [{"id": "tested-model", "owned_by": "library"}]})),
            (always, error(404, "model 'test-model' not found", type="not_found_error", param=None, code=None)),
        ),
        errors.NoSuchModel,
        says="Did you mean `tested-model`?",
    ),
    Quirk(
        "vLLM: no such model, and no list either",
        ((always, refuse(404, {"object": "error", "message": "The model `test-model` does not exist.", "code": 404})),),
        errors.NoSuchModel,
    ),
    Quirk(
        "OpenRouter: no such model, as 400",
        ((always, error(400, "test-model is not a valid model ID", code=400)),),
        errors.NoSuchModel,
    ),
    Quirk(
        "any server: a page of a login",
        ((always, refuse(200, "<html>Sign in</html>", kind="text/html; charset=utf-8")),),
        errors.NotAModelServer,
        says="sends a web page",
    ),
    Quirk(
        "a gateway: a page with 502, and then a reply",
        ((first(), refuse(502, "<html><h1>Bad gateway", kind="text/html")), GOOD_REPLY),
        requests=2,
        pauses=(0.75,),
    ),
    Quirk(
        "a gateway: a page with 504, for good",
        ((always, refuse(504, "<html>", kind="text/html")),),
        errors.ModelServerFailed,
        requests=3,
        pauses=(0.75, 1.5),
    ),
    Quirk("a refusal without end", ((always, endless_refusal),), errors.ModelServerFailed, says="xxx"),
    Quirk(
        "any server: sends on to another address",
        ((always, refuse(307, None, {"Location": "http://127.0.0.1:9/v1/chat/completions"})),),
        errors.NotAModelServer,
        says="another address",
    ),
    Quirk(
        "any server: half a JSON",
        ((always, refuse(200, '{"choices": [{"mess')),),
        errors.ModelServerFailed,
        says="half a reply",
        requests=3,
    ),
    Quirk("any server: an empty body", ((always, refuse(200)),), errors.ModelServerFailed, requests=3),
    Quirk("any server: an empty page", ((always, refuse(404, "", kind="text/html")),), errors.NotAModelServer),
    # --- keys
    Quirk(
        "any server: 401 with a body", ((always, error(401, "Incorrect API key provided: sk-te***")),), errors.WrongKey
    ),
    Quirk("any server: 401 without a body", ((always, refuse(401)),), errors.WrongKey, says="asks for a key"),
    Quirk("a firewall: 403", ((always, refuse(403, "<html>Forbidden", kind="text/html")),), errors.WrongKey),
    # --- too much
    Quirk(
        "OpenAI: the context is too small",
        (
            (
                always,
                error(
                    400,
                    "This model's maximum context length is 8192 tokens. However, you requested 9412 tokens.",
                    code="context_length_exceeded",
                    param="messages",
                ),
            ),
        ),
        errors.ContextTooSmall,
        says="It needs 9,412 tokens. It holds 8,192 tokens.",
    ),
    Quirk(
        "llama.cpp: the context is too small",
        (
            (
                always,
                error(
                    400,
                    "the request exceeds the available context size",
                    code=400,
                    type="exceed_context_size_error",
                    n_prompt_tokens=9412,
                    n_ctx=8192,
                ),
            ),
        ),
        errors.ContextTooSmall,
        says="It needs 9,412 tokens. It holds 8,192 tokens.",
    ),
    Quirk(
        "LiteLLM: the context is too small, in its own words",
        ((always, error(400, "litellm.ContextWindowExceededError: the prompt has 9412 tokens")),),
        errors.ContextTooSmall,
    ),
    Quirk(
        "Ollama: half of the prompt is dropped without a word",
        ((always, says(WRITTEN, usage={"prompt_tokens": 2050, "completion_tokens": 7})),),
        errors.ContextTooSmall,
        says="It holds 2,050 tokens.",
        long=True,
    ),
    Quirk(
        "LM Studio: a long prompt, and zeros for its usage",
        ((always, says(WRITTEN, usage={"prompt_tokens": 0, "completion_tokens": 0})),),
        long=True,
    ),
    Quirk(
        "Ollama: out of memory",
        ((always, error(500, "model requires more system memory (12 GiB) than is available (7 GiB)")),),
        errors.ModelServerFailed,
        says="more system memory",
    ),
    Quirk(
        "Ollama: busy, and then a reply",
        ((first(), error(503, "server busy, please try again. maximum pending requests exceeded")), GOOD_REPLY),
        requests=2,
        pauses=(0.75,),
    ),
    Quirk(
        "llama.cpp: the model is being loaded",
        ((first(5), error(503, "Loading model", code=503, type="unavailable_error")), GOOD_REPLY),
        requests=6,
        pauses=(2.0,) * 5,
    ),
    Quirk(
        "OpenAI: no credit",
        ((always, error(429, "You exceeded your current quota", code="insufficient_quota")),),
        errors.AccountSpent,
    ),
    Quirk("OpenRouter: no credit", ((always, error(402, "Insufficient credits")),), errors.AccountSpent),
    Quirk(
        "OpenRouter: a limit, with a time",
        ((first(), error(402, "limit reached", {"Retry-After": "3"}, limit_source="key")), GOOD_REPLY),
        requests=2,
        pauses=(3.0,),
    ),
    Quirk(
        "429 with seconds",
        ((first(), error(429, "slow down", {"Retry-After": "2"})), GOOD_REPLY),
        requests=2,
        pauses=(2.0,),
    ),
    Quirk(
        "429 with milliseconds",
        ((first(), error(429, "slow down", {"retry-after-ms": "800", "Retry-After": "9"})), GOOD_REPLY),
        requests=2,
        pauses=(0.8,),
    ),
    Quirk(
        "429 with a moment that has passed",
        ((first(), error(429, "slow down", {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"})), GOOD_REPLY),
        requests=2,
        pauses=(0.0,),
    ),
    Quirk(
        "429 with a whole day",
        ((always, error(429, "slow down", {"Retry-After": "86400"})),),
        errors.RateLimited,
        says="in 24 hours",
    ),
    Quirk(
        "429 with a word",
        ((first(), error(429, "slow down", {"Retry-After": "abc"})), GOOD_REPLY),
        requests=2,
        pauses=(0.75,),
    ),
    Quirk(
        "429 with no number",
        ((first(), error(429, "slow down", {"Retry-After": "nan"})), GOOD_REPLY),
        requests=2,
        pauses=(0.75,),
    ),
    Quirk("429 for good", ((always, error(429, "slow down")),), errors.RateLimited, requests=3, pauses=(0.75, 1.5)),
    Quirk("500 for good", ((always, error(500, "boom")),), errors.ModelServerFailed, requests=3, pauses=(0.75, 1.5)),
    # --- how a reply ends
    Quirk(
        "reasoning takes the whole limit: more room, once",
        (
            (sends("max_tokens", 2000), says("", finish="length", reasoning="Let me see. " * 50)),
            GOOD_REPLY,
        ),
        requests=2,
        last={"max_tokens": 16384},
    ),
    Quirk(
        "reasoning takes any limit",
        ((always, says("", finish="length", reasoning_content="Let me see. " * 50)),),
        errors.EmptyReply,
        says="after thinking",
        requests=2,
    ),
    Quirk(
        "reasoning in the text takes the whole limit",
        ((sends("max_tokens", 2000), says("<think>Let me see", finish="length")), GOOD_REPLY),
        requests=2,
    ),
    Quirk("Qwen: an empty reply, and then a good one", ((first(), says("")), GOOD_REPLY), requests=2),
    Quirk("any server: an empty reply for good", ((always, says("")),), errors.EmptyReply, requests=2),
    Quirk("any server: no choices", ((always, whole(choices=[], usage=None)),), errors.EmptyReply, requests=2),
    Quirk(
        "any server: choices are null",
        ((always, whole(choices=None, usage=None, id=None)),),
        errors.EmptyReply,
        requests=2,
    ),
    Quirk(
        "the limit of the reply",
        ((always, says('{"colour": "re', finish="length")),),
        errors.TruncatedReply,
        says="limit of 2,000 tokens",
    ),
    Quirk(
        "the limit is reached, and what is there looks whole",
        ((always, says(WRITTEN, finish="length")),),
        errors.TruncatedReply,
    ),
    Quirk("Ollama: the stream ends without saying so", ((always, says(WRITTEN, finish=None)),), errors.TruncatedReply),
    Quirk(
        "cut in the middle of an object",
        ((always, cut([event(chunk({"content": WRITTEN[:9]})), b'data: {"choices": [{"del'])),),
        errors.TruncatedReply,
    ),
    Quirk("cut after a piece", ((always, cut([event(chunk({"content": WRITTEN}))])),), errors.TruncatedReply),
    Quirk(
        "no `[DONE]`, but the reason why it ended",
        ((always, cut([event(chunk({"content": WRITTEN})), event(chunk({}, "stop"))])),),
    ),
    Quirk("another word for the end", ((always, says(WRITTEN, finish="eos")),)),
    Quirk("usage is missing", ((always, says(WRITTEN, usage=None)),)),
    Quirk("usage is null", ((always, stream([event({**chunk({"content": WRITTEN}, "stop"), "usage": None}), DONE])),)),
    Quirk(
        "OpenAI: declines",
        ((always, streams({"refusal": "I can't help with that."})),),
        errors.ModelRefused,
        says="“I can't help with that”",
    ),
    Quirk(
        "Azure: a filter stops the prompt",
        (
            (
                always,
                refuse(
                    400,
                    {
                        "error": {
                            "message": "The response was filtered",
                            "type": None,
                            "param": "prompt",
                            "code": "content_filter",
                            "status": 400,
                            "innererror": {"code": "ResponsibleAIPolicyViolation"},
                        }
                    },
                ),
            ),
        ),
        errors.ModelRefused,
        says="filter",
    ),
    Quirk(
        "Azure: a filter stops the reply",
        ((always, says(WRITTEN[:9], finish="content_filter")),),
        errors.ModelRefused,
        says="filter",
    ),
    Quirk(
        "Azure: the first piece has no choices",
        ((always, stream([event({"choices": []}), event(chunk({"content": WRITTEN}, "stop")), DONE])),),
    ),
    Quirk(
        "a call of a tool instead of a text",
        (
            (
                always,
                streams(
                    {
                        "content": None,
                        "tool_calls": [{"index": 0, "function": {"name": "f", "arguments": WRITTEN[:9]}}],
                    },
                    {"tool_calls": [{"index": 0, "function": {"arguments": WRITTEN[9:]}}]},
                    finish="tool_calls",
                ),
            ),
        ),
    ),
    Quirk(
        "a call of a tool with an object as arguments",
        ((always, message(None, "tool_calls", tool_calls=[{"function": {"name": "f", "arguments": GOOD}}])),),
    ),
    Quirk(
        "two calls of tools",
        (
            (
                always,
                streams(
                    {
                        "tool_calls": [
                            {"index": 0, "function": {"arguments": WRITTEN}},
                            {"index": 1, "function": {"arguments": WRITTEN}},
                        ]
                    },
                    finish="tool_calls",
                ),
            ),
        ),
        errors.EmptyReply,
        requests=2,
    ),
    Quirk("content in parts", ((always, message([{"type": "text", "text": WRITTEN}])),)),
    # --- errors with 200, and in streams
    Quirk(
        "OpenRouter: an error with 200",
        (
            (first(), refuse(200, {"error": {"code": 502, "message": "Provider returned error", "metadata": {}}})),
            GOOD_REPLY,
        ),
        requests=2,
        pauses=(0.75,),
    ),
    Quirk(
        "OpenRouter: an error in the middle of a stream",
        (
            (
                always,
                stream(
                    [
                        b": OPENROUTER PROCESSING\n\n",
                        event(chunk({"content": WRITTEN[:9]})),
                        event({**chunk({}, "error"), "error": {"code": 400, "message": "Provider disconnected"}}),
                    ]
                ),
            ),
        ),
        errors.ModelServerFailed,
        says="Provider disconnected",
    ),
    Quirk("a stream that ends with `error`", ((always, says(WRITTEN, finish="error")),), errors.ModelServerFailed),
    Quirk(
        "comments, other line ends, several lines, no space",
        (
            (
                always,
                stream(
                    [
                        b": ping\r\n\r\n",
                        b"event: message\r\nid: 1\r\ndata:"
                        + json.dumps(chunk({"role": "assistant"})).encode()
                        + b"\r\n\r\n",
                        b'data: {"choices":\r\ndata: [{"delta": '
                        + json.dumps({"content": WRITTEN}).encode()
                        + b",\r\n",
                        b'data: "finish_reason": "stop"}]}\r\n\r',
                        b"\ndata: [DONE]\r\n\r\n",
                    ]
                ),
            ),
        ),
    ),
    Quirk(
        "a character that is split between two packets",
        (
            (
                always,
                stream(
                    [
                        b'data: {"choices": [{"delta": {"content": "{\\"colour\\": \\"gr\xc3',
                        b'\xbcn\\", \\"count\\": 3}"}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n',
                    ]
                ),
            ),
        ),
        {"colour": "grün", "count": 3},
    ),
    Quirk("blanks without end", ((always, drip_blanks),), errors.UnreadableReply, says="nothing but blanks"),
    Quirk(
        "a line without end",
        ((always, endless("text/event-stream", b"data: ")),),
        errors.UnreadableReply,
        says="a line without end",
    ),
    Quirk(
        "a JSON without end",
        ((always, endless("application/json", b'{"choices": "')),),
        errors.UnreadableReply,
        says="far more than a reply has",
    ),
    Quirk(
        "usage that nobody believes",
        ((always, says(WRITTEN, usage={"prompt_tokens": 10**30, "completion_tokens": -1})),),
    ),
    Quirk(
        "a second choice that nobody asked for",
        (
            (
                always,
                stream(
                    [
                        event({"choices": [{"index": 1, "delta": {"content": "blue"}, "finish_reason": "stop"}]}),
                        event(chunk({"content": WRITTEN}, "stop")),
                        DONE,
                    ]
                ),
            ),
        ),
    ),
    # --- connections
    Quirk("the connection is lost, once", ((first(), reset), GOOD_REPLY), requests=2),
    Quirk("the connection is lost every time", ((always, reset),), errors.ModelServerFailed, requests=3),
    Quirk("the server closes between two requests", ((first(), then_hang_up(says(""))), GOOD_REPLY), requests=2),
)
