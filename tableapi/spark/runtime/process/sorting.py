"""The rows of each partition in their order, with a bounded number of them in memory.

Spark sorts by one key several times as fast as by two, since only for the former it has a radix sort. So it is told to
bring the rows of a partition together, and all partitions that end in a batch are sorted here at once. A partition that
does not fit into memory is sorted in runs, which wait in files until it ends and they are merged.
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
# So many bytes of one partition are in memory before they go to a file.
MOST_BYTES = 32 << 20
# So many rows are a batch of what was sorted.
BATCH = 10_000
# So many runs become one.
MOST_RUNS = 16


class Sorter:
    """Sorts the rows of partitions, which come one partition after the other.

    Args:
        keys: the positions of the partition's keys in a batch.
        order: by what the rows of a partition are sorted.
        most_bytes: how much of a partition may be in memory.
    """

    def __init__(self, keys: Sequence[int], order: Sequence[OrderKey], most_bytes: int = MOST_BYTES) -> None:
        self._keys = tuple(keys)
        self._order = tuple(order)
        self._most_bytes = most_bytes
        # Of the partition that may go on with the next batch: its keys, what is in memory of it, and what is in files.
        self._last: list[pa.Array] = []
        self._open: list[pa.RecordBatch] = []
        self._bytes = 0
        self._runs = _Runs(self._order)

    def take(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Take the next rows, and yield those of the partitions that have ended."""
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
            yield from _batches(sorted_rows(ended, self._order, [after - start for start, after in pairwise(ends)]))
            batch = batch.slice(starts[-1])
        self._open.append(batch)
        self._bytes += batch.nbytes
        if self._bytes > self._most_bytes:
            self._runs.add(sorted_rows(self._open, self._order))
            self._open, self._bytes = [], 0

    def rest(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows of the last partition."""
        yield from self._all_of_open(None)

    def close(self) -> None:
        """Remove what is in files."""
        self._runs.close()

    def _all_of_open(self, batch: pa.RecordBatch | None) -> Iterator[pa.RecordBatch]:
        """Yield the partition that goes on, of which ``batch`` are the last rows."""
        rows = [*self._open, *([batch] if batch is not None and batch.num_rows else [])]
        self._open, self._bytes = [], 0
        if not self._runs:
            if rows:
                yield from _batches(sorted_rows(rows, self._order))
            return
        if rows:
            self._runs.add(sorted_rows(rows, self._order))
        for table in self._runs.merged():
            yield from _batches(table)


def sorted_rows(batches: Sequence[pa.RecordBatch], order: Sequence[OrderKey], lengths: Sequence[int] = ()) -> pa.Table:
    """Return rows as Spark sorts them; with ``lengths``, so many of them at a time, where they stand."""
    return _sorted(pa.Table.from_batches(batches), order, lengths)


def _sorted(rows: pa.Table, order: Sequence[OrderKey], lengths: Sequence[int] = ()) -> pa.Table:
    keys: list[tuple[Any, bool]] = []
    if len(lengths) > 1:
        # The number of each row's partition: as often as that has rows.
        partitions = [(number, end) for number, end in enumerate(accumulate(lengths)) if lengths[number]]
        numbers, ends = (pa.array(values, pa.int32()) for values in zip(*partitions, strict=True))
        keys.append((_compute.run_end_decode(pa.RunEndEncodedArray.from_arrays(ends, numbers)), True))
    for key in order:
        column = rows.column(key.position)
        if column.null_count:
            # Arrow has one place for NULL in all keys.
            keys.append((_compute.is_valid(column), key.nulls_first))
        keys.append((column, key.is_ascending))
    names = [str(number) for number in range(len(keys))]
    by = [(name, "ascending" if ascending else "descending") for name, (_, ascending) in zip(names, keys, strict=True)]
    return rows.take(_compute.sort_indices(pa.table([column for column, _ in keys], names), sort_keys=by))


def _batches(rows: pa.Table) -> Iterator[pa.RecordBatch]:
    made: list[pa.RecordBatch] = rows.combine_chunks().to_batches(max_chunksize=BATCH)
    return iter(made)


class _Run:
    """Rows in their order, in a file."""

    def __init__(self, schema: pa.Schema) -> None:
        self._file = tempfile.TemporaryFile(dir=_directory())  # noqa: SIM115  # closed when its rows have been read
        self._writer = pa.ipc.new_stream(self._file, schema)
        # The last row that was written.
        self.last: pa.Table | None = None

    def write(self, rows: pa.Table) -> None:
        self._writer.write_table(rows, max_chunksize=BATCH)
        # Taken, and not sliced: a slice would hold all rows.
        self.last = rows.take([rows.num_rows - 1])

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows, once; the file is gone then."""
        self._writer.close()
        self._file.seek(0)
        with pa.ipc.open_stream(self._file) as reader:
            yield from reader
        self.close()

    def close(self) -> None:
        self._file.close()


def _directory() -> str | None:
    """Return where Spark has its files of a worker; None is where the system has such files."""
    return os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0] or None


