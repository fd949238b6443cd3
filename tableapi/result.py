"""Results of queries and statements."""

from __future__ import annotations

import datetime
import itertools
import sys
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ir import types as t
from ir.errors import TableException, ValidationException
from ir.far_dates import day_of_count, far_moment_of_count
from ir.fine_times import MICROSECOND_DIGITS, time_of_nanoseconds
from ir.schema import ResolvedSchema
from ir.types import LogicalType
from tableapi.advice.copies import NotSent
from tableapi.lazy import lazy
from tableapi.table_schema import TableSchema
from tableapi.tracebacks import boundaries, trim
from tableapi.types import Row
from tableapi.unknown_members import AdvisesOnMembers

if TYPE_CHECKING:
    import pyarrow

    from tableapi import job_client
    from tableapi.data import shapes
    from tableapi.display import rendering
    from tableapi.job_client import JobClient
    from tableapi.spark.batches import ArrowBatches
    from tableapi.spark.streaming.running import RunningStream
    from tableapi.spark.streaming.unbounded_rows import UnboundedRows
    from tableapi.stream_progress import StreamProgress

    _Listed = list[tuple[Any, ...]]
else:
    job_client = lazy(__name__, "tableapi.job_client")
    rendering = lazy(__name__, "tableapi.display.rendering")
    shapes = lazy(__name__, "tableapi.data.shapes")

__all__ = ["CloseableIterator", "ResultKind", "TableResult"]


class ResultKind(Enum):
    """Whether a statement returned rows or only succeeded."""

    SUCCESS = 0
    SUCCESS_WITH_CONTENT = 1


@boundaries
class CloseableIterator(NotSent):
    """An iterator over rows, which can be closed at any time, also by ``with``; closing stops the running query."""

    _instead = "Its rows are of one execution in this process. Send the list of the rows."

    def __init__(self, rows: Iterator[Row], close: Callable[[], None] = lambda: None) -> None:
        self._rows = rows
        self._close = close

    def __iter__(self) -> CloseableIterator:
        return self

    def __next__(self) -> Row:
        try:
            return next(self._rows)
        except (TableException, KeyboardInterrupt) as error:
            __tracebackhide__ = True
            trim(error)
            raise error  # Set TABLEAPI_TRACEBACK=full to see the frames below.

    def close(self) -> None:
        """Discard the remaining rows."""
        self._rows = iter(())
        self._close()

    def __repr__(self) -> str:
        return "<rows of a result, one at a time; list(…) reads all>"

    def __enter__(self) -> CloseableIterator:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@boundaries
