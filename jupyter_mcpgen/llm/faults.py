"""What servers say when they refuse, in all their shapes, and the one field that a refusal is about."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import Any

from jupyter_mcpgen.llm.dialect import MAX_COMPLETION_TOKENS, MAX_TOKENS, Dialect, Mode
from jupyter_mcpgen.llm.schema import NOT_PORTABLE, keywords_of

_LONGEST = 20_000
_REFUSED = (400, 422)
_RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_FORMAT_WORDS = re.compile(
    r"response_format|response format|json_schema|json_object|json schema|schema|grammar|structured|xgrammar"
    r"|contain the word",
    re.IGNORECASE,
)
_KEYWORD_WORDS = re.compile(r"grammar|feature|invalid schema|unknown name|keyword", re.IGNORECASE)
"""What is said of a part of the schema, rather than of schemas at all."""
_ROLE_WORDS = re.compile(r"system role|system message|message role|roles must|jinja|chat template", re.IGNORECASE)
_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum context length|context window|contextwindow|too many tokens",
    re.IGNORECASE,
)
_TOO_LARGE = re.compile(r"too large|must be less|at most|maximum", re.IGNORECASE)
"""What is said of the number, and not of the name, of a limit."""
_CONTEXT_SIZES = (
    re.compile(r"maximum context length is (?P<room>[\d,]+)", re.IGNORECASE),
    re.compile(r"requested (?P<asked>[\d,]+)", re.IGNORECASE),
)
_NOT_FOUND = re.compile(r"model\b.*(not found|not exist|not a valid|unknown)|no such model|valid model", re.IGNORECASE)
_OUT_OF_MEMORY = re.compile(r"out of memory|requires more (system )?memory|cuda error", re.IGNORECASE)
_NO_CREDIT = re.compile(r"insufficient_quota|billing|credit balance", re.IGNORECASE)


@dataclass(frozen=True)
class Fault:
    """A refusal of a server: what it says is read from all the shapes that servers use."""

    status: int | None
    said: str
    code: str = ""
    param: str = ""
    """The field that it is about, where it says so."""
    retry_after: float | None = None
    asked: int | None = None
    room: int | None = None
    is_page: bool = False
    """Whether it is an HTML page: of a gateway, or of something that is no model server."""

    @property
    def words(self) -> str:
        """All that it says, to be searched."""
        return f"{self.code} {self.param} {self.said}"

    @property
    def is_loading(self) -> bool:
        """Return whether the model is still being loaded, so that waiting helps."""
        return self.status == 503 and "loading" in self.said.lower()

    @property
    def is_too_long(self) -> bool:
        """Return whether the prompt does not fit the model's context."""
        return self.status in (400, 413, 422, 500) and bool(self.room or _TOO_LONG.search(self.words))

    @property
    def is_without_model(self) -> bool:
        """Return whether the server does not have the model."""
        return self.status in (400, 404) and not self.is_page and bool(_NOT_FOUND.search(self.words))

    @property
    def is_without_credit(self) -> bool:
        """Return whether the account has no credit left; waiting does not help."""
        return (self.status == 402 and self.retry_after is None) or (
            self.status in (402, 403, 429) and bool(_NO_CREDIT.search(self.words))
        )

    @property
    def is_filtered(self) -> bool:
        """Return whether a filter kept the prompt from the model."""
        return self.status in _REFUSED and "content_filter" in self.words

    @property
    def can_be_retried(self) -> bool:
        """Return whether the same request may succeed a little later."""
        if _OUT_OF_MEMORY.search(self.said) or self.is_without_credit:
            return False
        return self.status in _RETRIED or (self.status == 402 and self.retry_after is not None)


def read_fault(status: int | None, body: str, headers: Mapping[str, str] | None = None) -> Fault:
    """Read a refusal from its body, which may be JSON of any shape, a page, or nothing."""
    text = body[:_LONGEST].strip()
    wait = _wait_of({name.lower(): value for name, value in (headers or {}).items()})
    if text[:1] == "<":
        return Fault(status, "an HTML page", retry_after=wait, is_page=True)
    try:
        record = json.loads(text) if text[:1] in '{["' else text
    except (ValueError, RecursionError):
        record = text
    return replace(fault_in(record, status), retry_after=wait)


