"""Records of the progress of a query over a stream, one for each batch."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from ir.errors import listing
from tableapi.tracebacks import boundaries

__all__ = ["CallProgress", "OperatorProgress", "SourceProgress", "StreamProgress"]

CALL_METRICS = "tableapi.call."
"""The beginning of the names of the metrics of calls of process table functions; the ``uid`` follows."""


@frozen
class SourceProgress:
    """What a batch read from one source.

    Attributes:
        description: the source as Spark describes it.
        rows: the number of rows that were read. A row counts twice if the batch reads the source twice.
        rows_per_second: the rows that arrived in each second since the last batch.
        start: the offset at which the batch begins, as text; None for the first batch.
        end: the offset at which the batch ends, as text.
        behind: the lag: how many records the source had behind the end of the batch when the batch began; None if the
            source does not number its records, as brokers do.
    """

    description: str
    rows: int
    rows_per_second: float
    start: str | None
    end: str | None
    behind: int | None = None


@frozen
class OperatorProgress:
    """The state of one operator after a batch.

    Attributes:
        name: the operator as Spark calls it, such as ``stateStoreSave`` for an aggregation.
        state_rows: the number of rows in the state.
        changed_rows: the number of rows of the state that the batch changed.
        state_bytes: the memory that the state uses.
        late_rows: the number of rows that the batch dropped because they came after the watermark.
    """

    name: str
    state_rows: int
    changed_rows: int
    state_bytes: int
    late_rows: int


@frozen
class CallProgress:
    """What a batch did in a call of a process table function that keeps state.

    Attributes:
        uid: the ``uid`` of the call.
        rows: the number of rows that came, with those that were late.
        late_rows: the number of rows whose time is not after the watermark: dropped, or handed to ``on_late``.
        largest_state: the bytes of the largest state of a partition that the batch processed.
        largest_partition: the key of this partition in words; None if no partition has state.
    """

    uid: str
    rows: int
    late_rows: int
    largest_state: int
    largest_partition: str | None


@boundaries
@frozen
class StreamProgress:
    """What one batch of a query over a stream did.

    Attributes:
        query: the name of the query.
        batch: the number of the batch, from 0.
        began_at: the time at which the batch began, as text in the format of ISO 8601.
        seconds: how long the batch took.
        rows_in: the number of rows that were read.
        rows_out: the number of rows that were written; None if the sink does not report it.
        rows_in_per_second: the rows that arrived in each second since the last batch.
        rows_per_second: the rows that the batch processed in each second.
        watermark: the watermark as text in the format of ISO 8601; None if the query has none.
        sources: the sources.
        operators: the operators that have state.
        calls: the calls of process table functions that keep state, by their ``uid``.
        held_back_by: of a query with several watermarks, the sources whose times hold back all others, as they are
            described in ``sources``; known for the last batch alone.
    """

    query: str
    batch: int
    began_at: str
    seconds: float
    rows_in: int
    rows_out: int | None
    rows_in_per_second: float
    rows_per_second: float
    watermark: str | None
    sources: tuple[SourceProgress, ...]
    operators: tuple[OperatorProgress, ...]
    calls: tuple[CallProgress, ...] = ()
    held_back_by: tuple[str, ...] = ()

    @property
    def behind(self) -> int | None:
        """The lag: how many records the sources had behind the end of the batch; None if no source numbers them."""
        known = [source.behind for source in self.sources if source.behind is not None]
        return sum(known) if known else None

    @property
    def state_rows(self) -> int:
        """The number of rows in the state of all operators."""
        return sum(operator.state_rows for operator in self.operators)

    @property
    def state_bytes(self) -> int:
        """The memory that the state of all operators uses."""
        return sum(operator.state_bytes for operator in self.operators)

    @property
    def late_rows(self) -> int:
        """The number of rows that came after the watermark; the batch drops those that no ``on_late`` takes."""
        of_operators = sum(operator.late_rows for operator in self.operators)
        return of_operators + sum(call.late_rows for call in self.calls)

    def describe(self) -> str:
        """Describe the batch in words.

        >>> StreamProgress("q", 3, "2024-05-01T10:00:00.000Z", 0.5, 1200, 7, 2400.0, 2400.0, None, (), ()).describe()
        'batch 3, 1,200 rows read, 7 rows written, 2,400 rows/s'
        """
        parts = [f"batch {self.batch}", f"{self.rows_in:,} rows read"]
        if self.rows_out is not None:
            parts.append(f"{self.rows_out:,} rows written")
        parts.append(f"{self.rows_per_second:,.0f} rows/s")
        if self.behind is not None:
            parts.append(f"{self.behind:,} behind")
        if self.watermark is not None:
            parts.append(f"watermark {self.watermark}")
        if self.held_back_by:
            parts.append(f"held back by {listing(self.held_back_by)}")
        if self.operators:
            parts.append(f"{self.state_rows:,} rows of state ({_describe_bytes(self.state_bytes)})")
        if self.late_rows:
            parts.append(f"{self.late_rows:,} late rows")
        return ", ".join(parts)


def _describe_bytes(count: int) -> str:
    size = float(count)
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


# Spark reports this watermark while no row has set one.
_NO_WATERMARK = "1970-01-01T00:00:00.000Z"


def read_progress(query: str, reported: Mapping[str, Any]) -> StreamProgress:
    """Return the record of a batch from Spark's report, which is JSON in the form of dictionaries."""
    sink, times = reported.get("sink") or {}, reported.get("eventTime") or {}
    reported_rows = sink.get("numOutputRows")
    written = -1 if reported_rows is None else int(reported_rows)
    watermark = times.get("watermark")
    sources = tuple([_read_source(source) for source in reported.get("sources") or ()])
    return StreamProgress(
        query=query,
        batch=int(_number(reported.get("batchId"))),
        began_at=str(reported.get("timestamp")),
        seconds=_number((reported.get("durationMs") or {}).get("triggerExecution")) / 1000,
        rows_in=sum(source.rows for source in sources),
        rows_out=None if written < 0 else written,
        rows_in_per_second=_sum_of_sources(reported, "inputRowsPerSecond"),
        rows_per_second=_sum_of_sources(reported, "processedRowsPerSecond"),
        watermark=None if watermark == _NO_WATERMARK else watermark,
        sources=sources,
        operators=tuple([_read_operator(operator) for operator in reported.get("stateOperators") or ()]),
        calls=tuple(
            [
                _read_call(name.removeprefix(CALL_METRICS), metrics)
                for name, metrics in sorted((reported.get("observedMetrics") or {}).items())
                if name.startswith(CALL_METRICS)
            ]
        ),
    )