class TableResult(AdvisesOnMembers, NotSent):
    """The result of a query or a statement.

    The rows of a query can be read once, as in Flink, because they belong to one execution and are not kept:
    ``collect`` and ``print`` continue after the last row that was read. The rows of a statement can be read again.

    The result of a query over a stream belongs to a query that runs: ``wait``, ``stop``, ``progress`` and
    ``exception`` are about it. An insert runs until it is stopped, or, with the trigger ``available-now``, until it has
    read what there is.
    """

    _receiver = "result"
    _instead = "Its rows are of one execution in this process. Send to_arrow() or to_pandas() of the table."

    def __init__(
        self,
        schema: ResolvedSchema,
        data: pyarrow.Table | ArrowBatches | UnboundedRows | _Listed | None,
        streams: Sequence[RunningStream] = (),
    ) -> None:
        self._schema = schema
        self._streams = tuple(streams)
        # A statement that this library executes itself lists Python values, so that it does not need pyarrow.
        self._data = data
        self._unread = self._rows_of(data) if isinstance(data, Iterator) else None

    @staticmethod
    def ok() -> TableResult:
        """Return the result of a statement without rows: the word OK."""
        return TableResult(ResolvedSchema.of(["result"], [t.STRING]), None)

    @staticmethod
    def of_sinks(
        names: Sequence[str], streams: Sequence[RunningStream] = (), counts: Sequence[int] | None = None
    ) -> TableResult:
        """Return the result of inserts: for each sink, the number of written rows, -1 if it is unknown.

        Args:
            names: the names of the sinks.
            streams: the queries over streams that write to them.
            counts: the numbers of rows; None if all of them are unknown, as they are for streams, which do not end.
        """
        columns = [name if list(names).count(name) == 1 else f"{name}_{n}" for n, name in enumerate(names, 1)]
        row = (-1,) * len(columns) if counts is None else tuple(counts)
        return TableResult(ResolvedSchema.of(columns, [t.BIGINT] * len(columns)), [row], streams)

    @staticmethod
    def of_rows(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> TableResult:
        """Return the result of a statement that lists objects; its columns are strings or booleans."""
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
        flags = [bool(column) and all(isinstance(value, bool) for value in column) for column in columns]
        flags = [flag or name.startswith("is") for flag, name in zip(flags, names, strict=True)]
        schema = ResolvedSchema.of(names, [t.BOOLEAN if flag else t.STRING for flag in flags])
        return TableResult(schema, [tuple(row) for row in rows])

    def get_job_client(self) -> JobClient | None:
        """Return the job of a query over a stream; None for other results, for which no job runs."""
        return job_client.JobClient(self._streams) if self._streams else None

    def get_result_kind(self) -> ResultKind:
        """Return whether the result has rows."""
        return ResultKind.SUCCESS if self._data is None else ResultKind.SUCCESS_WITH_CONTENT

    def get_resolved_schema(self) -> ResolvedSchema:
        """Return the columns of the rows as a ``ResolvedSchema``."""
        return self._schema

    def get_table_schema(self) -> TableSchema:
        """Return the columns of the rows as a ``TableSchema``."""
        return TableSchema(self._schema)

    def wait(self, timeout_ms: int | None = None) -> bool:
        """Wait for the end of an insert of a stream, and show its progress meanwhile.

        Ctrl-C stops the query after its current batch. For the rows of a stream, wait for the first of them. Other
        results return at once, because they exist only after the first rows arrive or the statement ends.

        Args:
            timeout_ms: the longest time to wait, in milliseconds; by default, there is no limit.

        Returns:
            Whether the query has ended, or the first rows have come; False if the time was too short.

        Raises:
            TableException: the query failed.
        """
        if timeout_ms is not None and (isinstance(timeout_ms, bool) or not isinstance(timeout_ms, int | float)):
            raise ValidationException(f"timeout_ms is a number of milliseconds, but was given {timeout_ms!r}.")
        data: Any = self._data
        if self._is_unbounded:
            return bool(data.wait(None if timeout_ms is None else timeout_ms / 1000))
        until = None if timeout_ms is None else time.monotonic() + timeout_ms / 1000
        ended = True
        for stream in self._streams:
            ended = stream.wait(None if until is None else max(0.0, until - time.monotonic())) and ended
        return ended

    def stop(self, timeout_ms: int | None = None) -> None:
        """Stop a query over a stream after its current batch; a restart continues with the next one.

        Other results are not running, so that nothing happens.

        Args:
            timeout_ms: how long the current batch may take, in milliseconds; a longer one is abandoned, and repeated
                after a restart.

        Raises:
            TableException: Spark cannot stop the query.
        """
        for stream in self._streams:
            stream.stop(None if timeout_ms is None else timeout_ms / 1000)
        close = getattr(self._data, "close", None)
        if close is not None:
            close()

    @property
    def is_running(self) -> bool:
        """Whether a query over a stream runs."""
        return any(stream.is_running for stream in self._streams)

    def progress(self) -> list[StreamProgress]:
        """Return the progress of a query over a stream: a record for each of the last batches, the oldest first.

        Spark keeps the last hundred. For other results, the list is empty.
        """
        return [record for stream in self._streams for record in stream.progress()]

    def exception(self) -> TableException | None:
        """Return why a query over a stream failed; None if it runs, ended without failure, or for other results."""
        return next((found for stream in self._streams if (found := stream.exception()) is not None), None)

    def collect(self, limit: int | None = None) -> CloseableIterator:
        """Return the rows as Python values, fetched on demand.

        The rows of a stream come as they are computed, through a bounded buffer: the query waits while nobody reads
        them. It runs until the iterator is closed, or has returned ``limit`` rows.

        Intervals of months are integers, variants are JSON, instants have a time zone, and shapes are objects of the
        classes ``Geometry`` and ``Geography``.

        Args:
            limit: the largest number of rows to return. PyFlink has no such parameter.

        Raises:
            TableException: a requested row cannot be computed; raised during iteration.
        """
        close = getattr(self._data, "close", None)
        rows = self._limited(limit)
        return CloseableIterator(rows) if close is None else CloseableIterator(rows, close)

    def _limited(self, limit: int | None) -> Iterator[Row]:
        if limit is None:
            return self._rows()
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 0:
            raise ValidationException(f"limit is a number of rows, but was given {limit!r}.")
        return self._stop_after(limit)

    def _stop_after(self, limit: int) -> Iterator[Row]:
        yield from itertools.islice(self._rows(), limit)
        if self._is_unbounded:
            self.stop()

    @property
    def _is_unbounded(self) -> bool:
        return bool(getattr(self._data, "is_unbounded", False))

    def _rows(self) -> Iterator[Row]:
        if self._unread is not None:
            return self._unread
        if self._data is None:
            return iter([Row.of(self._schema.names, ["OK"])])
        return self._rows_of(self._fetched())

    def _rows_of(self, batches: Iterable[pyarrow.RecordBatch | _Listed]) -> Iterator[Row]:
        names = self._schema.names
        for batch in batches:
            if isinstance(batch, list):
                yield from [Row.of(names, row) for row in batch]
                continue
            if not names:
                yield from [Row.of((), ()) for _ in range(batch.num_rows)]
                continue
            columns = [
                python_values(batch.column(i), column.data_type) for i, column in enumerate(self._schema.columns)
            ]
            yield from Row.of_columns(names, columns)

    def print(self, limit: int | None = None) -> None:
        """Print the rows as a table.

        The first 10,000 rows determine the widths of the columns; only these rows are in memory. The rows of a stream
        are printed as they come, in columns of fixed widths, until ``limit`` rows or Ctrl-C.

        Args:
            limit: the largest number of rows to print. PyFlink has no such parameter.
        """
        if self._data is None:
            sys.stdout.write("OK\n")
            return
        lines = self._lines_as_they_come if self._is_unbounded else self._lines_of
        for line in lines(self._limited(limit)):
            sys.stdout.write(line + "\n")

    def as_text(self) -> str:
        """Return the rows as a table in a string."""
        return "\n".join(self._lines())

    def __repr__(self) -> str:
        if self._streams and not self._is_unbounded:
            return "\n".join([f"query {stream.name!r} over a stream: {stream.state}" for stream in self._streams])
        rows, note = self._preview()
        lines = self._lines_of(iter(rows), note)
        return "\n".join(lines) if self._data is not None else "OK"

    def _repr_html_(self) -> str:
        rows, note = self._preview()
        if self._data is None:
            rows, note = [Row.of(self._schema.names, ["OK"])], ""
        if _is_text(rows, self._schema):
            return rendering.format_as_html(str(rows[0][0]))
        return rendering.result_html(self._schema, [[display_value(value) for value in row] for row in rows], note)

    def _preview(self) -> tuple[list[Row], str]:
        """Return the first fetched and unread rows, without reading them, and a remark."""
        if self._data is None:
            return [], ""
        batches = self._fetched()
        fetched = sum(len(batch) for batch in batches)
        rows = list(itertools.islice(self._rows_of([batch[: rendering.ROWS] for batch in batches]), rendering.ROWS))
        if self._unread is None:
            return rows, f"{len(rows)} of {fetched} rows" if fetched > len(rows) else _count(fetched)
        left = f"{len(rows)} of {_count(fetched)} fetched and not read yet"
        return rows, left if fetched else "no unread rows"

    def _fetched(self) -> list[pyarrow.RecordBatch | _Listed]:
        data: Any = self._data
        if isinstance(data, list):
            return [data]
        return list(data.to_batches(max_chunksize=_ROWS_IN_BATCH) if self._unread is None else data.fetched())

    def _lines(self) -> Iterator[str]:
        if self._data is None:
            yield "OK"
            return
        yield from self._lines_of(self._rows())

    def _lines_of(self, rows: Iterator[Row], note: str = "") -> Iterator[str]:
        first = list(itertools.islice(rows, _ROWS_THAT_SET_WIDTHS))
        if _is_text(first, self._schema):
            yield str(first[0][0])
            return
        names = list(self._schema.names)
        cells = [names] + [[display_value(value) for value in row] for row in first]
        widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
        numeric = [isinstance(column.data_type, t.NumericType) for column in self._schema.columns]
        rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"

        def line(values: list[str]) -> str:
            padded = [_pad(v, w, right) for v, w, right in zip(values, widths, numeric, strict=True)]
            return "|" + "|".join([f" {cell} " for cell in padded]) + "|"

        yield from [rule, line(names), rule]
        count = 0
        for values in itertools.chain(cells[1:], ([display_value(value) for value in row] for row in rows)):
            yield line(values)
            count += 1
        if count:
            yield rule
        yield note or f"{_count(count)} in set"

    def _lines_as_they_come(self, rows: Iterator[Row]) -> Iterator[str]:
        names = list(self._schema.names)
        numeric = [isinstance(column.data_type, t.NumericType) for column in self._schema.columns]
        kinds = [type(column.data_type) for column in self._schema.columns]
        widths = [max(_width(n), _WIDTHS_OF_STREAM.get(k, _WIDTH_OF_STREAM)) for n, k in zip(names, kinds, strict=True)]
        rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"

        def line(values: list[str]) -> str:
            padded = [_pad(v, w, right) for v, w, right in zip(values, widths, numeric, strict=True)]
            return "|" + "|".join([f" {cell} " for cell in padded]) + "|"

        yield from [rule, line(names), rule]
        count = 0
        for row in rows:
            yield line([display_value(value) for value in row])
            count += 1
        if count:
            yield rule
        yield f"{_count(count)} so far"


def first_rows(result: TableResult) -> rendering.FetchedRows:
    """Return the first fetched rows of a result as strings, without reading them, and the time of day."""
    rows, _ = result._preview()
    shown = tuple(tuple(display_value(value) for value in row[: rendering.COLUMNS]) for row in rows)
    count = f"the first {_count(len(rows))}" if len(rows) > 1 else _count(len(rows))
    return rendering.FetchedRows(shown, f"{count}, fetched at {datetime.datetime.now():%H:%M:%S}")


_ROWS_THAT_SET_WIDTHS = 10_000
_ROWS_IN_BATCH = 10_000
_WIDTH_OF_STREAM = 20
# Times have microseconds, and instants their time zone, too.
_WIDTHS_OF_STREAM: dict[type, int] = {t.TimestampType: 26, t.LocalZonedTimestampType: 32}
_LONGEST_CELL = 60


def _is_text(rows: Sequence[Row], schema: ResolvedSchema) -> bool:
    """Whether a result is a plan or a statement, which is shown without a frame."""
    return len(rows) == len(schema) == 1 and "\n" in str(rows[0][0])


def _count(rows: int) -> str:
    return f"{rows} row{'' if rows == 1 else 's'}"


def display_value(value: Any) -> str:
    """Format a value as a cell of a printed table."""
    if value is None:
        return "<NULL>"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(value))
    return text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - 1] + "…"


