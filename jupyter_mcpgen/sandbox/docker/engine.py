"""Talks to a Docker or Podman engine: makes one container, watches it to its end, and always removes it.

The engine's word is what counts: how a container ended, whether it ran out of memory, what it used. An engine that
ignores the bounds it is asked for is refused, by what it admits and by what one small container finds.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Self

from jupyter_mcpgen.errors import ContainerFailed, EngineUnavailable, ImageMissing
from jupyter_mcpgen.sandbox.cancellation import Cancellation
from jupyter_mcpgen.sandbox.docker.archive import Member, archive
from jupyter_mcpgen.sandbox.docker.policy import (
    CODE,
    LABEL,
    UNTIL_LABEL,
    ContainerLimits,
    ContainerPolicy,
    engine_request,
)
from jupyter_mcpgen.sandbox.docker.proof import PROBE, PROBE_LIMITS, broken_promises, refused_engine
from jupyter_mcpgen.sandbox.docker.usage import Reading, of_group, of_stats

INSTALL = "pip install 'jupyter-mcpgen[docker]'"
_USUAL_PLACE = "unix:///var/run/docker.sock"
_CLIENT_SECONDS = 30
_GRACE_SECONDS = 60
_GUARD_SECONDS = 0.1
_SAMPLE_SECONDS = 0.02
_LAST_SAMPLE_SECONDS = 0.2
_END_SECONDS = 10


@dataclass(frozen=True)
class Image:
    """An image that is on the engine: its id, which cannot be moved to another content, and the folders it declares."""

    name: str
    id: str
    volumes: tuple[str, ...]


@dataclass(frozen=True)
class Ended:
    """How a container ended, as its engine and its host saw it."""

    container_id: str
    exit_code: int
    out_of_memory: bool
    timed_out: bool
    cancelled: bool
    overflow: bool
    stdout: bytes
    stderr: bytes
    wall_seconds: float
    used: Reading


@dataclass
class _Watch:
    """What is seen of a container while it runs."""

    cap: int
    kill: Callable[[], None]
    streams: tuple[bytearray, bytearray] = field(default_factory=lambda: (bytearray(), bytearray()))
    overflow: bool = False
    cancelled: bool = False
    used: Reading = field(default_factory=Reading)
    over: bool = False
    attention: threading.Event = field(default_factory=threading.Event)

    def read(self, source: Any) -> None:
        """Keep what arrives, up to the cap of each stream, and drain the rest: an engine that nobody reads hangs."""
        from docker.utils.socket import frames_iter

        for number, chunk in frames_iter(source, tty=False):
            if number in (1, 2):
                self._take(self.streams[number - 1], chunk)

    def _take(self, stream: bytearray, chunk: bytes) -> None:
        room = self.cap - len(stream)
        stream += chunk[:room]
        if len(chunk) > room:
            self.overflow = True
            self.attention.set()

    def guard(self, cancellation: Cancellation) -> None:
        """End the container at a flood of output, or when the caller wants it to end."""
        while not self.over:
            self.cancelled = cancellation.is_cancelled
            if self.cancelled or self.overflow:
                self.kill()
                return
            self.attention.wait(_GUARD_SECONDS)

    def sample(self, usage: Callable[[], Reading]) -> None:
        """Read what the container uses until it is over."""
        while not self.over:
            self.used = self.used.joined(usage())
            time.sleep(_SAMPLE_SECONDS)

    def end(self) -> None:
        """Let the guard and the sampler go."""
        self.over = True
        self.attention.set()


class Engine:
    """A connection to one engine; `connect` refuses an engine that cannot be trusted to bound anything."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._api = client.api
        self._proved: set[str] = set()
        self.close = weakref.finalize(self, client.close)  # also when it is forgotten, so that no connection stays open

    @classmethod
    def connect(cls, url: str | None = None) -> Self:
        """Return the engine that `DOCKER_HOST` names, or the usual one; raises `EngineUnavailable` with the cure."""
        try:
            import docker  # deferred: optional, 150 ms
            from docker.errors import DockerException
        except ImportError as error:
            raise EngineUnavailable(f"the package that talks to Docker is not installed; run `{INSTALL}`") from error
        place = url or os.environ.get("DOCKER_HOST") or _USUAL_PLACE
        try:
            _knock(place)
            client = (
                docker.DockerClient(base_url=url, timeout=_CLIENT_SECONDS)
                if url
                else docker.from_env(timeout=_CLIENT_SECONDS)
            )
            engine = cls(client)
            refused = refused_engine(client.info())
        except (DockerException, OSError) as error:
            raise EngineUnavailable(
                f"the Docker daemon is not running: nothing answered at `{place}`; start Docker or Podman, "
                "or set `DOCKER_HOST` to where it listens"
            ) from error
        if refused is not None:
            raise EngineUnavailable(refused)
        with _answering():
            engine.sweep()
        return engine

    def facts(self) -> dict[str, str]:
        """Return what the engine says of itself."""
        with _answering():
            info = self._client.info()
        return {
            "engine": f"{info.get('OperatingSystem', 'unknown system')}, {info.get('ServerVersion', 'unknown')}",
            "control groups": f"version {info.get('CgroupVersion', '1')}, driver {info.get('CgroupDriver', 'unknown')}",
            "rootless": "yes" if any("rootless" in option for option in info.get("SecurityOptions") or ()) else "no",
        }

    def image(self, name: str) -> Image:
        """Return an image that is on the engine; raises `ImageMissing`, and never fetches one."""
        from docker.errors import NotFound

        try:
            with _answering(NotFound):
                found = self._api.inspect_image(name)
        except NotFound as error:
            raise ImageMissing(name) from error
        volumes = tuple(sorted((found.get("Config") or {}).get("Volumes") or ()))
        return Image(name, found["Id"], volumes)

    def prove(self, image: Image) -> None:
        """Run one small container of an image that looks at its own bounds; raises when one does not hold."""
        if image.id in self._proved:
            return
        seen = self.probe(image)
        broken = broken_promises(seen.stdout.decode("utf-8", "replace"))
        if broken:
            words = (seen.stderr.decode("utf-8", "replace").strip() or "nothing on standard error")[-300:]
            raise EngineUnavailable(
                f"a container of `{image.name}` is not bounded as it was asked for: {'; '.join(broken)} ({words}). "
                "Use an engine that runs as root or has control groups version 2"
            )
        self._proved.add(image.id)

    def probe(self, image: Image) -> Ended:
        """Run the small container that looks at its own bounds, and return what it told."""
        policy = ContainerPolicy(image.id, ("/bin/sh", "-c", PROBE), limits=PROBE_LIMITS, volumes=image.volumes)
        return self._run(policy, (), Cancellation())

    def run(self, policy: ContainerPolicy, files: Iterable[Member], cancellation: Cancellation | None = None) -> Ended:
        """Run one container to its end with these files in its code folder, and remove it whatever happens."""
        return self._run(policy, files, cancellation or Cancellation())

    def sweep(self) -> int:
        """Remove what programs of ours that died left behind; return how many containers that were."""
        listed = self._api.containers(all=True, filters={"label": LABEL})
        old = [row["Id"] for row in listed if _is_over(row.get("Labels") or {}, time.time())]
        for container in old:
            self._remove(container)
        return len(old)

    def _run(self, policy: ContainerPolicy, files: Iterable[Member], cancellation: Cancellation) -> Ended:
        container = None
        try:
            with _answering():
                container = self._created(policy)
                self._api.put_archive(container, CODE, archive(files))
                return self._watched(container, policy.limits, cancellation)
        finally:
            if container is not None:
                self._remove(container)

    def _created(self, policy: ContainerPolicy) -> str:
        until = int(time.time() + policy.limits.wall_seconds + _GRACE_SECONDS)
        made = self._api.create_container_from_config(engine_request(policy, until))
        container: str = made["Id"]
        ignored = [words for words in made.get("Warnings") or () if _admits_ignoring(words)]
        if ignored:
            self._remove(container)
            raise EngineUnavailable(f"the engine says that it ignores a bound: {'; '.join(ignored)}")
        return container

    def _watched(self, container: str, limits: ContainerLimits, cancellation: Cancellation) -> Ended:
        watch = _Watch(limits.output_bytes, lambda: self._kill(container))
        stream = self._api.attach_socket(container, params={"stdout": 1, "stderr": 1, "stream": 1})
        try:
            self._api.start(container)
            begin = time.monotonic()
            with self._watching(watch, stream, container, cancellation):
                timed_out = not self._has_ended(container, limits.wall_seconds)
                wall_seconds = time.monotonic() - begin
                if timed_out:
                    self._kill(container)
                    self._has_ended(container, _END_SECONDS)
        finally:
            _close(stream)
        state = self._api.inspect_container(container)["State"]
        return Ended(
            container_id=container,
            exit_code=int(state.get("ExitCode", -1)),
            out_of_memory=bool(state.get("OOMKilled")),
            timed_out=timed_out and not watch.overflow and not watch.cancelled,
            cancelled=watch.cancelled,
            overflow=watch.overflow,
            stdout=bytes(watch.streams[0]),
            stderr=bytes(watch.streams[1]),
            wall_seconds=wall_seconds,
            used=watch.used,
        )

    @contextmanager
    def _watching(self, watch: _Watch, stream: Any, container: str, cancellation: Cancellation) -> Iterator[None]:
        """Read, guard and sample a container in threads of their own until the block ends."""
        reader = threading.Thread(target=watch.read, args=(stream,), daemon=True)
        guard = threading.Thread(target=watch.guard, args=(cancellation,), daemon=True)
        sampler = threading.Thread(target=watch.sample, args=(self._usage(container),), daemon=True)
        for thread in (reader, guard, sampler):
            thread.start()
        try:
            with cancellation.calling(watch.attention.set):
                yield
        except BaseException:
            self._kill(container)  # so that the reader comes to an end
            raise
        finally:
            watch.end()
            reader.join(_END_SECONDS)
            guard.join(_END_SECONDS)
            sampler.join(_LAST_SAMPLE_SECONDS)

    def _has_ended(self, container: str, seconds: float) -> bool:
        from requests.exceptions import ConnectionError as Broken
        from requests.exceptions import ReadTimeout

        try:
            self._api.wait(container, timeout=max(0.05, seconds))
        except (ReadTimeout, Broken) as error:
            if isinstance(error, Broken) and "timed out" not in str(error).lower():
                raise
            return False
        return True

    def _usage(self, container: str) -> Callable[[], Reading]:
        pid = self._api.inspect_container(container)["State"].get("Pid") or 0
        return of_group(container, pid) or (lambda: self._told(container))

    def _told(self, container: str) -> Reading:
        from docker.errors import DockerException

        with suppress(DockerException, OSError):  # it may be over already, and then there is nothing to measure
            return of_stats(self._api.stats(container, stream=False, one_shot=True))
        return Reading()

    def _kill(self, container: str) -> None:
        from docker.errors import DockerException

        with suppress(DockerException, OSError):  # it may be over already
            self._api.kill(container)

    def _remove(self, container: str) -> None:
        from docker.errors import DockerException

        with suppress(DockerException, OSError):  # what cannot be removed now is found by the next sweep
            self._api.remove_container(container, force=True, v=True)


