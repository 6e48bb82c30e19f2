"""How many tokens may be used, by one question and on one day; a request that may need more is not sent.

Tokens and not money: they are known for every model, prices are not.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from filelock import FileLock

from jupyter_mcpgen.errors import BudgetSpent, RequestNotLogged
from jupyter_mcpgen.llm.kept import read_record, write_record

PER_QUESTION = "llm.budget.per_question"
PER_DAY = "llm.budget.per_day"


@dataclass(frozen=True)
class Prices:
    """What the person says that a million tokens cost."""

    input_per_mtok: float = 0.0
    output_per_mtok: float = 0.0
    cached_input_per_mtok: float | None = None
    currency: str = "USD"

    def cost(self, prompt: int, completion: int, cached: int = 0) -> float:
        """Return the cost of a request; reasoning counts as output."""
        reduced = self.input_per_mtok if self.cached_input_per_mtok is None else self.cached_input_per_mtok
        fresh = max(prompt - cached, 0) * self.input_per_mtok + cached * reduced
        return (fresh + completion * self.output_per_mtok) / 1_000_000


class Purse:
    """The tokens that one question may use."""

    setting = PER_QUESTION

    def __init__(self, cap: int | None) -> None:
        self.cap = cap
        self._spent = 0
        self._lock = threading.Lock()

    @property
    def spent(self) -> int:
        """Return how many are used, with those that are set aside."""
        return self._spent

    def set_aside(self, tokens: int) -> None:
        """Count tokens before they are used; raises `BudgetSpent`, and then counts nothing."""
        with self._lock:
            if self.cap is not None and self._spent + tokens > self.cap:
                raise BudgetSpent(self.setting, self.cap, self._spent, tokens)
            self._spent += tokens

    def correct(self, tokens: int) -> None:
        """Add what was used beyond that, or give the rest back as a negative number."""
        with self._lock:
            self._spent += tokens


class DayPurse:
    """The tokens that may be used on one day, by every process of this person; they are counted in a file."""

    setting = PER_DAY

    def __init__(self, cap: int | None, path: Path, today: Callable[[], date] = date.today) -> None:
        self.cap = cap
        self._path = path
        self._today = today

    @property
    def spent(self) -> int:
        """Return how many are used today, with those that are set aside."""
        record = read_record(self._path)
        if not isinstance(record, dict) or record.get("day") != self._today().isoformat():
            return 0
        tokens = record.get("tokens")
        return tokens if isinstance(tokens, int) else 0

    def set_aside(self, tokens: int) -> None:
        """Count tokens before they are used; raises `BudgetSpent`, and then counts nothing."""
        with self._locked():
            spent = self.spent
            if self.cap is not None and spent + tokens > self.cap:
                raise BudgetSpent(self.setting, self.cap, spent, tokens)
            self._write(spent + tokens)

    def correct(self, tokens: int) -> None:
        """Add what was used beyond that, or give the rest back as a negative number."""
        with self._locked():
            self._write(max(self.spent + tokens, 0))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with FileLock(self._path.with_suffix(".lock"), mode=0o600):
                yield
        except OSError as error:
            raise RequestNotLogged(self._path, error.strerror or str(error)) from error

    def _write(self, tokens: int) -> None:
        write_record(self._path, {"day": self._today().isoformat(), "tokens": tokens})


class Reserved:
    """Tokens set aside for one request; `used` says how many it took, else all of them count."""

    def __init__(self, tokens: int) -> None:
        self.tokens = tokens

    def used(self, tokens: int | None) -> None:
        """Correct the number when the server tells how many it were."""
        self.tokens = self.tokens if tokens is None else tokens


@contextmanager
def reserve(purses: tuple[Purse | DayPurse, ...], tokens: int) -> Iterator[Reserved]:
    """Set tokens aside in every purse for the time of a request; raises `BudgetSpent` before anything is sent."""
    taken: list[Purse | DayPurse] = []
    reserved = Reserved(tokens)
    try:
        for purse in purses:
            purse.set_aside(tokens)
            taken.append(purse)
    except (BudgetSpent, RequestNotLogged):
        for purse in taken:
            purse.correct(-tokens)
        raise
    try:
        yield reserved
    finally:
        for purse in taken:
            purse.correct(reserved.tokens - tokens)
