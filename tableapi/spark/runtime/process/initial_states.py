"""Convert the states of a checkpoint into the initial states of a new query."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.process.packing import KEY
from tableapi.spark.runtime.process.plan import StoredForm
from tableapi.spark.runtime.process.stored_collections import CHUNK_MARK, split_chunk_key
from tableapi.spark.runtime.process.stored_forms import Conversions
from tableapi.spark.runtime.process.stored_values import join_stored, split_stored

INITIAL_TYPE = "key BINARY, state BINARY, wake BIGINT"
"""The columns of an initial state after the partition key: its key in the state store, its value, and its wake-up."""
_SCHEMA = pa.schema(
    [
        pa.field(KEY, pa.binary()),
        pa.field("key", pa.binary()),
        pa.field("state", pa.binary()),
        pa.field("wake", pa.int64()),
    ]
)


def convert_initial(
    batches: Iterable[pa.RecordBatch], forms: Mapping[int, tuple[StoredForm, ...]]
) -> Iterator[pa.RecordBatch]:
    """Yield the stored states of one partition of the state store in their last form.

    Args:
        batches: number of the partition, key and state.
        forms: the forms of each partition of the state store, the new one last.
    """
    known = {number: Conversions(of_partition) for number, of_partition in forms.items()}
    for batch in batches:
        made = [
            _convert(key, stored, known[partition])
            for partition, key, stored in zip(*[column.to_pylist() for column in batch.columns], strict=True)
            if key
        ]
        columns = [pa.array([row[number] for row in made], field.type) for number, field in enumerate(_SCHEMA)]
        yield pa.RecordBatch.from_arrays(columns, schema=_SCHEMA)


def _convert(key: bytes, stored: bytes, conversions: Conversions) -> tuple[Any, ...]:
    if key.startswith(CHUNK_MARK):
        partition_key, _, _ = split_chunk_key(key)
        return partition_key, key, stored, None
    head, states, timers, waiting = split_stored(stored)
    converted = conversions.convert(head, states)
    # The new query has no earlier forms.
    fingerprint = conversions.forms[-1].fingerprint
    return key, key, join_stored(fingerprint, converted, timers, waiting), None if timers is None else timers[0]
