"""Rows of partitions sorted by the runtime: the order equals a full sort, for every input order and storage."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tableapi.spark.runtime.process import sorting
from tableapi.spark.runtime.process.plan import OrderKey
from tableapi.spark.runtime.process.sorting import Sorter

COLUMNS = ["k", "a", "b", "n"]


def rows_of(partitions: int, most: int, seed: int, *, is_sorted: bool = False) -> list[tuple[Any, ...]]:
    """Return rows of keys, two columns with NULL and ties, and a unique number."""
    chance = random.Random(seed)
    found: list[tuple[Any, ...]] = []
    for key in range(partitions):
        own = [
            (key or None, chance.choice([None, *range(9)]), chance.choice([None, "", "a", "é", "b"]), chance.random())
            for _ in range(chance.randint(1, most))
        ]
        found += sorted(own, key=lambda row: row[3]) if is_sorted else own
    return found


def batches_of(rows: list[tuple[Any, ...]], size: int) -> list[pa.RecordBatch]:
    types = [pa.int64(), pa.int64(), pa.string(), pa.float64()]
    parts = [rows[start : start + size] for start in range(0, len(rows), size)]
    return [
        pa.RecordBatch.from_arrays(
            [pa.array(c, t) for c, t in zip(zip(*part, strict=True), types, strict=True)], COLUMNS
        )
        for part in parts
    ]


def given_by(sorter: Sorter, batches: list[pa.RecordBatch]) -> list[tuple[Any, ...]]:
    made: list[pa.RecordBatch] = []
    for batch in batches:
        made += sorter.take(batch)
    made += sorter.rest()
    sorter.close()
    assert all(batch.num_rows <= sorting.BATCH for batch in made)
    return [tuple(row.values()) for batch in made for row in batch.to_pylist()]


def expected_of(rows: list[tuple[Any, ...]], order: list[OrderKey]) -> list[tuple[Any, ...]]:
    """Sort stably by each key in turn, from the last one to the first one."""
    for key in reversed(order):
        position, ascending, nulls_first = key
        nulls = [row for row in rows if row[position] is None]
        others = [row for row in rows if row[position] is not None]
        others.sort(key=lambda row: row[position], reverse=not ascending)
        rows = [*nulls, *others] if nulls_first else [*others, *nulls]
    # The order of partitions stays: ascending by key, NULL first.
    return sorted(rows, key=lambda row: row[0] or 0)


ORDERS = [
    [OrderKey(3)],
    [OrderKey(1), OrderKey(3)],
    [OrderKey(1, False, False), OrderKey(2, True, False), OrderKey(3, False)],
    [OrderKey(2, False, True), OrderKey(1, True, True), OrderKey(3)],
]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize(("partitions", "most"), [(1, 300), (40, 9), (3, 200)])
@pytest.mark.parametrize("most_bytes", [100, 2_000, 64 << 20])
def test_the_order_of_all_rows(
    order: list[OrderKey], size: int, partitions: int, most: int, most_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sorting, "BATCH", 5)
    monkeypatch.setattr(sorting, "MOST_RUNS", 3)
    rows = rows_of(partitions, most, seed=size)
    assert given_by(Sorter([0], order, most_bytes), batches_of(rows, size)) == expected_of(rows, order)


def test_rows_that_come_in_their_order_are_one_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    monkeypatch.setattr(sorting, "_Run", lambda schema, run=sorting._Run: made.append(schema) or run(schema))
    rows = rows_of(1, 4000, seed=3, is_sorted=True)
    assert given_by(Sorter([0], [OrderKey(3)], 1000), batches_of(rows, 50)) == rows
    assert len(made) == 1


def test_files_are_where_spark_has_its_own_and_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_LOCAL_DIRS", f"{tmp_path},/nowhere")
    asked: list[Any] = []
    given = sorting.tempfile.TemporaryFile
    monkeypatch.setattr(
        sorting.tempfile, "TemporaryFile", lambda dir: asked.append((dir, given(dir=dir))) or asked[-1][1]
    )
    sorter = Sorter([0], [OrderKey(3)], 100)
    for batch in batches_of(rows_of(1, 500, seed=5), 20):
        assert not list(sorter.take(batch))
    assert {directory for directory, _ in asked} == {str(tmp_path)}
    assert not all(file.closed for _, file in asked)
    sorter.close()
    assert all(file.closed for _, file in asked)
    assert list(tmp_path.iterdir()) == []


def test_all_types_that_the_planner_lets_it_sort() -> None:
    day = dt.date(2024, 1, 1)
    types: list[tuple[pa.DataType, list[Any]]] = [
        (pa.int8(), [-1, 0, 1]),
        (pa.decimal128(38, 2), [Decimal("-1.5"), Decimal(0), Decimal("1.5")]),
        (pa.bool_(), [False, True]),
        (pa.string(), ["", "Z", "a", "é", "\U0001f600"]),
        (pa.binary(), [b"", b"\x00", b"\x7f", b"\xff"]),
        (pa.date32(), [dt.date.min, day]),
        (pa.timestamp("us"), [dt.datetime.min, dt.datetime.max]),
        (pa.timestamp("us", "UTC"), [dt.datetime(1969, 1, 1, tzinfo=dt.UTC), dt.datetime(2024, 1, 1, tzinfo=dt.UTC)]),
    ]
    for data_type, values in types:
        batch = pa.RecordBatch.from_arrays(
            [pa.array([1] * (len(values) + 1)), pa.array([*values[::-1], None], data_type)], ["k", "v"]
        )
        sorter = Sorter([0], [OrderKey(1)])
        made = [*sorter.take(batch), *sorter.rest()]
        assert [value for part in made for value in part.column(1).to_pylist()] == [None, *values], data_type
