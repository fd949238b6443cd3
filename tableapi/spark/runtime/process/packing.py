"""Pack the rows of a task of a stream into few rows of bytes, and unpack the output.

Spark calls a stateful processor for each key, and makes each value a Python object. So the rows of a task travel as
Arrow batches within binary values, all under one key of that task. Spark sends this key, and with it the whole task, to
the partition of the state that has all keys of the task, because both are spread by the same hash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark import TaskContext

_compute: Any = pc
# The number of rows in a batch, and the bytes after which a chunk ends.
BATCH = 10_000
CHUNK_BYTES = 8 << 20
END_OF_STREAM = b"\xff\xff\xff\xff\x00\x00\x00\x00"
"""The end of an Arrow stream: the mark of a message, and a length of zero."""

KEY = "__tableapi_key"
"""The column of the encoded partition keys."""
PACKED = pa.schema(
    [
        pa.field(KEY, pa.binary()),
        pa.field("task", pa.int32()),
        pa.field("number", pa.int32()),
        pa.field("rows", pa.binary()),
    ]
)
"""The columns of a packed row: a key of the task, the number of the task, the number of the chunk in it, and rows."""
PACKED_TYPE = f"{KEY} BINARY, task INT, number INT, rows BINARY"
OUTPUT_TYPE = "rows BINARY, came BIGINT, late BIGINT, size BIGINT, partition STRING"
"""The columns of a row of the output: packed rows; or, without rows, what a task counted."""


def pack(batches: Iterable[pa.RecordBatch], order: Sequence[int], task: int) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a task, sorted by their key, which is the last column, and by further columns.

    Args:
        batches: the rows; all rows of a key are in the same task.
        order: the positions of the columns by which the rows of a key are sorted; rows that are equal in them stay in
            the order in which they come.
        task: the number of the task.
    """
    given = [batch for batch in batches if batch.num_rows]
    if not given:
        return
    rows = pa.Table.from_batches(given)
    key = rows.num_columns - 1
    positions = [key, *order]
    names = [str(number) for number in range(len(positions))]
    by = pa.table([rows.column(position) for position in positions], names)
    taken = _compute.sort_indices(by, sort_keys=[(name, "ascending") for name in names])
    rows = rows.take(taken).combine_chunks()
    first = rows.column(key)[0].as_py()
    for number, chunk in enumerate(write_chunks(rows.to_batches(max_chunksize=BATCH), rows.schema)):
        yield pa.RecordBatch.from_arrays(
            [
                pa.array([first], pa.binary()),
                pa.array([task], pa.int32()),
                pa.array([number], pa.int32()),
                pa.array([chunk], pa.binary()),
            ],
            schema=PACKED,
        )


def write_chunks(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> Iterator[bytes]:
    """Write batches as Arrow streams of a bounded size."""
    waiting: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        waiting.append(batch)
        size += batch.nbytes
        if size >= CHUNK_BYTES:
            yield _write_chunk(waiting, schema)
            waiting, size = [], 0
    if waiting:
        yield _write_chunk(waiting, schema)


def _write_chunk(batches: Iterable[pa.RecordBatch], schema: pa.Schema) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    written: bytes = sink.getvalue().to_pybytes()
    return written


def read_chunk(chunk: bytes) -> Iterator[pa.RecordBatch]:
    """Yield the batches of a chunk."""
    with pa.ipc.open_stream(chunk) as reader:
        yield from reader


def read_streams(streams: Sequence[bytes]) -> Iterator[tuple[pa.Table, list[tuple[int, int]]]]:
    """Read Arrow streams, of which some are empty.

    Those with the same schema are read as one stream: to begin one takes several times as long as to read a batch.

    Yields:
        the rows of streams with the same schema; and for each batch of them its stream and its number of rows.
    """
    by_schema: dict[bytes, list[int]] = {}
    for number, stream in enumerate(streams):
        if stream:
            by_schema.setdefault(stream[: _end_of_schema(stream)], []).append(number)
    for schema, numbers in by_schema.items():
        batches = [streams[number][len(schema) : -len(END_OF_STREAM)] for number in numbers]
        source = pa.BufferReader(b"".join((schema, *batches, END_OF_STREAM)))
        ends = accumulate(map(len, batches), initial=len(schema))
        next(ends)
        read: list[pa.RecordBatch] = []
        lengths: list[tuple[int, int]] = []
        with pa.ipc.open_stream(source) as reader:
            for number, end in zip(numbers, ends, strict=True):
                while source.tell() < end:
                    read.append(reader.read_next_batch())
                    lengths.append((number, read[-1].num_rows))
            yield pa.Table.from_batches(read, reader.schema), lengths


def _end_of_schema(stream: bytes) -> int:
    """Return where the first message of an Arrow stream ends, which has a mark, a length and no body."""
    return 8 + int.from_bytes(stream[4:8], "little")


def in_order(packed: Iterable[Any], require_task: Callable[[int], None]) -> Iterator[pa.RecordBatch]:
    """Yield the batches of a task's packed rows in their original order; they may arrive in any order.

    Args:
        packed: the packed rows.
        require_task: is called with the number of the task that packed each of them.
    """
    waiting: dict[int, bytes] = {}
    following = 0
    for row in packed:
        require_task(row.task)
        waiting[row.number] = row.rows
        while following in waiting:
            yield from read_chunk(waiting.pop(following))
            following += 1
    for number in sorted(waiting):
        yield from read_chunk(waiting[number])


def packer(order: Sequence[int]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return the function for mapInArrow that packs the rows of each task."""

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        context = TaskContext.get()
        return pack(batches, order, 0 if context is None else context.partitionId())

    return run


def unpack(batches: Iterator[Any]) -> Iterator[Any]:
    """Unpack the rows of the output, as a function for mapInArrow."""
    for batch in batches:
        for chunk in batch.column(0):
            if chunk.is_valid:
                yield from read_chunk(chunk.as_py())