def fault_in(record: Any, status: int | None = None) -> Fault:
    """Read a refusal from a record: `{"error": {…}}`, `{"error": "…"}`, `{"detail": […]}`, a list, or plain text."""
    if isinstance(record, list) and record:
        record = record[0]
    if not isinstance(record, Mapping):
        return Fault(status, record if isinstance(record, str) else "")
    error = record.get("error", record)
    if isinstance(error, str):
        return _sized(Fault(status, error, code=_word(record.get("error_type"))))
    if not isinstance(error, Mapping):
        error = record
    said = error.get("message") or error.get("msg") or _details(record.get("detail")) or record.get("message") or ""
    code = " ".join(part for key in ("code", "type", "status") if (part := _word(error.get(key))))
    number = error.get("code")
    return _sized(
        Fault(
            status if status is not None else number if isinstance(number, int) else None,
            said if isinstance(said, str) else json.dumps(said),
            code=code,
            param=_word(error.get("param")),
            asked=_count(error.get("n_prompt_tokens")),
            room=_count(error.get("n_ctx")),
        )
    )


def adjusted(dialect: Dialect, fault: Fault, schema: Mapping[str, Any] | None) -> Dialect | None:
    """Return the dialect with the one change that a refusal asks for, or `None` where it asks for none.

    A server that cannot compile a grammar or a template answers with 500; that is no outage either.
    """
    words = fault.words
    speaks_of_form = bool(_FORMAT_WORDS.search(words))
    speaks_of_roles = bool(_ROLE_WORDS.search(words))
    if fault.status not in _REFUSED and not (fault.status == 500 and (speaks_of_form or speaks_of_roles)):
        return None
    if fault.is_too_long or fault.is_filtered:
        return None
    if (MAX_TOKENS in words or MAX_COMPLETION_TOKENS in words) and dialect.limits:
        return replace(dialect, limits=() if _TOO_LARGE.search(words) else dialect.limits[1:])
    if "temperature" in words and dialect.temperature:
        return replace(dialect, temperature=False)
    if "top_p" in words and dialect.top_p:
        return replace(dialect, top_p=False)
    if "stream_options" in words and dialect.stream_usage:
        return replace(dialect, stream_usage=False)
    if speaks_of_roles and dialect.system:
        return replace(dialect, system=False)
    if schema is None or dialect.mode is Mode.TEXT:
        return None
    named = frozenset(word for word in keywords_of(schema) - {"type", "properties", "items"} if f'"{word}"' in words)
    if not speaks_of_form and not named:
        return None
    return _weaker_form(dialect, words, schema, named)


def _weaker_form(dialect: Dialect, words: str, schema: Mapping[str, Any], named: frozenset[str]) -> Dialect:
    """Leave out keywords that the server may not know; if there are none left, ask for the object in another way."""
    about_keywords = named or _KEYWORD_WORDS.search(words)
    drop = (NOT_PORTABLE | named) & keywords_of(schema) - set(dialect.dropped)
    if dialect.mode is Mode.SCHEMA and about_keywords and drop:
        return replace(dialect, dropped=tuple(sorted({*dialect.dropped, *drop})))
    if "'text'" in words and Mode.OBJECT.value not in words:
        return replace(dialect, mode=Mode.TEXT, dropped=())
    return dialect.weaker()


def _sized(fault: Fault) -> Fault:
    """Add the sizes that a text about a context tells."""
    found = {
        key: int(value.replace(",", ""))
        for size in _CONTEXT_SIZES
        if (hit := size.search(fault.said))
        for key, value in hit.groupdict().items()
    }
    return replace(fault, asked=fault.asked or found.get("asked"), room=fault.room or found.get("room"))


def _details(detail: Any) -> str:
    """Return the text of a validation error, as FastAPI sends it."""
    if isinstance(detail, str):
        return detail
    if not isinstance(detail, list):
        return ""
    parts = [part for part in detail if isinstance(part, Mapping)]
    return "; ".join(f"{'.'.join(str(step) for step in part.get('loc', ()))} {part.get('msg', '')}" for part in parts)


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _wait_of(headers: Mapping[str, str]) -> float | None:
    """Return the seconds after which a server takes the request again, where it says so in a form that is known."""
    with suppress(KeyError, ValueError):  # not given, or no number: another form may be
        return _seconds(headers["retry-after-ms"]) / 1000
    with suppress(KeyError, ValueError):
        return _seconds(headers["retry-after"])
    try:
        moment, sent = parsedate_to_datetime(headers["retry-after"]), parsedate_to_datetime(headers["date"])
    except (KeyError, TypeError, ValueError):
        return None
    return max((moment - sent).total_seconds(), 0.0)


def _seconds(text: str) -> float:
    """Return a number of a header, at least 0; raises `ValueError` for what is no number that anybody can wait."""
    number = float(text)
    if math.isnan(number):
        raise ValueError(f"`{text}` is no number")
    return max(number, 0.0)
