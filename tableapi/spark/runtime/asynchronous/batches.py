"""Batches of rows on their way through a stage, with their arguments and the results so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from tableapi.spark.runtime.asynchronous.program import Passage, Stage
from tableapi.spark.runtime.failures import failure
from tableapi.spark.runtime.values import from_arrow
from tableapi.spark.runtime.wrong_values import WRONG, wrong_value


class Batch:
    """The rows of an Arrow batch, with the results of each call."""

    def __init__(self, stage: Stage, columns: Sequence[pa.Array]) -> None:
        self.size = len(columns[0])
        self.given: dict[int, list[Any]] = {}
        for position in stage.read_columns:
            values: list[Any] = columns[position].to_pylist()
            convert = from_arrow(columns[position].type, stage.make_row)
            self.given[position] = values if convert is None else [convert(value) for value in values]
        self.kept = [columns[position] for position in stage.kept]
        self.results: list[list[Any]] = [[None] * self.size for _ in stage.calls]
        # For each row, the number of calls to make; for each call and row, the number of results that it waits for.
        self.left = [len(stage.calls)] * self.size
        self.needed: dict[int, list[int]] = {
            position: [len(call.needs)] * self.size for position, call in enumerate(stage.calls) if call.needs
        }
        # All rows before this one are complete and have been emitted.
        self.first_left = 0
        self.finished = bytearray(self.size)
        self.unfinished = self.size

    def finished_from_first(self) -> int:
        """Return the end of the complete rows at the beginning of those that were not emitted."""
        unfinished = self.finished.find(b"\x00", self.first_left)
        return self.size if unfinished < 0 else unfinished


class Output:
    """Builds the output columns of a stage from complete rows."""

    def __init__(self, stage: Stage, passages: Sequence[Passage]) -> None:
        self._stage = stage
        self._passages = passages

    def of_range(self, batch: Batch, start: int, end: int) -> pa.Array:
        """Return the output for consecutive rows of a batch."""
        columns = [self._column(call, batch.results[call][start:end]) for call in self._stage.results]
        columns += [column.slice(start, end - start) for column in batch.kept]
        for call in range(len(self._stage.calls)):
            # Free the memory of emitted rows.
            batch.results[call][start:end] = [None] * (end - start)
        return self._made(columns)

    def of_rows(self, rows: Sequence[tuple[Batch, int]]) -> pa.Array:
        """Return the output for rows of any batches."""
        by_batch: dict[int, tuple[Batch, list[int]]] = {}
        for batch, row in rows:
            by_batch.setdefault(id(batch), (batch, []))[1].append(row)
        parts = []
        for batch, positions in by_batch.values():
            columns = [
                self._column(call, [batch.results[call][row] for row in positions]) for call in self._stage.results
            ]
            chosen = pa.array(positions, pa.int64())
            columns += [column.take(chosen) for column in batch.kept]
            parts.append(self._made(columns))
        return pa.concat_arrays(parts)

    def _column(self, call: int, values: list[Any]) -> pa.Array:
        return self._passages[call].array(values)

    def _made(self, columns: list[pa.Array]) -> pa.Array:
        if self._stage.is_value:
            return columns[0]
        return pa.StructArray.from_arrays(columns, names=[f"f{i}" for i in range(len(columns))])


def check_result(passage: Passage, name: str, arguments: Any, result: Any) -> Any:
    """Convert a result to the value that Arrow takes, and check its type.

    Raises:
        FunctionFailed: the result does not have the declared type of the function.
    """
    try:
        value = passage.out(result)
        if value is not None and not passage.is_exact(value):
            passage.array([value])
        return value
    except WRONG as error:
        problem = TypeError(wrong_value("the result", result, passage.data_type, error))
        raise failure(name, arguments, problem) from None
