"""Read the stored states of a call as rows of a table: one row for each partition key.

This runs in workers, over the rows of one partition of the state store.
"""

from __future__ import annotations

import decimal
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from tableapi.spark.runtime.process.partition_keys import key_columns
from tableapi.spark.runtime.process.plan import Kind, StateForm, StoredForm
from tableapi.spark.runtime.process.stored_collections import CHUNK_MARK, split_chunk_key
from tableapi.spark.runtime.process.stored_forms import Conversions
from tableapi.spark.runtime.process.stored_values import decoder, split_stored

_ROWS = 1_000
Convert = Callable[[Any], Any]
Chunks = Mapping[tuple[str, int], list[Any]]


class StateTable(NamedTuple):
    """How stored states become rows.

    Attributes:
        schema: the columns: partition keys, states, timers, watermark, number of waiting rows, and bytes.
        keys: how the values of partition keys are encoded.
        forms: the forms of each partition of the state store, by its number; the last form of each is the one to read.
        watermarks: the watermark of each partition of the state store in milliseconds; none before the first one.
    """

    schema: pa.Schema
    keys: tuple[Kind, ...]
    forms: Mapping[int, tuple[StoredForm, ...]]
    watermarks: Mapping[int, int]


def read_states(batches: Iterable[pa.RecordBatch], table: StateTable) -> Iterator[pa.RecordBatch]:
    """Yield the rows of the states in a partition of the state store.

    Args:
        batches: number of the partition, key and state.
        table: how states become rows.
    """
    reader: _Reader | None = None
    for batch in batches:
        for partition, key, stored in zip(*[column.to_pylist() for column in batch.columns], strict=True):
            if reader is None or reader.partition != partition:
                if reader is not None:
                    yield from reader.finish()
                reader = _Reader(partition, table)
            reader.add(key, stored)
            if len(reader.rows) >= _ROWS:
                yield reader.take()
    if reader is not None:
        yield from reader.finish()


class _Reader:
    """Reads the states of one partition of the state store."""

    def __init__(self, partition: int, table: StateTable) -> None:
        self.partition = partition
        self.rows: list[tuple[bytes, list[Any]]] = []
        self._table = table
        forms = table.forms[partition]
        self._conversions = Conversions(forms)
        self._states = [(state, _state_reader(state)) for state in forms[-1].states]
        # States of which a part is in other values of the state store, and those parts by partition key.
        self._large: list[tuple[bytes, bytes]] = []
        self._chunks: dict[bytes, dict[tuple[str, int], list[Any]]] = {}
        self._sizes: dict[bytes, int] = {}

    def add(self, key: bytes, stored: bytes) -> None:
        if not key:
            return
        if key.startswith(CHUNK_MARK):
            partition_key, label, number = split_chunk_key(key)
            self._chunks.setdefault(partition_key, {})[label, number] = json.loads(stored)
            self._sizes[partition_key] = self._sizes.get(partition_key, 0) + len(stored)
            return
        head, states, timers, waiting = split_stored(stored)
        states = self._conversions.convert(head, states)
        if any(isinstance(form, dict) and ("chunks" in form or "buckets" in form) for form in states):
            self._large.append((key, stored))
        else:
            self._add_row(key, states, timers, waiting, len(stored), {})

    def _add_row(self, key: bytes, states: list[Any], timers: Any, waiting: bytes, size: int, chunks: Chunks) -> None:
        watermark = self._table.watermarks.get(self.partition)
        values = [read(form, chunks) for (_, read), form in zip(self._states, states, strict=True)]
        rest = [
            _read_timers(timers),
            None if watermark is None else watermark * 1_000,
            _count_rows(waiting),
            size,
        ]
        self.rows.append((key, [*values, *rest]))

    def finish(self) -> Iterator[pa.RecordBatch]:
        """Yield the rest of the rows."""
        for key, stored in self._large:
            head, states, timers, waiting = split_stored(stored)
            chunks = self._chunks.get(key, {})
            size = len(stored) + self._sizes.get(key, 0)
            self._add_row(key, self._conversions.convert(head, states), timers, waiting, size, chunks)
        self._large.clear()
        if self.rows:
            yield self.take()

    def take(self) -> pa.RecordBatch:
        """Return the rows that were read since the last call."""
        rows, self.rows = self.rows, []
        schema, kinds = self._table.schema, self._table.keys
        types = [schema.field(number).type for number in range(len(kinds))]
        keys = [key_columns(key, kinds, types) for key, _ in rows]
        columns = [pa.concat_arrays([key[number] for key in keys]) for number in range(len(kinds))]
        for number, values in enumerate(zip(*[values for _, values in rows], strict=True), len(kinds)):
            columns.append(_column(values, schema.field(number).type))
        return pa.RecordBatch.from_arrays(columns, schema=schema)


