"""Arrow streams of waiting rows that are read together."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from tableapi.spark.runtime.process.packing import read_streams

SCHEMAS = (
    pa.schema([pa.field("v", pa.int64())]),
    pa.schema([pa.field("v", pa.int64(), nullable=False)]),
    pa.schema([pa.field("v", pa.string()), pa.field("at", pa.timestamp("us", "UTC"))]),
)
# The schema of a stream, and how many rows each of its batches has; None for no stream.
_lengths = st.lists(st.integers(1, 9), min_size=1, max_size=3)
_of_stream = st.none() | st.tuples(st.integers(0, len(SCHEMAS) - 1), _lengths)


@given(st.lists(_of_stream, max_size=12))
def test_streams_are_read_as_they_were_written(wanted: Sequence[tuple[int, Sequence[int]] | None]) -> None:
    written = [b"" if of_stream is None else _write(number, *of_stream) for number, of_stream in enumerate(wanted)]
    found: dict[int, list[pa.Table]] = {}
    for rows, of_batches in read_streams(written):
        start = 0
        for number, length in of_batches:
            found.setdefault(number, []).append(rows.slice(start, length))
            start += length
        assert start == rows.num_rows
    for number, stream in enumerate(written):
        if not stream:
            assert number not in found
            continue
        with pa.ipc.open_stream(stream) as reader:
            expected = reader.read_all()
        assert pa.concat_tables(found[number]).equals(expected, check_metadata=True)


def _write(stream: int, schema: int, lengths: Sequence[int]) -> bytes:
    """Return a stream with batches of some lengths, whose values tell it from the others."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, SCHEMAS[schema]) as writer:
        for batch, length in enumerate(lengths):
            values = [stream * 100 + batch * 10 + row for row in range(length)]
            columns = [[f"{value}" for value in values] if schema == 2 else values, values][: len(SCHEMAS[schema])]
            arrays = [pa.array(column, field.type) for column, field in zip(columns, SCHEMAS[schema], strict=True)]
            writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=SCHEMAS[schema]))
    written: bytes = sink.getvalue().to_pybytes()
    return written
