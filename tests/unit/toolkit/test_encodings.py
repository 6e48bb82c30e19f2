"""An encoding is named only where the words of a file are words in no other one."""

from __future__ import annotations

from pathlib import Path

import pytest

from jupyter_mcpgen.toolkit.encodings import MIXED, decoded, encoding_of, lines_of_the_other_encoding

TEXTS = {
    "cp1252": "Ort;Menge\nWürzburg;5\nTromsø;3\nÅlesund;1\nLogroño;2\nOrléans;7\n",
    "cp1250": "Miasto;Ilość\nRzeszów;5\nWałbrzych;3\nSieradz;1\n",
    "cp1251": "город;число\nРязань;5\nПермь;3\n",
    "cp1253": "πόλη;αριθμός\nΒόλος;5\nΧανιά;3\n",
    "koi8-r": "город;число\nРязань;5\nПермь;3\n",
    "cp850": "Ort;Menge\nWürzburg;5\nLüneburg;3\nKöthen;1\n",
    "mac_roman": "lieu;nombre\nAngoulême;5\nMontélimar;3\n",
    "cp932": "町,数\n札幌,5\nすいか,3\nバナナ,1\n",
    "euc_jp": "町,品\n札幌,すいか\n仙台,バナナ\n那覇,みかん\n旭川,りんご\n",
    "gb18030": "城市,水果\n成都,西瓜\n南京,香蕉\n深圳,苹果\n武汉,葡萄\n",
    "big5": "城市,數量\n花蓮,5\n嘉義,3\n",
    "utf-16": "Ort\tMenge\nWürzburg\t5\n",
    "utf-16-le": "Ort\tMenge\nWürzburg\t5\n",
    "utf-16-be": "Ort\tMenge\nWürzburg\t5\n",
    "utf-8": "Ort;Menge\nWürzburg;5\n",
    "utf-8-sig": "Ort;Menge\nŁomża;5\n",
}


def written(folder: Path, content: bytes) -> Path:
    path = folder / "t.csv"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("codec", TEXTS)
def test_a_text_is_read_as_it_was_written(tmp_path: Path, codec: str) -> None:
    path = written(tmp_path, TEXTS[codec].encode(codec))

    assert decoded(path, encoding_of(path)) == TEXTS[codec]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("il;x\nKuğu;1\n".encode("cp1254"), ()),
        ("도시,수\n광주,1\n울산,2\n".encode("cp949"), ()),
        ("il;x\nİzmir;1\n".encode("cp1254"), ("Ýzmir", "İzmir")),
    ],
)
def test_words_that_could_be_two_are_not_guessed(tmp_path: Path, content: bytes, words: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"its encoding cannot be told\. “.+” in \S+ is “.+” in \S+\.") as told:
        encoding_of(written(tmp_path, content))
    assert not words or any(f"“{word}”" in str(told.value) for word in words)


def test_lines_of_two_encodings_are_each_read_in_their_own(tmp_path: Path) -> None:
    lines = ["ort,menge\n", "Würzburg,5\n", "Lüneburg,3\n", "Ulm,1\n", "Köthen,2\n"]
    codecs = ["utf-8", "utf-8", "cp1252", "utf-8", "cp1252"]
    path = written(tmp_path, b"".join(line.encode(codec) for line, codec in zip(lines, codecs, strict=True)))

    assert encoding_of(path) == MIXED
    assert decoded(path, MIXED) == "".join(lines)
    assert lines_of_the_other_encoding(path) == [3, 5]


def test_a_letter_far_behind_the_beginning_counts(tmp_path: Path) -> None:
    plain = b"ort,menge\n" + b"Ulm,1\n" * 400_000
    path = written(tmp_path, plain + "Würzburg,5\nLüneburg,3\n".encode("cp1252"))

    assert encoding_of(path) == "cp1252"
    assert encoding_of(written(tmp_path, plain)) == "utf-8-sig"


def test_zero_bytes_are_no_text(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="it is a binary file, not text"):
        encoding_of(written(tmp_path, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"))