def _column(values: Sequence[Any], data_type: pa.DataType) -> pa.Array:
    if pa.types.is_timestamp(data_type):
        return pa.array(values, pa.int64()).view(data_type)
    return pa.array(values, data_type)


def _count_rows(waiting: bytes) -> int:
    if not waiting:
        return 0
    with pa.ipc.open_stream(waiting) as reader:
        count: int = reader.read_all().num_rows
        return count


def _read_timers(timers: Any) -> list[dict[str, Any]]:
    """Return the timers of a partition; one on watermarks has no time."""
    if timers is None:
        return []
    _, on_watermark, entries = timers
    found = [{"name": name, "time": time, "period": period} for time, name, period in entries]
    if on_watermark:
        found.append({"name": "watermark", "time": None, "period": None})
    return found


# --- states -----------------------------------------------------------------------------------------------------------


def _state_reader(state: StateForm) -> Callable[[Any, Chunks], Any]:
    """Return the function from the stored form of a state and its chunks to a value that Arrow takes."""
    converters = [plain_decoder(field.kind) for field in state.fields]
    if state.structure == "value":
        names = [field.name for field in state.fields]

        def read_value(form: Any, chunks: Chunks) -> Any:
            values = form["value"] if state.has_ttl else form
            return {name: convert(value) for name, convert, value in zip(names, converters, values, strict=True)}

        return read_value
    if state.structure == "list":
        (convert,) = converters
        return lambda form, chunks: [convert(element) for element in _elements(form, state, chunks)]
    of_key, of_value = converters
    return lambda form, chunks: [(of_key(key), of_value(value)) for key, value in _entries(form, state, chunks)]


def _elements(form: Any, state: StateForm, chunks: Chunks) -> Iterator[Any]:
    rest = form
    if isinstance(form, dict):
        first, *counts = form.get("chunks", [0])
        parts = [chunks.get((state.name, number), []) for number in range(first, first + len(counts))]
        rest = [element for part in parts for element in part] + form["rest"]
    for element in rest:
        yield element[1] if state.has_ttl else element


def _entries(form: Any, state: StateForm, chunks: Chunks) -> Iterator[tuple[Any, Any]]:
    if isinstance(form, dict) and "buckets" in form:
        found = [entry for number in range(form["buckets"]) for entry in chunks.get((state.name, number), [])]
        rest = sorted(found, key=lambda entry: entry[2])
    else:
        rest = form["rest"] if isinstance(form, dict) else form
    for key, value, *_ in rest:
        yield key, value


def plain_decoder(kind: Kind) -> Convert:
    """Return the function from a stored value to one that Arrow takes: dicts for rows, pairs for maps.

    >>> plain_decoder(("row", (("a", ("decimal",)),)))(["1.5"])
    {'a': Decimal('1.5')}
    """
    convert = _plain_decoder(kind)
    return lambda value: None if value is None else convert(value)


def _plain_decoder(kind: Kind) -> Convert:
    name = kind[0]
    if name == "array":
        element = plain_decoder(kind[1])
        return lambda values: [element(value) for value in values]
    if name == "map":
        of_key, of_value = plain_decoder(kind[1]), plain_decoder(kind[2])
        return lambda pairs: [(of_key(key), of_value(value)) for key, value in pairs]
    if name == "row":
        fields = [(field, plain_decoder(inner)) for field, inner in kind[1]]
        return lambda values: {field: convert(value) for (field, convert), value in zip(fields, values, strict=True)}
    if name == "decimal":
        return decimal.Decimal
    return decoder(kind) or (lambda value: value)
