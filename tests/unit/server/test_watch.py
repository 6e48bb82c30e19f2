"""A change of the folder is noticed, whenever and however it comes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import anyio
from watchfiles import Change

from jupyter_mcpgen.server.watch import changes, matters


def test_temporary_names_and_caches_are_noise():
    names = ("tools/a/tool.py", "metadata.json", ".metadata.json.x.tmp", "m.json.tmp", "a/__pycache__/t.pyc", "x.lock")

    assert [matters(Change.added, f"/registry/{name}") for name in names] == [True, True, False, False, False, False]


def test_a_folder_that_comes_later_is_noticed(tmp_path: Path):
    folder = tmp_path / "active"

    async def story() -> None:
        stop = anyio.Event()
        noticed = changes(folder, stop)
        waiting = asyncio.ensure_future(anext(noticed))
        await asyncio.sleep(0.05)
        folder.mkdir()
        (folder / "metadata.json").write_text("{}")
        assert await asyncio.wait_for(waiting, 20)
        stop.set()
        assert not any([changed async for changed in noticed])

    asyncio.run(story())
