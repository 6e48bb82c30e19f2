"""A runtime's file is loaded when it is the pinned one, and never otherwise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_mcpgen.errors import RuntimeNotReady
from jupyter_mcpgen.sandbox.wasm.artifacts import QUICKJS, Artifact, installed, located, verified
from jupyter_mcpgen.sandbox.wasm.compiled import is_private, made_private
from jupyter_mcpgen.sandbox.wasm.guest import CappedOutput, FolderGrant, GuestLimits

needs_extra = pytest.mark.skipif(
    installed(QUICKJS.package) is None or installed("wasmtime") is None, reason="the extra `wasm` is not installed"
)


def test_a_package_that_is_missing_is_named_with_the_command_that_installs_it() -> None:
    absent = Artifact("no-such-package-anywhere", "1", "x.wasm", "0")

    with pytest.raises(RuntimeNotReady, match=r"`no-such-package-anywhere` is not installed.*jupyter-mcpgen\[wasm\]"):
        located(absent)


@needs_extra
def test_the_pinned_file_is_found_and_is_what_it_must_be() -> None:
    assert verified(QUICKJS).name == "qjs-wasi-reactor.wasm"


@needs_extra
@pytest.mark.parametrize(
    ("artifact", "words"),
    [
        (replace(QUICKJS, version="0.14.0"), "only 0.14.0 is known to be the file"),
        (replace(QUICKJS, file="other.wasm"), "has no file `other.wasm`"),
        (replace(QUICKJS, sha256="0" * 64), "is not the file that was pinned"),
    ],
)
def test_another_version_or_content_is_refused(artifact: Artifact, words: str) -> None:
    with pytest.raises(RuntimeNotReady, match=words):
        verified(artifact)


def test_only_a_file_of_this_user_alone_is_private(tmp_path: Path) -> None:
    folder = made_private(tmp_path / "cache")
    file, link = folder / "file", folder / "link"
    file.write_bytes(b"x")
    file.chmod(0o600)
    link.symlink_to(file)

    assert (is_private(folder), is_private(file), is_private(link)) == (True, True, False)
    assert not is_private(folder / "nothing")
    file.chmod(0o640)
    assert not is_private(file)
    file.chmod(0o600)
    (folder / "second").hardlink_to(file)
    assert not is_private(file)


def test_a_folder_that_was_open_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o755)

    assert is_private(made_private(folder))


@pytest.mark.parametrize("name", ["fuel", "wall_seconds", "memory_bytes", "output_bytes"])
@pytest.mark.parametrize("value", [0, -1])
def test_a_limit_of_nothing_is_refused_by_its_name(name: str, value: int) -> None:
    with pytest.raises(ValueError, match=f"`{name}`"):
        GuestLimits(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("guest", ["app", "", "/app/..", "/../app"])
def test_a_grant_has_an_absolute_name_for_the_guest(tmp_path: Path, guest: str) -> None:
    with pytest.raises(ValueError, match="not an absolute path of a guest"):
        FolderGrant(tmp_path, guest)


def test_output_is_kept_up_to_its_cap_and_the_rest_is_only_counted() -> None:
    output = CappedOutput(5)
    output.write(b"abc")
    whole = output.overflow
    output.write(b"defg")

    assert (whole, output.kept, output.overflow) == (False, b"abcde", True)
