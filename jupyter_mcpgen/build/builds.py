"""Runs builds one after the other in a thread of this process, and gives the status of builds of any process."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jupyter_mcpgen import __version__
from jupyter_mcpgen.build.kept import Claim, KeptBuild, KeptBuilds, new_id
from jupyter_mcpgen.build.module_source import read_module
from jupyter_mcpgen.build.order import ALL, Kind, Order, order
from jupyter_mcpgen.build.output import Output, is_unchanged
from jupyter_mcpgen.build.own_tests import PackageTests
from jupyter_mcpgen.build.products import Course, products
from jupyter_mcpgen.build.records import BuildStarted, BuildStatus, State
from jupyter_mcpgen.build.subjects import Approved, Subject, digest_of
from jupyter_mcpgen.errors import BuildError, BuildStopped, McpgenError, UnknownVersion
from jupyter_mcpgen.plan.visible import visible
from jupyter_mcpgen.registry.store import Registry
from jupyter_mcpgen.sandbox.cancellation import Cancellation

DEFAULT_FOLDER = "dist"
MOST_WAITING = 20
_LOOK_SECONDS = 0.1
_SUMMARY = 2_000
_LONGEST_ID = 64


@dataclass(frozen=True)
class _Queued:
    """A build that this process is to make."""

    kept: KeptBuild
    claim: Claim
    order: Order
    subject: Subject
    output: Output


class Builds:
    """Starts builds and looks after them; `now` gives the time as it is kept."""

    def __init__(self, registry: Registry, folder: Path, tests: PackageTests, now: Callable[[], str]) -> None:
        self._registry = registry
        self._kept = KeptBuilds(folder)
        self._tests = tests
        self._now = now
        self._lock = threading.Lock()
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mcpgen-build")
        self._running: dict[str, Future[None]] = {}
        self._is_closed = False

    def trigger(
        self,
        target: str,
        place: Callable[[], Path],
        config: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        clean: bool = False,
        source: Callable[[str], Path] | None = None,
    ) -> BuildStarted:
        """Begin to build a target into a folder; what cannot be built is said at once, and nothing is raised.

        `source` returns the path of a module that is named, and `place` the folder to write into, both with links
        followed, or they raise why they may not be used. The same content as that of an earlier build whose files are
        still as they were made is not built again, unless `clean` asks for it.
        """
        shown = visible(target[:_LONGEST_ID])
        try:
            asked = order(target, config or {}, options or {})
            subject = self._subject(asked, source or folder_of_person)
            output = Output(place())
            content = _content(asked, subject, output)
            built = None if clean else self._built(content)
            if built is not None:
                return self._again(built)
            return self._queue(asked, subject, output, content)
        except McpgenError as error:
            return BuildStarted(status="failure", message=f"`{shown}` was not built.", error_message=str(error))

    def status(self, build_id: str) -> BuildStatus:
        """Return the status of a build, whichever process runs it."""
        kept = self._kept.read(build_id)
        if kept is None:
            return BuildStatus(build_id=visible(build_id[:_LONGEST_ID]), status=State.ERROR, message="Invalid build_id")
        return BuildStatus(
            build_id=kept.build_id,
            status=kept.state,
            progress_percentage=kept.progress,
            message=kept.message,
            artifact_paths=tuple(each.path for each in kept.artifacts),
            artifacts=kept.artifacts,
            log_file_path=str(self._kept.log(kept.build_id)),
            error_details=kept.error,
        )

    def cancel(self, build_id: str) -> BuildStatus:
        """Ask a build to stop, in whichever process; it stops at its next step, and one that is over stays as it is."""
        found = self.status(build_id)
        if found.status in (State.PENDING, State.IN_PROGRESS):
            self._kept.ask_to_stop(found.build_id)
        return found

    def wait(self, build_id: str) -> BuildStatus:
        """Return how a build of this process ended, once it is over."""
        with self._lock:
            running = self._running.get(build_id)
        if running is not None:
            running.result()
        return self.status(build_id)

    def close(self) -> None:
        """Cancel the builds of this process, and wait until they have stopped; nothing more is built."""
        with self._lock:
            self._is_closed = True
            running = [build_id for build_id, each in self._running.items() if not each.done()]
        for build_id in running:
            self._kept.ask_to_stop(build_id)
        self._worker.shutdown()

    def log(self, build_id: str) -> str:
        """Return the log of a build."""
        return self._kept.read_log(build_id)

    def _subject(self, asked: Order, source: Callable[[str], Path]) -> Subject:
        """Return what is built, its files read; those of tools are compared with their approval."""
        match asked.kind:
            case Kind.MODULE:
                return read_module(source(asked.name), asked.version)
            case Kind.SERVER:
                return self._active(asked.config.tools)
            case Kind.DOCS:
                return self._active(() if asked.name == ALL else (asked.name,))
            case _:
                return (self._approved(asked),)

    def _active(self, names: Collection[str]) -> tuple[Approved, ...]:
        """Return the named active tools, or all."""
        wanted = sorted(set(names)) or [tool.name for tool in self._registry.active()]
        if not wanted:
            raise BuildError("There is no active tool to build anything of. Approve one first.")
        return tuple(Approved(*self._registry.loaded(name)) for name in wanted)

    def _approved(self, asked: Order) -> Approved:
        """Return a version of an active tool with its files, each compared with its approval."""
        tool, package = self._registry.loaded(asked.name)
        if asked.version in (None, tool.version):
            return Approved(tool, package)
        versions = self._registry.versions(asked.name)
        for version in versions:
            if version.version == asked.version:
                return Approved(version, self._registry.approved_package(version))
        why = f"`{asked.name}` has no version {asked.version}."
        raise UnknownVersion(asked.name, why, tuple(each.version for each in versions))

    def _built(self, content: str) -> KeptBuild | None:
        """Return the latest build of the same content whose files are all as it made them."""
        for kept in self._kept.everything():
            if kept.content == content and kept.state is State.SUCCESS and all(map(is_unchanged, kept.artifacts)):
                return kept
        return None

    def _again(self, built: KeptBuild) -> BuildStarted:
        return BuildStarted(
            status="success",
            build_id=built.build_id,
            message=f"`{built.target}` was built before, and its files are unchanged. To build it "
            "anew, use `--clean`, over MCP and in Python `clean_build`.",
            artifact_paths=tuple(each.path for each in built.artifacts),
            log_output_summary=self._kept.read_log(built.build_id)[-_SUMMARY:],
        )

    def _queue(self, asked: Order, subject: Subject, output: Output, content: str) -> BuildStarted:
        with self._lock:
            self._running = {key: each for key, each in self._running.items() if not each.done()}
            if self._is_closed:
                raise BuildError("The server ends and builds nothing more. Start it again.")
            if len(self._running) >= MOST_WAITING:
                raise BuildError(f"{MOST_WAITING} builds wait already. Try again when one of them is over.")
            kept = KeptBuild(build_id=new_id(), target=asked.target, content=content, created_at=self._now())
            try:
                claim = self._kept.create(kept)
            except OSError as error:
                raise BuildError(f"Builds cannot be kept: {error.strerror or error}. Free some space.") from error
            queued = _Queued(kept, claim, asked, subject, output)
            self._running[kept.build_id] = self._worker.submit(self._carry_out, queued)
        return BuildStarted(
            status="pending", build_id=kept.build_id, message=f"Build for target `{asked.target}` initiated."
        )

    def _carry_out(self, queued: _Queued) -> None:
        build = _Build(queued.kept, self._kept, queued.order.options.timeout_seconds)
        try:
            with build.watched() as course:
                course.step(10, f"`{queued.order.target}` is read: {digest_of(queued.subject)}.")
                made = products(queued.order, queued.subject, self._tests, course)
                course.step(90, f"Writing into `{queued.output.folder}`.")
                artifacts = queued.output.write(made.files, self._made)
            for each in artifacts:
                build.note(f"{each.path}: {each.size:,} bytes, sha256 {each.sha256}")
            message = f"The build is done. {made.remark}".rstrip()
            build.told(state=State.SUCCESS, progress=100, message=message, artifacts=artifacts)
        except BuildStopped as stopped:
            is_late = build.is_late
            build.told(
                state=State.FAILURE if is_late else State.CANCELLED,
                message="The build failed." if is_late else "The build was cancelled; nothing was written.",
                error=str(stopped) if is_late else "",
            )
        except Exception as error:  # whatever it is, the build ended, and who asks must hear of it
            build.told(state=State.FAILURE, message="The build failed.", error=f"{_named(error)}{error}")
        finally:
            queued.claim.give_up()

    def _made(self, path: Path) -> Collection[str]:
        """Return the digests of all that builds wrote at a path."""
        wanted = str(path)
        return {each.sha256 for kept in self._kept.everything() for each in kept.artifacts if each.path == wanted}


class _Build:
    """One build under way: what is kept of it, and whether it is to stop."""

    def __init__(self, kept: KeptBuild, builds: KeptBuilds, seconds: float) -> None:
        self._kept = kept
        self._builds = builds
        self._seconds = seconds
        self._end = time.monotonic() + seconds
        self._cancellation = Cancellation()

    @property
    def is_late(self) -> bool:
        """Whether it took longer than it may."""
        return time.monotonic() >= self._end

    @contextmanager
    def watched(self) -> Iterator[Course]:
        """Stop what runs in the block when the build is not wanted any more, or takes too long."""
        over = threading.Event()

        def look() -> None:
            while not over.wait(_LOOK_SECONDS):
                if self._is_to_stop:
                    self._cancellation.cancel()
                    return

        watcher = threading.Thread(target=look, name="mcpgen-build-watch", daemon=True)
        watcher.start()
        try:
            yield Course(self._step, self.note, self._cancellation, lambda: self._end - time.monotonic())
        finally:
            over.set()
            watcher.join()

    def told(self, **changes: object) -> None:
        """Keep its status, and log it."""
        self._kept = self._kept.replace(**changes)
        self._builds.write(self._kept)
        self.note(f"{self._kept.progress:3} % {self._kept.message}{f' {self._kept.error}' if self._kept.error else ''}")

    def note(self, text: str) -> None:
        """Log a line."""
        self._builds.write_log(self._kept.build_id, visible_lines(text))

    def _step(self, percent: int, message: str) -> None:
        if self._is_to_stop:
            raise BuildStopped(f"The build took longer than {self._seconds:g} s. Nothing was written.")
        self.told(state=State.IN_PROGRESS, progress=percent, message=message)

    @property
    def _is_to_stop(self) -> bool:
        return self.is_late or self._builds.is_asked_to_stop(self._kept.build_id)


def folder_of_person(given: str | None) -> Path:
    """Return the folder that a person named, links followed; without one, `dist` in the current folder."""
    try:
        return Path(given or DEFAULT_FOLDER).expanduser().resolve()
    except (OSError, ValueError, RuntimeError) as error:  # a loop of links, a zero byte, a name too long
        raise BuildError(f"`{visible(str(given))}` cannot be a folder: {error}. Choose another.") from error


def visible_lines(text: str) -> str:
    """Return text whose lines hold nothing that a terminal would obey."""
    return "\n".join(map(visible, text.splitlines()))


def _content(asked: Order, subject: Subject, output: Output) -> str:
    """Return a digest of all that decides what is built and where it is written."""
    parts: dict[str, object] = {
        "product": __version__,
        "kind": asked.kind,
        "name": asked.name,
        "subject": digest_of(subject),
        "config": asked.config.model_dump(),
        "skip_tests": asked.options.skip_tests,
        "folder": str(output.folder),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _named(error: Exception) -> str:
    return "" if isinstance(error, McpgenError) else f"{type(error).__name__}: "