class _Runs:
    """The runs of a partition: each level has those that so many of the level below became."""

    def __init__(self, order: Sequence[OrderKey]) -> None:
        self._order = order
        self._levels: list[list[_Run]] = []

    def __bool__(self) -> bool:
        return any(self._levels)

    def add(self, rows: pa.Table) -> None:
        """Keep rows that are in their order."""
        last = self._levels[0][-1] if self._levels and self._levels[0] else None
        if last is None or not self._follow(last, rows):
            # Rows that come in their order, as they often do, are one run.
            last = _Run(rows.schema)
            self._put(last, 0)
        last.write(rows)

    def merged(self) -> Iterator[pa.Table]:
        """Yield all rows in their order, and forget them."""
        runs = [run for level in self._levels for run in level]
        self._levels = []
        try:
            yield from _merged([run.batches() for run in runs], self._order)
        finally:
            for run in runs:
                run.close()

    def close(self) -> None:
        for level in self._levels:
            for run in level:
                run.close()
        self._levels = []

    def _follow(self, run: _Run, rows: pa.Table) -> bool:
        """Whether no row comes before the last one of a run."""
        assert run.last is not None
        both = pa.concat_tables([rows.slice(0, 1), run.last])
        numbered = both.append_column("", pa.array([1, 0], pa.int8()))
        # What is equal stays as it is: the first of the rows here.
        found: list[int] = _sorted(numbered, [*self._order, OrderKey(both.num_columns)]).column(-1).to_pylist()
        return found == [0, 1]

    def _put(self, run: _Run, level: int) -> None:
        if len(self._levels) == level:
            self._levels.append([])
        runs = self._levels[level]
        if len(runs) == MOST_RUNS:
            made: _Run | None = None
            for rows in _merged([each.batches() for each in runs], self._order):
                made = made or _Run(rows.schema)
                made.write(rows)
            self._levels[level] = runs = []
            assert made is not None, "each run has rows"
            self._put(made, level + 1)
        runs.append(run)


def _merged(runs: Iterable[Iterator[pa.RecordBatch]], order: Sequence[OrderKey]) -> Iterator[pa.Table]:
    """Yield the rows of runs in one order; of each, a batch is in memory."""
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
        rows = _sorted(pa.concat_tables(held), order)
        width = rows.num_columns - 1
        # What a run has in its file comes after the last row of it that is held: up to the first such row all is known.
        last = {number: _last_index(rows.column(width), number) for number in unread}
        known = min(last.values(), default=rows.num_rows - 1) + 1
        yield rows.slice(0, known).remove_column(width)
        held = [rows.slice(known)] if known < rows.num_rows else []
        missing = [number for number, index in last.items() if index < known]


def _last_index(column: pa.ChunkedArray, value: int) -> int:
    """Return where a value stands last."""
    found = _compute.indices_nonzero(_compute.equal(column, value))
    index: int = found[len(found) - 1].as_py()
    return index
