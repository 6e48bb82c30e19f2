"""Two server processes over one registry behind a balancer: no answer is lost or crossed, and counts are shared."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from jupyter_mcpgen.calling import Rates
from jupyter_mcpgen.errors import RateLimitError
from jupyter_mcpgen.model.confirmation import Confirms
from jupyter_mcpgen.model.consent import ConsentDecision
from jupyter_mcpgen.model.offered import Offering
from jupyter_mcpgen.registry.layout import Layout
from jupyter_mcpgen.registry.monitoring import Monitor
from jupyter_mcpgen.runtime import Runtime, build, now
from jupyter_mcpgen.server import tokens
from jupyter_mcpgen.server.listening import version_at
from jupyter_mcpgen.settings import load_settings, state_folder

pytestmark = pytest.mark.alone

SOON = 60.0
PATIENCE = 300.0
HOST = "127.0.0.1"
MOST_A_MINUTE = 600
TWICE = "def {name}(x):\n    return 2 * x"
CRASH = (
    "def crash(depth):\n    items = iter([1])\n    for _ in range(depth):\n        items = filter(None, items)\n"
    "    return next(items)"
)
DEEP = 1_000_000
"""So many iterators inside each other crash the process: their C code calls itself until its stack is full."""


async def closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with contextlib.suppress(OSError):  # the other end was faster
        await writer.wait_closed()


@dataclass
class Balancer:
    """Gives each request to the next server, or to the other one where the first took nothing."""

    ports: Sequence[int]
    given: Counter[int] = field(default_factory=Counter)
    _turn: Iterator[int] = field(default_factory=itertools.count)
    _serving: set[asyncio.Task[None]] = field(default_factory=set)

    @contextlib.asynccontextmanager
    async def balancing(self) -> AsyncIterator[str]:
        """Serve, and give the address."""
        server = await asyncio.start_server(self._serve, HOST, 0)
        async with server:
            yield f"http://{HOST}:{server.sockets[0].getsockname()[1]}/mcp"
        await asyncio.gather(*self._serving)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        task.add_done_callback(self._serving.discard)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            lines = [line for line in head.split(b"\r\n") if line and not line.lower().startswith(b"connection:")]
            size = next((int(line.split(b":")[1]) for line in lines if line.lower().startswith(b"content-length:")), 0)
            request = b"\r\n".join([*lines, b"Connection: close", b"", b""]) + await reader.readexactly(size)
            await self._forward(request, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client has gone
        finally:
            await closed(writer)

    async def _forward(self, request: bytes, writer: asyncio.StreamWriter) -> None:
        first = next(self._turn)
        for place in range(first, first + 100):
            port = self.ports[place % len(self.ports)]
            if await self._answered(port, request, writer):
                self.given[port] += 1
                return
            await asyncio.sleep(0.05)

    async def _answered(self, port: int, request: bytes, writer: asyncio.StreamWriter) -> bool:
        """Pass a request on, and tell whether anything came back."""
        try:
            reader, upstream = await asyncio.open_connection(HOST, port)
        except OSError:
            return False
        answered = False
        try:
            upstream.write(request)
            while chunk := await reader.read(65_536):
                answered = True
                writer.write(chunk)
                await writer.drain()
        except OSError:
            pass  # the server has ended; with nothing answered it has read nothing, as it finishes what it began
        finally:
            await closed(upstream)
        return answered


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("two")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JUPYTER_DATA_DIR", str(folder / "jupyter"))
        patch.setenv("JUPYTER_CONFIG_DIR", str(folder / "config"))
        patch.setenv("MCPGEN_REGISTRY__PATH", str(folder / "registry"))
        yield folder


@pytest.fixture(scope="module")
def person(home: Path) -> Iterator[Runtime]:
    made = build(load_settings().values)
    yield made
    made.sandbox.close()


def approve(person: Runtime, name: str, code: str, most: int = MOST_A_MINUTE) -> None:
    """Offer a tool as a client does, and allow it as a person does."""
    limits = {"rate_limit_per_minute": most, "timeout_seconds": 30}
    card = person.client_tools.register(
        Offering.model_validate({"name": name, "source_code": code, "resource_limits": limits}), "tester"
    )
    request = person.consents.request(card.card_id)
    person.consents.decide(request.request_id, request.token, ConsentDecision.ALLOW, [Confirms.UNCHECKED])


def start(home: Path, port: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "jupyter_mcpgen.server", "--http", "--stateless", "--port", str(port)]
    places = ["--registry", str(home / "registry"), "--state", str(state_folder() / "server")]
    return subprocess.Popen([*command, *places], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for(*ports: int) -> None:
    until = time.monotonic() + PATIENCE
    while not all(version_at(HOST, port) for port in ports):
        assert time.monotonic() < until
        time.sleep(0.1)


def free_ports(count: int) -> list[int]:

    with contextlib.ExitStack() as stack:
        taken = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in taken:
            one.bind((HOST, 0))
        return [one.getsockname()[1] for one in taken]


@dataclass
class Pair:
    """Two servers; the second may be started again."""

    home: Path
    ports: list[int]
    processes: list[subprocess.Popen[bytes]]

    def restart_second(self) -> int:
        """End the second server as a person does, start it again at its port, and return how the first one ended."""
        self.processes[1].send_signal(signal.SIGTERM)
        ended = self.processes[1].wait(SOON)
        self.processes[1] = start(self.home, self.ports[1])
        wait_for(self.ports[1])
        return ended


@pytest.fixture
def pair(home: Path, person: Runtime) -> Iterator[Pair]:
    ports = free_ports(2)
    made = Pair(home, ports, [start(home, port) for port in ports])
    wait_for(*ports)
    yield made
    for process in made.processes:
        process.terminate()
    for process in made.processes:
        process.wait(SOON)


@contextlib.asynccontextmanager
async def connected(url: str, name: str, era: str) -> AsyncIterator[Client]:
    token = tokens.issue(state_folder() / "server", name, now=time.time())
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http,
        Client(streamable_http_client(url, http_client=http), mode=era, cache=None) as client,
    ):
        yield client


async def call_many(url: str, number: int, numbers: Sequence[int], tools: Sequence[str], crash_every: int) -> list[str]:
    """Call for each number, and return what is wrong with the answers."""
    wrong: list[str] = []
    async with connected(url, f"client{number}", ("auto", "legacy")[number % 2]) as client:
        for x in numbers:
            crashes = x % crash_every == 0
            name = "crash" if crashes else tools[x % len(tools)]
            answer = await client.call_tool(name, {"depth": DEEP + x} if crashes else {"x": x})
            text = answer.content[0].text
            right = "SIGSEGV" in text and answer.is_error if crashes else answer.structured_content == {
                "status": "success", "result": 2 * x}  # fmt: skip
            if not right:
                wrong.append(f"{name}({x}) gave {text[:200]}")
    return wrong


def used(home: Path) -> dict[str, tuple[int, int]]:
    found = Monitor(Layout(home / "registry"), now).read().tools
    return {name: (use.calls, use.errors) for name, use in found.items()}


async def storm(
    pair: Pair, clients: int, calls: int, tools: Sequence[str], crash_every: int
) -> tuple[list[str], Balancer]:
    """Have clients call all at once, and restart a server when a third of the answers is there."""
    balancer = Balancer(pair.ports)
    async with balancer.balancing() as url:

        async def restart() -> None:
            while balancer.given.total() < clients * calls // 3:
                await asyncio.sleep(0.05)
            await asyncio.to_thread(pair.restart_second)

        beside = asyncio.create_task(restart())
        told = await asyncio.gather(
            *(
                call_many(url, number, range(1 + number * calls, 1 + (number + 1) * calls), tools, crash_every)
                for number in range(clients)
            )
        )
        await beside
    return [line for lines in told for line in lines], balancer


def check_storm(pair: Pair, person: Runtime, clients: int, calls: int, several: int, crash_every: int) -> None:
    tools = [f"twice{number}_{clients}" for number in range(several)]
    for name in tools:
        approve(person, name, TWICE.format(name=name))
    if "crash" not in {made.offered.name for made in person.client_tools.all()}:
        approve(person, "crash", CRASH)
    before = used(pair.home)

    wrong, balancer = asyncio.run(storm(pair, clients, calls, tools, crash_every))

    crashes = sum(x % crash_every == 0 for x in range(1, 1 + clients * calls))
    after = used(pair.home)
    assert wrong == []
    assert min(balancer.given[port] for port in pair.ports) > clients * calls // 10
    assert sum(after[name][0] for name in tools) == clients * calls - crashes
    assert [after["crash"][place] - before.get("crash", (0, 0))[place] for place in (0, 1)] == [crashes, crashes]


@pytest.mark.soak
def test_no_answer_is_lost_or_crossed_and_every_call_is_counted_once_while_one_server_is_restarted(
    pair: Pair, person: Runtime
) -> None:
    check_storm(pair, person, clients=4, calls=25, several=1, crash_every=25)


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_no_answer_is_lost_or_crossed_in_eight_thousand_calls(pair: Pair, person: Runtime) -> None:
    check_storm(pair, person, clients=8, calls=1000, several=8, crash_every=100)


@pytest.mark.soak
def test_a_tool_is_called_no_more_often_by_two_servers_than_by_one(pair: Pair, person: Runtime) -> None:
    approve(person, "rare", TWICE.format(name="rare"), most=5)

    async def story() -> list[str]:
        async with Balancer(pair.ports).balancing() as url, connected(url, "often", "auto") as client:
            answers = [await client.call_tool("rare", {"x": 1}) for _ in range(8)]
            return [answer.content[0].text for answer in answers]

    told = asyncio.run(story())

    assert told[:5] == ["2"] * 5
    assert len(told[5:]) == 3
    assert all("has a limit of 5 calls per minute" in text for text in told[5:]), told


_COUNTING = """
import sys
from pathlib import Path
from jupyter_mcpgen.calling import Rates
from jupyter_mcpgen.errors import RateLimitError
taken = 0
for _ in range(100):
    try:
        Rates(Path(sys.argv[1])).count("tool", 150)
        taken += 1
    except RateLimitError:
        pass
print(taken)
"""


def test_processes_that_count_at_once_lose_no_call(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _COUNTING, str(tmp_path / "rates")]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]

    taken = [int(process.communicate(timeout=PATIENCE)[0]) for process in processes]

    assert sum(taken) == 150


def test_a_call_is_forgotten_after_a_minute_and_so_are_those_before_the_machine_was_started(tmp_path: Path) -> None:
    clock = [1000.0]
    rates = Rates(tmp_path, lambda: clock[0])

    for _ in range(2):
        rates.count("tool", 2)
    with pytest.raises(RateLimitError):
        rates.count("tool", 2)
    clock[0] += 60
    rates.count("tool", 1)
    clock[0] = 5.0
    rates.count("tool", 1)

    with pytest.raises(RateLimitError):
        rates.count("tool", 1)
