"""Sort the rows of each partition with bounded memory.

Spark sorts by one key several times as fast as by two, because its radix sort takes a single key. So Spark only brings
the rows of a partition together, and this module sorts all partitions that end in a batch at once. A partition that
does not fit into memory is sorted in runs, which are spilled to files and merged when the partition ends.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tableapi.spark.runtime.process.plan import OrderKey
from tableapi.spark.runtime.process.rows import starts_of_partitions

_compute: Any = pc
# The most bytes of one partition in memory; more are spilled to a file.
MOST_BYTES = 32 << 20
# The number of rows in a batch of sorted rows.
BATCH = 10_000
# The number of runs that are merged into one.
MOST_RUNS = 16


class Sorter:
    """Sorts the rows of partitions that come one after the other.

    Args:
        keys: the positions of the partition keys in a batch.
        order: the order of the rows within a partition.
        most_bytes: the most bytes of a partition in memory.
    """

    def __init__(self, keys: Sequence[int], order: Sequence[OrderKey], most_bytes: int = MOST_BYTES) -> None:
        self._keys = tuple(keys)
        self._order = tuple(order)
        self._most_bytes = most_bytes
        # The partition that may go on in the next batch: its keys, its rows in memory with their size, and its files.
        self._last: list[pa.Array] = []
        self._open: list[pa.RecordBatch] = []
        self._bytes = 0
        self._runs = _Runs(self._order)

    def take(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Take the next rows, and yield the sorted rows of the partitions that have ended."""
        keys = [batch.column(key) for key in self._keys]
        starts = starts_of_partitions(keys, self._last)
        self._last = [key.slice(batch.num_rows - 1) for key in keys]
        if starts and self._runs:
            yield from self._all_of_open(batch.slice(0, starts[0]))
            batch, starts = batch.slice(starts[0]), [start - starts[0] for start in starts]
        if starts:
            ended = [*self._open, batch.slice(0, starts[-1])]
            before = sum(part.num_rows for part in self._open)
            self._open, self._bytes = [], 0
            ends = [0, *[before + start for start in starts]]
            yield from _batches(sort_rows(ended, self._order, [after - start for start, after in pairwise(ends)]))
            batch = batch.slice(starts[-1])
        self._open.append(batch)
        self._bytes += batch.nbytes
        if self._bytes > self._most_bytes:
            self._runs.add(sort_rows(self._open, self._order))
            self._open, self._bytes = [], 0

    def rest(self) -> Iterator[pa.RecordBatch]:
        """Yield the sorted rows of the last partition."""
        yield from self._all_of_open(None)

    def close(self) -> None:
        """Delete all files."""
        self._runs.close()

    def _all_of_open(self, batch: pa.RecordBatch | None) -> Iterator[pa.RecordBatch]:
        """Yield the sorted rows of the open partition, which ``batch`` completes."""
        rows = [*self._open, *([batch] if batch is not None and batch.num_rows else [])]
        self._open, self._bytes = [], 0
        if not self._runs:
            if rows:
                yield from _batches(sort_rows(rows, self._order))
            return
        if rows:
            self._runs.add(sort_rows(rows, self._order))
        for table in self._runs.merged():
            yield from _batches(table)


def sort_rows(batches: Sequence[pa.RecordBatch], order: Sequence[OrderKey], lengths: Sequence[int] = ()) -> pa.Table:
    """Sort rows like Spark; with ``lengths``, sort each of the consecutive groups of these lengths in its place."""
    return _sort(pa.Table.from_batches(batches), order, lengths)


def _sort(rows: pa.Table, order: Sequence[OrderKey], lengths: Sequence[int] = ()) -> pa.Table:
    keys: list[tuple[Any, bool]] = []
    if len(lengths) > 1:
        # The partition number of each row, from the run lengths.
        partitions = [(number, end) for number, end in enumerate(accumulate(lengths)) if lengths[number]]
        numbers, ends = (pa.array(values, pa.int32()) for values in zip(*partitions, strict=True))
        keys.append((_compute.run_end_decode(pa.RunEndEncodedArray.from_arrays(ends, numbers)), True))
    for key in order:
        column = rows.column(key.position)
        if column.null_count:
            # Arrow can place NULL in one way for all keys only.
            keys.append((_compute.is_valid(column), key.nulls_first))
        if pa.types.is_floating(column.type):
            # Arrow has NaN last in both directions, and Spark takes it for the greatest number.
            keys.append((_compute.fill_null(_compute.is_nan(column), False), key.is_ascending))
        keys.append((column, key.is_ascending))
    names = [str(number) for number in range(len(keys))]
    by = [(name, "ascending" if ascending else "descending") for name, (_, ascending) in zip(names, keys, strict=True)]
    return rows.take(_compute.sort_indices(pa.table([column for column, _ in keys], names), sort_keys=by))


