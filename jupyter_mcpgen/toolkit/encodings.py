"""In which encoding a text file is written, told from all of its bytes; two readings that differ are not chosen from.

UTF-8 is certain where every byte fits. Of the older encodings those are weighed under which the words look like words:
one alphabet, no symbol between letters, no capital behind a small letter, the letters that its languages use.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

HEAD_BYTES = 1 << 20
MIXED = "mixed"
"""Some lines are UTF-8, the others Windows-1252."""
_WESTERN = frozenset("äöüßÄÖÜéèêëÉÈÊËàâÀÂçÇùûÙÛôÔîïÎÏñÑáíóúÁÍÓÚåæøœÅÆØŒãõÃÕòìªºðþýÐÞÝ")
_ICELANDIC = frozenset("ðþýÐÞÝ")
"""Where Windows-1252 has these, Windows-1254 has Turkish letters that are as frequent."""
_CENTRAL = frozenset("ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžÁČĎÉĚÍŇŘŠŤÚŮÝŽäôĺľŕÄÔĽöőüűÖŐÜŰđĐăâîşţĂÂÎŞŢßç")
_TURKISH = frozenset("çğıöşüÇĞİÖŞÜâîû")
_PARTS_OF_WORDS = frozenset("’ʼ·")
_BESIDE_WORDS = frozenset("€£¥°–—“”„‘’‚«»…§²³µ½¼¾±×™®©•·¿¡\u00a0、。「」・ー　（），：")
_EAST_ASIAN = dict.fromkeys(("CJK", "HIRAGANA", "KATAKANA"), "CJK") | {"HANGUL": "HANGUL"}
_COMMON_LEADS = {
    ("gb18030", "CJK"): (0xB0, 0xD7),
    ("big5", "CJK"): (0xA4, 0xC6),
    ("cp932", "CJK"): (0x88, 0x97),
    ("euc_jp", "CJK"): (0xB0, 0xCF),
    ("cp949", "HANGUL"): (0xB0, 0xC8),
}
"""The first bytes of the signs that are in daily use, by encoding and kind of sign."""
_MOST_SAMPLED = 1 << 16
_CLEAN, _MARGIN, _STRANGE = 0.05, 0.12, 0.7


class UnclearTextError(ValueError):
    """A text file that may be read in several ways, or not as it is written; who knows better can say how."""


class _Candidate(NamedTuple):
    """An encoding, the letters beyond ASCII that its languages use, and how much must speak for it beforehand."""

    codec: str
    letters: frozenset[str] | None
    cost: float


_CANDIDATES = (
    _Candidate("cp1252", _WESTERN, 0.0),
    _Candidate("cp1250", _CENTRAL, 0.1),
    _Candidate("cp1254", _TURKISH, 0.1),
    _Candidate("cp1251", None, 0.02),
    _Candidate("cp1253", None, 0.02),
    _Candidate("koi8-r", None, 0.05),
    _Candidate("cp850", _WESTERN, 0.1),
    _Candidate("cp437", _WESTERN, 0.12),
    _Candidate("mac_roman", _WESTERN, 0.15),
    _Candidate("cp932", None, 0.0),
    _Candidate("gb18030", None, 0.0),
    _Candidate("big5", None, 0.0),
    _Candidate("cp949", None, 0.0),
    _Candidate("euc_jp", None, 0.02),
)


class _Reading(NamedTuple):
    """What a sample says in one encoding, and how far its words are from words."""

    codec: str
    text: str
    cost: float


def encoding_of(path: Path, most_bytes: int | None = None) -> str:
    """Return the codec of a text file, or `MIXED`; `most_bytes` looks at no more than its beginning.

    Raises `ValueError` for a file that is no text, or whose words could be read in two ways.
    """
    with path.open("rb") as file:
        head = file.read(4096)
        marked = _by_mark(head)
        if marked is not None:
            return marked
        file.seek(0)
        decoder, fits, at = codecs.getincrementaldecoder("utf-8")(), True, 0
        while chunk := file.read(HEAD_BYTES):
            if b"\0" in chunk:
                raise ValueError(f"`{path.name}` cannot be read as a table: it is a binary file, not text. {_TEXT}")
            at += len(chunk)
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError:
                fits = False
                break
            if most_bytes is not None and at >= most_bytes:
                break
        if fits:
            return "utf-8-sig"
        file.seek(0)
        return _older(path, file)


def decoded(path: Path, encoding: str) -> str:
    """Return the text of a file, its line ends as they are and no mark at its start; raises `ValueError`."""
    content = path.read_bytes()
    if encoding != MIXED:
        try:
            return content.decode(encoding).removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            raise ValueError(
                f"`{path.name}` cannot be read as a table: it is not {encoding} throughout: {error}."
            ) from error
    return "".join(_of_either(line) for line in content.splitlines(keepends=True))


def lines_of_the_other_encoding(path: Path) -> list[int]:
    """Return the numbers of the lines of a `MIXED` file that are not UTF-8."""
    lines = path.read_bytes().splitlines()
    return [number for number, line in enumerate(lines, 1) if not _is_utf_8(line)]


_TEXT = "Name a CSV file, or use its proper suffix."


def _by_mark(head: bytes) -> str | None:
    """Return the encoding that a mark at the start names, or that every other byte is zero."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    pairs = len(head) // 2
    if pairs < 2:
        return None
    zeros = [head[place : 2 * pairs : 2].count(0) for place in (0, 1)]
    if sum(zeros) * 4 > len(head) and min(zeros) * 20 < max(zeros):
        return "utf-16-le" if zeros[1] > zeros[0] else "utf-16-be"
    return None


