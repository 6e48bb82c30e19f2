"""A wheel and a source archive are as installers want them, and depend on nothing but their files."""

from __future__ import annotations

import base64
import hashlib
import io
import tarfile
import zipfile

from jupyter_mcpgen.build.archives import source_archive, wheel

FILES = {"p/__init__.py": b"", "p/data.json": b"{}" * 50_000, "p/a.py": "x = 'ß'\n".encode()}


def test_the_record_of_a_wheel_names_every_file_with_its_digest() -> None:
    archive = zipfile.ZipFile(io.BytesIO(wheel("p-1.0.0", FILES, b"Name: p\n", {"p": "p.command:main"})))
    record = dict(line.split(",", 1) for line in archive.read("p-1.0.0.dist-info/RECORD").decode().splitlines())

    assert record.keys() == set(archive.namelist())
    assert archive.namelist()[-1] == "p-1.0.0.dist-info/RECORD"
    for name in set(archive.namelist()) - {"p-1.0.0.dist-info/RECORD"}:
        content = archive.read(name)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        assert record[name] == f"sha256={digest},{len(content)}"
    assert archive.read("p-1.0.0.dist-info/entry_points.txt") == b"[console_scripts]\np = p.command:main\n"
    assert archive.testzip() is None


def test_a_source_archive_holds_its_files_in_one_folder() -> None:
    with tarfile.open(fileobj=io.BytesIO(source_archive("p-1.0.0", FILES)), mode="r:gz") as archive:
        found = {entry.name: archive.extractfile(entry).read() for entry in archive}
        about = {(entry.uid, entry.gid, entry.uname, entry.mode, entry.mtime) for entry in archive}

    assert found == {f"p-1.0.0/{name}": content for name, content in FILES.items()}
    assert about == {(0, 0, "", 0o644, 315_532_800)}


def test_the_order_of_files_changes_no_byte_and_the_bytes_are_these_everywhere() -> None:
    turned = dict(reversed(FILES.items()))
    made = [wheel("p-1.0.0", files, b"Name: p\n", {}) for files in (FILES, turned)]
    packed = [source_archive("p-1.0.0", files) for files in (FILES, turned)]

    assert (made[0], packed[0]) == (made[1], packed[1])
    assert [hashlib.sha256(each).hexdigest()[:16] for each in (made[0], packed[0])] == [
        "29cd6a07575ffab7",
        "63f833895d3216a9",
    ]