def _width(text: str) -> int:
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "FW" else 1 for c in text)


def _pad(text: str, width: int, right: bool) -> str:
    padding = " " * (width - _width(text))
    return padding + text if right else text + padding


def python_values(data: Any, data_type: LogicalType) -> list[Any]:
    """Convert an Arrow array to Python values of a logical type: rows to ``Row``, maps to dicts."""
    if isinstance(data_type, t.RowType):
        fields = [python_values(data.field(i), f.data_type) for i, f in enumerate(data_type.fields)]
        names = [f.name for f in data_type.fields]
        valid = data.is_valid().to_pylist()
        rows = Row.of_columns(names, fields) if fields else (Row.of((), ()) for _ in valid)
        return [row if ok else None for ok, row in zip(valid, rows, strict=True)]
    if isinstance(data_type, t.ArrayType):
        elements = python_values(data.values, data_type.element)
        return [None if s is None else elements[s[0] : s[1]] for s in _slices(data)]
    if isinstance(data_type, t.MapType):
        keys, values = python_values(data.keys, data_type.key), python_values(data.items, data_type.value)
        return [
            None if s is None else dict(zip(map(_hashable, keys[s[0] : s[1]]), values[s[0] : s[1]], strict=True))
            for s in _slices(data)
        ]
    if isinstance(data_type, t.SpatialType):
        return shapes.shapes_of_arrow(data, data_type)
    if isinstance(data_type, t.TimeType) and data_type.precision > MICROSECOND_DIGITS:
        counts = data.view("int64").to_pylist()
        return [None if count is None else time_of_nanoseconds(count) for count in counts]
    try:
        return data.to_pylist()  # type: ignore[no-any-return]  # pyarrow has no types
    except (OverflowError, ValueError):
        if not isinstance(data_type, (t.DateType, t.TimestampType, t.LocalZonedTimestampType)):
            raise
        return [_convert_day(value, data_type) for value in data]


def _convert_day(value: Any, data_type: LogicalType) -> Any:
    """Convert a date or time of Arrow, also one that Python's ``datetime`` cannot represent."""
    try:
        return value.as_py()
    except (OverflowError, ValueError):
        if isinstance(data_type, t.DateType):
            return day_of_count(value.value)
        return far_moment_of_count(value.value, isinstance(data_type, t.LocalZonedTimestampType))


def _hashable(key: Any) -> Any:
    if isinstance(key, list):
        return tuple(map(_hashable, key))
    return Row.of(key.names or (), tuple(map(_hashable, key))) if isinstance(key, Row) else key


def _slices(data: Any) -> list[tuple[int, int] | None]:
    """Return the start and end of each list in the child array, None for NULL."""
    offsets = data.offsets.to_pylist()
    valid = data.is_valid().to_pylist()
    return [(offsets[i], offsets[i + 1]) if ok else None for i, ok in enumerate(valid)]