def _is_utf_8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _of_either(line: bytes) -> str:
    return line.decode("utf-8") if _is_utf_8(line) else line.decode("cp1252")


def _older(path: Path, lines: Iterable[bytes]) -> str:
    """Return the older encoding of lines that are not all UTF-8."""
    sample, sampled, is_mixed, one_way = bytearray(), 0, False, False
    for line in lines:
        if line.isascii():
            continue
        if _is_utf_8(line):
            is_mixed = True
            continue
        one_way = True
        if sampled < _MOST_SAMPLED:
            sample += line.rstrip(b"\r\n") + b"\n"
            sampled += len(line)
    content = bytes(sample)
    if is_mixed and one_way:
        try:
            content.decode("cp1252")
        except UnicodeDecodeError as error:
            raise UnclearTextError(
                f"`{path.name}` cannot be read as a table: it mixes several encodings. {_SAVE}"
            ) from error
        return MIXED
    return _likeliest(path, content)


_SAVE = "Save it as UTF-8, or name its encoding."


def _likeliest(path: Path, sample: bytes) -> str:
    readings = sorted(_readings(sample), key=lambda reading: reading.cost)
    if not readings or readings[0].cost > _STRANGE:
        raise UnclearTextError(
            f"`{path.name}` cannot be read as a table: its text is in no encoding that is known. {_SAVE}"
        )
    best = readings[0]
    near = [one for one in readings[1:] if one.text != best.text and one.cost - best.cost < _MARGIN]
    if near and not (best.codec == "cp1252" and best.cost <= _CLEAN):
        ours, theirs = _where_they_differ(best.text, near[0].text)
        raise UnclearTextError(
            f"`{path.name}` cannot be read as a table: its encoding cannot be told. “{ours}” in {best.codec} is "
            f"“{theirs}” in {near[0].codec}. {_SAVE}"
        )
    return best.codec


def _readings(sample: bytes) -> Iterator[_Reading]:
    for codec, letters, cost in _CANDIDATES:
        try:
            text = sample.decode(codec)
        except UnicodeDecodeError:
            continue
        yield _Reading(codec, text, cost + _strangeness(text, codec, letters))


def _where_they_differ(ours: str, theirs: str) -> tuple[str, str]:
    for one, other in zip(re.split(r"[\s,;|]+", ours), re.split(r"[\s,;|]+", theirs), strict=False):
        if one != other:
            return one[:40], other[:40]
    return ours[:40], theirs[:40]


def _strangeness(text: str, codec: str, letters: frozenset[str] | None) -> float:
    """Return how strange the words beyond ASCII look, 0 to about 1 for each of them."""
    words = [word for word in re.split(r"[\x00-\x26\x28-\x40\x5b-\x60\x7b-\x7f\s]+", text) if not word.isascii()]
    return sum(min(_strange(word, codec, letters), 1.5) for word in words) / len(words) if words else 0.0


def _strange(word: str, codec: str, letters: frozenset[str] | None) -> float:
    inner = word.strip("'" + "".join(_BESIDE_WORDS))
    cost, scripts = 0.0, set()
    for before, sign, after in zip(f" {inner}", inner, f"{inner[1:]} ", strict=False):
        if sign.isascii() or sign in _PARTS_OF_WORDS:
            scripts.add("LATIN") if sign.isalpha() else None
            cost += float(sign.isupper() and before.islower() and not before.isascii())
        elif not unicodedata.category(sign).startswith(("L", "M")):
            cost += float(sign not in _BESIDE_WORDS or before.isalpha())
        else:
            script = _script(sign)
            scripts.add(script)
            cost += float(sign.isupper() and before.isalpha() and (before.islower() or after.islower()))
            if script == "LATIN":
                expected = letters is not None and sign in letters and not _is_out_of_place(codec, before, sign, after)
                cost += (0.2 if codec == "cp1252" and sign in _ICELANDIC else 0.0) if expected else 0.5
                cost += 0.4 if before.isalpha() and not before.isascii() else 0.0
            else:
                cost += _rareness(sign, codec, script)
    return cost + (1.0 if len({_EAST_ASIAN.get(script, script) for script in scripts}) > 1 else 0.0)


def _is_out_of_place(codec: str, before: str, sign: str, after: str) -> bool:
    """Tell whether a Western letter stands where its languages do not write it, and those of others do."""
    if codec != "cp1252":
        return False
    return (sign in "õÕ" and after != "e") or (sign == "ì" and after.isalpha()) or (sign == "þ" and before.isalpha())


def _script(sign: str) -> str:
    return unicodedata.name(sign, "UNKNOWN").split()[0].split("-")[0]


def _rareness(sign: str, codec: str, script: str) -> float:
    """Return how rare an East Asian sign is where an encoding is used: the common ones come first in its tables."""
    if script == "HALFWIDTH":
        return 0.6
    if script not in _EAST_ASIAN:
        return 0.0
    if script in ("HIRAGANA", "KATAKANA"):
        return 0.0 if codec in ("cp932", "euc_jp") else 0.5
    lead, *_ = sign.encode(codec)
    first, last = _COMMON_LEADS.get((codec, script), (1, 0))
    return 0.0 if first <= lead <= last else 0.5
