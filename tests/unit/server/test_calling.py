"""Work for a call ends with the call, and holds its slot until it has ended."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import anyio
import pytest
from anyio import CapacityLimiter

from jupyter_mcpgen.errors import ToolFailed
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.server.calling import run_to_the_end

SOON = 20.0


def test_the_result_comes_back_and_the_slot_is_free() -> None:
    async def story() -> tuple[int, float]:
        slots = CapacityLimiter(1)
        return await run_to_the_end(lambda _: 42, slots), slots.borrowed_tokens

    assert asyncio.run(story()) == (42, 0)


def test_what_the_work_raises_comes_out_as_it_is() -> None:
    def fail(_: Cancellation) -> None:
        raise ToolFailed("in its own words")

    async def story() -> None:
        await run_to_the_end(fail, CapacityLimiter(1))

    with pytest.raises(ToolFailed, match="in its own words"):
        asyncio.run(story())


def test_a_cancelled_call_cancels_its_work_and_keeps_the_slot_until_that_is_over() -> None:
    may_end = threading.Event()

    def work(cancellation: Cancellation) -> None:
        heard = threading.Event()
        with cancellation.calling(heard.set):
            started.set()
            assert heard.wait(SOON)
        told.set()
        assert may_end.wait(SOON)

    started, told = threading.Event(), threading.Event()

    async def story() -> list[Any]:
        slots = CapacityLimiter(1)
        call = asyncio.create_task(run_to_the_end(work, slots))
        await asyncio.to_thread(started.wait, SOON)
        call.cancel()
        await asyncio.to_thread(told.wait, SOON)
        held = (slots.borrowed_tokens, call.done())
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await call
        return [held, slots.borrowed_tokens]

    assert asyncio.run(story()) == [(1, False), 0]


def test_a_call_that_is_cancelled_in_the_queue_never_begins() -> None:
    async def story() -> list[str]:
        slots, begun = CapacityLimiter(1), list[str]()
        await slots.acquire()
        call = asyncio.create_task(run_to_the_end(lambda _: begun.append("begun"), slots))
        await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        slots.release()
        return begun

    assert asyncio.run(story()) == []


def test_what_goes_on_meanwhile_ends_with_the_work() -> None:
    async def story() -> bool:
        ended = False

        async def meanwhile() -> None:
            nonlocal ended
            try:
                await anyio.sleep_forever()
            finally:
                ended = True

        await run_to_the_end(lambda _: None, CapacityLimiter(1), meanwhile)
        return ended

    assert asyncio.run(story()) is True
