"""Places are shared fairly between the bearers of tokens, and a line has an end."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from jupyter_mcpgen.errors import SandboxBusy
from jupyter_mcpgen.server.slots import Slots


class Scene:
    """Calls that stay in their places until they are told to leave, and who began in which order."""

    def __init__(self, slots: Slots) -> None:
        self.slots = slots
        self.begun: list[str] = []
        self._calls: list[tuple[asyncio.Task[None], asyncio.Event]] = []

    async def call(self, owner: str) -> asyncio.Task[None]:
        """Begin a call, and give it time to take its place or to wait."""
        leaves = asyncio.Event()

        async def stay() -> None:
            async with self.slots.place(owner):
                self.begun.append(owner)
                await leaves.wait()

        task = asyncio.create_task(stay())
        self._calls.append((task, leaves))
        await settle()
        return task

    async def leave(self, number: int) -> None:
        """End a call by its number."""
        self._calls[number][1].set()
        await settle()

    async def end(self) -> None:
        """End all calls."""
        for _, leaves in self._calls:
            leaves.set()
        await asyncio.gather(*(task for task, _ in self._calls), return_exceptions=True)


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_one_owner_uses_all_places_and_no_more() -> None:
    async def story() -> list[str]:
        scene = Scene(Slots(2))
        for _ in range(3):
            await scene.call("a")
        begun = list(scene.begun)
        await scene.end()
        return begun

    assert asyncio.run(story()) == ["a", "a"]


def test_whoever_runs_nothing_gets_a_place_although_another_holds_all() -> None:
    async def story() -> tuple[list[str], int]:
        scene = Scene(Slots(2))
        for owner in ("a", "a", "a", "b", "b"):
            await scene.call(owner)
        begun = list(scene.begun)
        await scene.end()
        return begun, scene.slots.taken

    assert asyncio.run(story()) == (["a", "a", "b"], 0)


def test_there_are_never_more_than_twice_the_places() -> None:
    async def story() -> list[str]:
        scene = Scene(Slots(2))
        for owner in ("a", "a", "b", "c", "d", "e"):
            await scene.call(owner)
        begun = list(scene.begun)
        await scene.end()
        return begun

    assert asyncio.run(story()) == ["a", "a", "b", "c"]


def test_of_those_who_wait_whoever_runs_the_least_is_next() -> None:
    async def story() -> list[str]:
        scene = Scene(Slots(1))
        for owner in ("a", "b", "a", "a", "b"):
            await scene.call(owner)
        await scene.leave(0)  # now b runs one, and the next of a runs none
        await scene.leave(1)
        begun = list(scene.begun)
        await scene.end()
        return begun

    assert asyncio.run(story()) == ["a", "b", "a", "b"]


def test_a_line_that_is_too_long_is_refused_for_its_owner_only() -> None:
    async def story() -> list[str]:
        scene = Scene(Slots(1, most_waiting=2))
        for _ in range(3):
            await scene.call("a")
        with pytest.raises(SandboxBusy, match="2 calls of yours already wait"):
            await (await scene.call("a"))
        await scene.call("b")
        begun = list(scene.begun)
        await scene.end()
        return begun

    assert asyncio.run(story()) == ["a", "b"]


@pytest.mark.parametrize("number", [0, 1])
def test_a_call_that_is_given_up_leaves_its_place_or_the_line(number: int) -> None:
    async def story() -> tuple[list[str], int]:
        async with AsyncExitStack() as cleanup:
            scene = Scene(Slots(1))
            cleanup.push_async_callback(scene.end)
            calls = [await scene.call("a") for _ in range(3)]
            calls[number].cancel()
            await settle()
            if number == 1:
                await scene.leave(0)
            return list(scene.begun), scene.slots.taken

    assert asyncio.run(story()) == (["a", "a"], 1)
