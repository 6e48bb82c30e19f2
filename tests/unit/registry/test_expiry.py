"""A card that waits too long goes to the archive as it is, and can be reopened."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.errors import CardExpired
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.registry.store import Registry, open_registry
from tests.builders import approval, approved, draft, rejected
from tests.unit.registry.promoting import actions


class Clock:
    """A clock that a test sets."""

    now = "2026-03-01T12:00:00.000Z"

    def __call__(self) -> str:
        """Return the time that was set."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def registry(tmp_path: Path, clock: Clock) -> Registry:
    return Registry(tmp_path / "registry", clock=clock)


def test_only_cards_that_waited_longer_expire_and_nothing_of_them_is_lost(registry: Registry, clock: Clock) -> None:
    old, young = draft("old_one", "old-1"), draft("young_one", "young-1")
    registry.stage(*old.parts)
    clock.now = "2026-03-06T12:00:00.000Z"
    registry.stage(*young.parts)
    clock.now = "2026-03-08T12:00:01.000Z"

    expired = registry.expire(7)

    assert expired == ("old-1",)
    assert [candidate.tool_id for candidate in registry.staged()] == ["young-1"]
    assert registry.card("old-1") == old.card
    assert registry.package("old-1").code == old.package.code
    assert [path.name for path in (registry.root / "archive" / "expired").iterdir()] == ["old-1_1.0.0"]
    assert actions(registry) == ["EXPIRED"]


def test_an_expired_card_is_decided_only_after_it_was_reopened(registry: Registry, clock: Clock) -> None:
    made = draft("old_one", "old-1")
    registry.stage(*made.parts)
    clock.now = "2026-04-01T12:00:00.000Z"
    registry.expire(7)

    with pytest.raises(CardExpired, match="`%mcpgen reopen old-1`"):
        registry.promote("old-1", approval(made), approved())
    with pytest.raises(CardExpired):
        registry.reject("old-1", rejected())
    reopened = registry.reopen("old-1", "ada")

    assert reopened.status is ToolStatus.STAGED
    assert registry.expire(7) == (), "a reopened card waits anew"
    assert registry.promote("old-1", approval(made), approved()).name == "old_one"
    assert list((registry.root / "archive" / "expired").iterdir()) == []
    assert actions(registry) == ["EXPIRED", "REOPENED", "PROMOTED"]


def test_opening_a_registry_archives_what_waited_too_long_and_creates_none(tmp_path: Path) -> None:
    made = draft("old_one", "old-1", created_at="2020-01-01T00:00:00.000Z")
    Registry(tmp_path / "old", clock=lambda: "2020-01-01T00:00:00.000Z").stage(*made.parts)

    opened = open_registry(tmp_path / "old", 7)
    empty = open_registry(tmp_path / "none", 7)

    assert opened.staged() == empty.staged() == ()
    assert opened.card("old-1") == made.card
    assert not (tmp_path / "none").exists()
