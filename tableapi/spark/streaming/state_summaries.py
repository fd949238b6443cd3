"""Count and compare the states of checkpoints, and list their values, for the verb ``state``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from ir.errors import ValidationException
from ir.identifiers import quote
from tableapi.lazy import lazy
from tableapi.spark.errors import readable_errors
from tableapi.spark.streaming.state_changes import CallState, compare_states
from tableapi.spark.streaming.state_reading import FACTS, StatesOfCheckpoint

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession, functions
else:
    functions = lazy(__name__, "pyspark.sql.functions")

NULL: Final = "NULL"
_SAMPLES: Final = 5
_WITH_NULLS: Final = {"ignoreNullFields": "false"}


@frozen
class StateSummary:
    """The state that a checkpoint has for a ``uid``.

    Attributes:
        uid: the identifier of the state.
        function: the name of the function.
        partition_keys: the names of the partition keys with their types.
        states: the names of the states with their types.
        partitions: the number of partitions of the state store, 0 before the first batch has ended.
        keys: the number of partition keys with state.
        timers: the number of timers.
        waiting_rows: the number of rows that wait for the watermark.
        bytes: the size of the stored states.
        watermark: the watermark up to which rows and timers have been processed, as text; None before the first one.
    """

    uid: str
    function: str
    partition_keys: dict[str, str]
    states: dict[str, str]
    partitions: int
    keys: int
    timers: int
    waiting_rows: int
    bytes: int
    watermark: str | None


def summarize(session: SparkSession, states: StatesOfCheckpoint, call: CallState) -> StateSummary:
    """Summarize the state that a checkpoint has for a call."""
    frame = states.frame(session, call)
    timers, watermark, waiting, size = [functions.col(quote(name)) for name in frame.columns[-FACTS:]]
    counted = frame.agg(
        functions.count(functions.lit(1)),
        functions.coalesce(functions.sum(functions.size(timers)), functions.lit(0)),
        functions.coalesce(functions.sum(waiting), functions.lit(0)),
        functions.coalesce(functions.sum(size), functions.lit(0)),
        functions.max(watermark).cast("string"),
    )
    with readable_errors(f"Reading the state of {call.uid!r}"):
        keys, timer_count, waiting_rows, bytes_, reached = counted.collect()[0]
    operator = states.operator_of(call)
    return StateSummary(
        uid=call.uid,
        function=call.function,
        partition_keys=dict(call.keys),
        states=call.state_types,
        partitions=0 if operator is None else operator.partitions,
        keys=keys,
        timers=timer_count,
        waiting_rows=waiting_rows,
        bytes=bytes_,
        watermark=reached,
    )


def list_rows(
    session: SparkSession, states: StatesOfCheckpoint, call: CallState, key: Sequence[str], limit: int
) -> list[dict[str, Any]]:
    """Return the states of partition keys as values of JSON.

    Args:
        session: the session that reads them.
        states: the checkpoint.
        call: the call.
        key: the values of the partition keys as text, ``NULL`` for NULL; empty for all keys.
        limit: the largest number of rows.

    Raises:
        ValidationException: there is another number of partition keys.
    """
    frame = states.frame(session, call)
    if key and len(key) != len(call.keys):
        shown = ", ".join(name for name, _ in call.keys) or "none"
        raise ValidationException(
            f"{len(key)} values of partition keys are given, and the state of {call.uid!r} has the keys [{shown}]. "
            "Repeat --key for each of them, in this order."
        )
    for name, value in zip(frame.columns, key, strict=False):
        column = functions.col(quote(name))
        is_same = column.cast("string") == functions.lit(value)
        frame = frame.filter(is_same | column.isNull() if value == NULL else is_same)
    shown_rows = frame.select(_as_json(frame, frame.columns)).limit(limit)
    with readable_errors(f"Reading the state of {call.uid!r}"):
        return [json.loads(row[0]) for row in shown_rows.collect()]


def _as_json(frame: DataFrame, names: Sequence[str]) -> Column:
    return functions.to_json(functions.struct(*[frame[quote(name)] for name in names]), _WITH_NULLS)


@frozen
class StateDifference:
    """The differences in the state of a ``uid`` between two checkpoints.

    Attributes:
        uid: the identifier of the state.
        changes: how the declared states differ, as sentences.
        only_in_first: the number of keys that the first checkpoint has alone.
        only_in_second: the number of keys that the second checkpoint has alone.
        changed: the number of keys whose states, timers or waiting rows differ.
        samples: some of these keys with their states in each checkpoint.
    """

    uid: str
    changes: list[str]
    only_in_first: int = 0
    only_in_second: int = 0
    changed: int = 0
    samples: list[dict[str, Any]] = field(factory=list)

    @property
    def is_equal(self) -> bool:
        """Whether nothing differs."""
        return not (self.changes or self.only_in_first or self.only_in_second or self.changed)


def diff_states(session: SparkSession, first: StatesOfCheckpoint, second: StatesOfCheckpoint) -> list[StateDifference]:
    """Compare the states of two checkpoints, by the ``uid`` of each call."""
    found = []
    others = {call.uid: call for call in second.calls}
    for call in first.calls:
        other = others.pop(call.uid, None)
        if other is None:
            found.append(StateDifference(call.uid, [f"Only {first.path} has the state of {call.uid!r}."]))
            continue
        compared = compare_states(call, other)
        changes = [*compared.refused, *compared.carried]
        if [known for _, known in call.keys] != [known for _, known in other.keys]:
            found.append(StateDifference(call.uid, changes))
            continue
        frames = (first.frame(session, call), second.frame(session, other))
        found.append(_diff_rows(call, changes, *[_keys_and_values(frame, len(call.keys)) for frame in frames]))
    found += [StateDifference(uid, [f"Only {second.path} has the state of {uid!r}."]) for uid in others]
    return found


def _keys_and_values(frame: DataFrame, width: int) -> DataFrame:
    """Return the partition keys, and all that is stored for them but its size, as two columns of JSON."""
    timers, _, waiting, _ = frame.columns[-FACTS:]
    key = _as_json(frame, frame.columns[:width]) if width else functions.lit("{}")
    stored = [*frame.columns[width:-FACTS], timers, waiting]
    return frame.select(key.alias("key"), _as_json(frame, stored).alias("value"))


def _diff_rows(call: CallState, changes: list[str], first: DataFrame, second: DataFrame) -> StateDifference:
    joined = first.alias("a").join(second.alias("b"), functions.col("a.key") == functions.col("b.key"), "full")
    a, b = functions.col("a.value"), functions.col("b.value")
    different = joined.filter(~a.eqNullSafe(b)).select(
        functions.coalesce("a.key", "b.key").alias("key"), a.alias("first"), b.alias("second")
    )
    with readable_errors(f"Comparing the state of {call.uid!r}"):
        counts = different.agg(
            functions.count_if(functions.col("second").isNull()),
            functions.count_if(functions.col("first").isNull()),
            functions.count(functions.lit(1)),
        ).collect()[0]
        rows = different.orderBy("key").limit(_SAMPLES).collect() if counts[2] else []
    samples = [
        {
            "key": json.loads(row["key"]),
            "first": None if row["first"] is None else json.loads(row["first"]),
            "second": None if row["second"] is None else json.loads(row["second"]),
        }
        for row in rows
    ]
    return StateDifference(call.uid, changes, counts[0], counts[1], counts[2] - counts[0] - counts[1], samples)