@contextmanager
def _answering(*expected: type[Exception]) -> Iterator[None]:
    """Tell a refusal of the engine from an engine that went away; what is expected passes."""
    from docker.errors import APIError, DockerException

    try:
        yield
    except expected:
        raise
    except APIError as error:
        raise ContainerFailed(f"the engine refused it: {_first_line(error)}") from error
    except (DockerException, OSError) as error:
        raise EngineUnavailable(f"the Docker daemon went away ({_first_line(error)}); start it again") from error


def _knock(place: str) -> None:
    """Connect to a local socket once: the library leaves its own open when nobody answers."""
    if place.startswith("unix:"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as visitor:
            visitor.settimeout(_CLIENT_SECONDS)
            visitor.connect(place.removeprefix("unix:").replace("//", "", 1))


def _close(stream: Any) -> None:
    # The library hides the connection behind the stream, and closing the stream alone leaves it open.
    response = getattr(stream, "_response", stream)
    response.close()
    stream.close()


def _is_over(labels: Mapping[str, str], now: float) -> bool:
    until = labels.get(UNTIL_LABEL, "")
    return not until.isdigit() or int(until) < now


def _admits_ignoring(warning: str) -> bool:
    # Without control of swap, the memory itself is still bounded.
    said = warning.lower()
    return any(word in said for word in ("ignored", "discarded", "not supported")) and "swap" not in said


def _first_line(error: BaseException) -> str:
    said = str(getattr(error, "explanation", None) or error).strip() or type(error).__name__
    return said.splitlines()[0][:300]
