"""Data, names and places that cannot be used are named with the reason, and nothing is spoiled."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as parquet
import pytest

from jupyter_mcpgen.errors import (
    CorruptRegistry,
    DataTooHeavy,
    DataTooLarge,
    EmptyData,
    FoundNothing,
    NotUnderstood,
    RegistryReadOnly,
    UnknownData,
    UnreadableData,
)
from jupyter_mcpgen.model.candidate import ToolStatus
from jupyter_mcpgen.model.request import DataRef
from jupyter_mcpgen.pipeline import flow
from jupyter_mcpgen.runtime import Runtime
from tests.flow.asking.product import ACCIDENTS, Waiting, figures, keep, staged
from tests.products import new_runtime


@pytest.mark.parametrize(
    ("name", "content", "error", "message"),
    [
        ("empty.csv", b"", EmptyData, "`.*empty.csv` is empty"),
        ("binary.csv", b"\x00\x01\x02", UnreadableData, "cannot be read as a table: it is a binary file"),
        ("broken.parquet", b"PAR1nonsense", UnreadableData, "cannot be read as a table"),
        ("broken.json", b"{", UnreadableData, "cannot be read as a table: it is not valid JSON"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_the_reason(
    runtime: Runtime, tmp_path: Path, name: str, content: bytes, error: type[Exception], message: str
) -> None:
    (tmp_path / name).write_bytes(content)

    with pytest.raises(error, match=message):
        runtime.reference(str(tmp_path / name))


def test_a_file_that_is_not_there_is_named_with_the_nearest_one(runtime: Runtime, accidents: DataRef) -> None:
    with pytest.raises(UnknownData, match=r"no file named `.*acidents.csv`\. Did you mean `.*accidents.csv`\?"):
        runtime.reference(accidents.path.replace("accidents", "acidents"))


def test_a_file_that_vanished_since_it_was_named_is_said_to_be_gone(runtime: Runtime, accidents: DataRef) -> None:
    Path(accidents.path).unlink()

    with pytest.raises(UnknownData, match=r"no file named `accidents.csv`"):
        runtime.ask("average severity by weather", accidents)


@pytest.mark.parametrize("name", ["zeros.arrow", "words.arrow", "words.parquet"])
def test_a_small_file_of_a_huge_table_is_refused_before_a_question_unpacks_it(
    runtime: Runtime, tmp_path: Path, name: str
) -> None:
    rows = 2_000_000
    zeros = pa.DictionaryArray.from_arrays(np.zeros(rows, dtype="i4"), ["x" * 10_000])
    table = pa.table({"a": np.zeros(rows * 20, dtype="i8")} if name.startswith("zeros") else {"a": zeros})
    if name.endswith("parquet"):
        parquet.write_table(table, tmp_path / name, compression="zstd")
    else:
        feather.write_feather(table, tmp_path / name, compression="zstd")
    named, peak = runtime.reference(str(tmp_path / name)), pa.default_memory_pool().max_memory()

    with pytest.raises((DataTooLarge, DataTooHeavy), match="MCPGEN_SANDBOX__M"):
        runtime.ask("how many rows", named)

    assert (tmp_path / name).stat().st_size < 1 << 20
    assert pa.default_memory_pool().max_memory() <= max(peak, 1 << 28)


@pytest.mark.every_run("wide.csv-10001")
@pytest.mark.parametrize(("name", "columns"), [("wide.csv", 10_001), ("wide.csv", 100_000), ("wide.parquet", 10_001)])
def test_a_table_of_too_many_columns_is_refused_in_one_sentence(
    runtime: Runtime, tmp_path: Path, name: str, columns: int
) -> None:
    path, names = tmp_path / name, [f"m{number}" for number in range(columns)]
    if path.suffix == ".csv":
        path.write_text("".join(f"{','.join(line)}\n" for line in (names, ["1"] * columns, ["2"] * columns)))
    else:
        parquet.write_table(pa.table(dict.fromkeys(names, pa.array([1, 2]))), path)

    with pytest.raises(DataTooLarge) as refused:
        runtime.ask("sum of m5", runtime.reference(str(path)))

    assert str(refused.value) == (
        f"`{name}` has {columns:,} columns; at most 10,000 columns are read. Use a part of it, or raise "
        "`MCPGEN_SANDBOX__MAX_COLUMNS`."
    )
    assert runtime.registry.candidates() == ()


@pytest.mark.soak
def test_one_of_thousands_of_columns_is_found_by_its_name(runtime: Runtime, tmp_path: Path) -> None:
    numbers = {f"m{number}": [number, number + 1, 3 * number] for number in range(2_000)}
    pd.DataFrame({"state": ["Ohio", "Utah", "Ohio"], **numbers}).to_csv(tmp_path / "wide.csv", index=False)

    card = staged(runtime.ask("sum of m5 by state", runtime.reference(str(tmp_path / "wide.csv"))))

    assert card.sound, card.evidence_sentence
    assert figures(card) == {"Ohio": 20, "Utah": 6}


def test_a_table_with_a_header_and_no_rows_has_nothing_to_answer_with(runtime: Runtime, tmp_path: Path) -> None:
    (tmp_path / "none.csv").write_text("state,weather\n")

    with pytest.raises(FoundNothing, match="`none` has no rows"):
        runtime.ask("count by state", runtime.reference(str(tmp_path / "none.csv")))

    assert runtime.registry.candidates() == ()


def test_a_question_about_a_column_that_does_not_exist_names_it(runtime: Runtime, accidents: DataRef) -> None:
    with pytest.raises(NotUnderstood, match="`zorps`"):
        runtime.ask("average zorps by weather", accidents)

    assert runtime.registry.candidates() == ()


def test_hostile_names_and_values_are_data(runtime: Runtime) -> None:
    frame = pd.DataFrame(
        {
            'weather"""; import os #': ["'; drop table t; --", '"""', "{x}", '"""'],
            "amount": [1, 2, 3, 4],
        }
    )
    data = runtime.reference("hostile", frame)

    card = staged(runtime.ask("sum of amount by weather import os", data))

    assert card.sound, card.evidence_sentence
    assert figures(card) == {'"""': 6, "{x}": 3, "'; drop table t; --": 1}
    assert keep(runtime, card).status is ToolStatus.PROMOTED


def test_a_registry_that_cannot_be_written_is_named_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "accidents.csv").write_text(ACCIDENTS)
    runtime = new_runtime(tmp_path, tmp_path / "file" / "registry")

    with pytest.raises(RegistryReadOnly, match=r"cannot be written .*MCPGEN_REGISTRY__PATH"):
        runtime.ask("average severity by weather", runtime.reference(str(tmp_path / "accidents.csv")))

    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.soak
def test_a_broken_list_of_tools_is_named_left_alone_and_can_be_rebuilt(waiting: Waiting) -> None:
    runtime, card, accidents = waiting.runtime, waiting.card, waiting.data
    keep(runtime, card)
    listed = runtime.registry.root / "active/metadata.json"
    listed.write_text("{ broken")

    with pytest.raises(CorruptRegistry, match=r"active/metadata\.json.*left untouched.*rebuild"):
        runtime.ask("average severity by weather", accidents)

    assert listed.read_text() == "{ broken"
    runtime.registry.rebuild()
    assert isinstance(runtime.ask("average severity by weather", accidents), flow.Reused)
    assert runtime.card(card.card_id).status is ToolStatus.PROMOTED