def _sum_of_sources(reported: Mapping[str, Any], key: str) -> float:
    """Return a number of the batch, which Spark Connect gives for each source alone."""
    if reported.get(key) is not None:
        return _number(reported[key])
    return sum(_number(source.get(key)) for source in reported.get("sources") or ())


def _read_source(source: Mapping[str, Any]) -> SourceProgress:
    return SourceProgress(
        description=str(source.get("description")),
        rows=int(_number(source.get("numInputRows"))),
        rows_per_second=_number(source.get("inputRowsPerSecond")),
        start=_offset(source.get("startOffset")),
        end=_offset(source.get("endOffset")),
        behind=_count_behind(_parse(source.get("endOffset")), _parse(source.get("latestOffset"))),
    )


def _parse(offset: Any) -> Any:
    """Return an offset that is a document of JSON as dictionaries; other offsets unchanged."""
    return json.loads(offset) if isinstance(offset, str) and offset.startswith("{") else offset


def _count_behind(end: Any, latest: Any) -> int | None:
    """Return how many records lie between two offsets that have numbers by names, None for others.

    The offset of a topic has a number for each partition, that of a stream of NATS its sequence number. A partition
    that is not in both is not counted, as nothing says where its records begin.
    """
    if not isinstance(end, dict) or not isinstance(latest, dict):
        return None
    found = []
    for first, last in [(end[name], latest[name]) for name in end if name in latest]:
        is_number = isinstance(first, int) and isinstance(last, int)
        found.append(max(last - first, 0) if is_number else _count_behind(first, last))
    known = [count for count in found if count is not None]
    return sum(known) if known else None


def _read_operator(operator: Mapping[str, Any]) -> OperatorProgress:
    return OperatorProgress(
        name=str(operator.get("operatorName")),
        state_rows=int(_number(operator.get("numRowsTotal"))),
        changed_rows=int(_number(operator.get("numRowsUpdated"))),
        state_bytes=int(_number(operator.get("memoryUsedBytes"))),
        late_rows=int(_number(operator.get("numRowsDroppedByWatermark"))),
    )


def _read_call(uid: str, metrics: Any) -> CallProgress:
    # PySpark gives a row.
    found = metrics.asDict() if hasattr(metrics, "asDict") else metrics or {}
    size = int(_number(found.get("size")))
    return CallProgress(
        uid=uid,
        rows=int(_number(found.get("rows"))),
        late_rows=int(_number(found.get("late"))),
        largest_state=size,
        largest_partition=str(found["partition"]) if size else None,
    )


def _number(given: Any) -> float:
    """Return a rate; Spark has none for the first batch, and infinity for an immediate one."""
    try:
        found = float(given)
    except (TypeError, ValueError):
        return 0.0
    return found if found == found and abs(found) != float("inf") else 0.0


def _offset(given: Any) -> str | None:
    return None if given in (None, "null") else str(given)