def _batches(rows: pa.Table) -> Iterator[pa.RecordBatch]:
    made: list[pa.RecordBatch] = rows.combine_chunks().to_batches(max_chunksize=BATCH)
    return iter(made)


class _Run:
    """Sorted rows in a file."""

    def __init__(self, schema: pa.Schema) -> None:
        self._file = tempfile.TemporaryFile(dir=_directory())  # noqa: SIM115  # closed when its rows have been read
        self._writer = pa.ipc.new_stream(self._file, schema)
        # The last written row.
        self.last: pa.Table | None = None

    def write(self, rows: pa.Table) -> None:
        self._writer.write_table(rows, max_chunksize=BATCH)
        # ``take`` copies the row; a slice would keep all rows in memory.
        self.last = rows.take([rows.num_rows - 1])

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows once, and delete the file."""
        self._writer.close()
        self._file.seek(0)
        with pa.ipc.open_stream(self._file) as reader:
            yield from reader
        self.close()

    def close(self) -> None:
        self._file.close()


def _directory() -> str | None:
    """Return Spark's directory for temporary files of a worker; None for the system's directory."""
    return os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0] or None


class _Runs:
    """The runs of a partition, in levels: ``MOST_RUNS`` runs of a level are merged into one of the next level."""

    def __init__(self, order: Sequence[OrderKey]) -> None:
        self._order = order
        self._levels: list[list[_Run]] = []

    def __bool__(self) -> bool:
        return any(self._levels)

    def add(self, rows: pa.Table) -> None:
        """Store rows that are sorted."""
        last = self._levels[0][-1] if self._levels and self._levels[0] else None
        if last is None or not self._follow(last, rows):
            # Input that is in order already, a common case, is a single run.
            last = _Run(rows.schema)
            self._put(last, 0)
        last.write(rows)

    def merged(self) -> Iterator[pa.Table]:
        """Yield all rows in order, and forget them."""
        runs = [run for level in self._levels for run in level]
        self._levels = []
        try:
            yield from _merge([run.batches() for run in runs], self._order)
        finally:
            for run in runs:
                run.close()

    def close(self) -> None:
        for level in self._levels:
            for run in level:
                run.close()
        self._levels = []

    def _follow(self, run: _Run, rows: pa.Table) -> bool:
        """Whether no row sorts before the last row of a run."""
        assert run.last is not None
        both = pa.concat_tables([rows.slice(0, 1), run.last])
        numbered = both.append_column("", pa.array([1, 0], pa.int8()))
        # If the two rows are equal, the number puts the row of the run first.
        found: list[int] = _sort(numbered, [*self._order, OrderKey(both.num_columns)]).column(-1).to_pylist()
        return found == [0, 1]

    def _put(self, run: _Run, level: int) -> None:
        if len(self._levels) == level:
            self._levels.append([])
        runs = self._levels[level]
        if len(runs) == MOST_RUNS:
            made: _Run | None = None
            for rows in _merge([each.batches() for each in runs], self._order):
                made = made or _Run(rows.schema)
                made.write(rows)
            self._levels[level] = runs = []
            assert made is not None, "each run has rows"
            self._put(made, level + 1)
        runs.append(run)


def _merge(runs: Iterable[Iterator[pa.RecordBatch]], order: Sequence[OrderKey]) -> Iterator[pa.Table]:
    """Merge sorted runs, with one batch of each run in memory."""
    unread = dict(enumerate(runs))
    missing = list(unread)
    held: list[pa.Table] = []
    while True:
        for number in missing:
            batch = next(unread[number], None)
            if batch is None:
                del unread[number]
                continue
            table = pa.Table.from_batches([batch])
            held.append(table.append_column("", pa.array([number] * table.num_rows, pa.int32())))
        if not held:
            return
        rows = _sort(pa.concat_tables(held), order)
        width = rows.num_columns - 1
        # Unread rows of a run sort after the last row of the run in memory. So rows are final up to the first such row.
        last = {number: _find_last_index(rows.column(width), number) for number in unread}
        known = min(last.values(), default=rows.num_rows - 1) + 1
        yield rows.slice(0, known).remove_column(width)
        held = [rows.slice(known)] if known < rows.num_rows else []
        missing = [number for number, index in last.items() if index < known]


def _find_last_index(column: pa.ChunkedArray, value: int) -> int:
    """Return the last position of a value."""
    found = _compute.indices_nonzero(_compute.equal(column, value))
    index: int = found[len(found) - 1].as_py()
    return index
