"""The verb state: what the checkpoint of a stream has stored for its process table functions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from ir.errors import ValidationException
from tableapi.cli.output import ExitCode, Output, bullet_list, counted
from tableapi.lazy import lazy
from tableapi.spark.streaming.state_reading import StatesOfCheckpoint

if TYPE_CHECKING:
    from tableapi.environment import table_environment
    from tableapi.spark.streaming import state_summaries
    from tableapi.spark.streaming.state_summaries import StateDifference, StateSummary
else:
    table_environment = lazy(__name__, "tableapi.environment.table_environment")
    state_summaries = lazy(__name__, "tableapi.spark.streaming.state_summaries")

NO_REPARTITION: Final = (
    "The state of a checkpoint is not moved to another number of partitions in place: Spark writes state only while a "
    "query runs. Start the query with a new checkpoint, restore_from= the old one, and another "
    "spark.sql.shuffle.partitions; its first batch moves the state and reads no rows."
)
_UNITS: Final = ("bytes", "kB", "MB", "GB", "TB")


def show_state(output: Output, checkpoint: str, uid: str | None, key: Sequence[str], limit: int) -> ExitCode:
    """Show what a checkpoint has stored, or the states of one call by key."""
    states = StatesOfCheckpoint(checkpoint)
    if key and uid is None:
        if len(states.calls) != 1:
            raise ValidationException("--key needs --uid, because the checkpoint has several states or none.")
        uid = states.calls[0].uid
    calls = states.calls if uid is None else (states.call(uid),)
    session = _session()
    found = [state_summaries.summarize(session, states, states.call(call.uid)) for call in calls]
    rows = None if uid is None else state_summaries.list_rows(session, states, calls[0], key, limit)
    others = [part.title for part in states.record.shape.state if part.call is None]
    output.show(f"{states.path}: the query {states.record.name} into {states.record.sink}")
    for summary in found:
        output.show(f"{summary.uid}: {_describe(summary)}", "bold")
        output.show(bullet_list(list(_facts(summary))))
    if rows is not None:
        _show_rows(output, rows, found[0], key)
    if others:
        output.show(f"State of Spark: {'; '.join(others)}")
    if not found and not others:
        output.show("The query has no state.")
    documents = [attrs.asdict(summary) for summary in found]
    if rows is not None:
        documents[0]["rows"] = rows
    output.document(
        checkpoint=str(states.path),
        query=states.record.name,
        sink=states.record.sink,
        written_by=states.record.version,
        states=documents,
        other_state=others,
    )
    return ExitCode.OK


def _session() -> Any:
    return table_environment.TableEnvironment.create().spark


def _describe(summary: StateSummary) -> str:
    by = f" by {_list_types(summary.partition_keys)}" if summary.partition_keys else ""
    return f"the function {summary.function}{by}"


def _list_types(types: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {known}" for name, known in types.items())


def _facts(summary: StateSummary) -> Iterator[str]:
    for name, known in summary.states.items():
        yield f"state {name} {known}"
    if not summary.partitions:
        yield "no batch has ended yet"
        return
    keys, partitions = counted(summary.keys, "key"), counted(summary.partitions, "partition")
    yield f"{keys} in {partitions}, {_size(summary.bytes)}"
    yield f"{counted(summary.timers, 'timer')}, {counted(summary.waiting_rows, 'row')} waiting for the watermark"
    if summary.watermark is not None:
        yield f"processed up to the watermark {summary.watermark}"


def _size(count: int) -> str:
    """Return a number of bytes in words.

    >>> _size(213), _size(5_120_000)
    ('213 bytes', '5.1 MB')
    """
    size, unit = float(count), 0
    while size >= 1_000 and unit < len(_UNITS) - 1:
        size, unit = size / 1_000, unit + 1
    return f"{size:.1f} {_UNITS[unit]}" if unit else f"{count} bytes"


def _show_rows(output: Output, rows: list[dict[str, Any]], summary: StateSummary, key: Sequence[str]) -> None:
    if not rows:
        output.show(f"No state of the key {', '.join(key)}." if key else "No key has state.")
    for row in rows:
        output.show(bullet_list([json.dumps(row, ensure_ascii=False)]))
    if not key and len(rows) < summary.keys:
        output.show(f"{len(rows)} of {counted(summary.keys, 'key')}; --limit shows more, --key one of them.")


def diff_states(output: Output, first: str, second: str) -> ExitCode:
    """Show what differs between the states of two checkpoints."""
    one, other = StatesOfCheckpoint(first), StatesOfCheckpoint(second)
    found = state_summaries.diff_states(_session(), one, other)
    different = [made for made in found if not made.is_equal]
    for made in different:
        output.show(f"~ {made.uid}", "yellow")
        output.show(bullet_list(list(_differences(made, (str(one.path), str(other.path)))), 4))
    output.show(
        f"{counted(len(found), 'state')} compared; {len(different)} differ.", "yellow" if different else "green"
    )
    output.document(
        first=str(one.path),
        second=str(other.path),
        differences=[{**attrs.asdict(made), "is_equal": made.is_equal} for made in found],
    )
    return ExitCode.FOUND if different else ExitCode.OK


def _differences(made: StateDifference, sides: tuple[str, str]) -> Iterator[str]:
    yield from made.changes
    for side, count in zip(sides, (made.only_in_first, made.only_in_second), strict=True):
        if count:
            yield f"Only {side} has {counted(count, 'key')}."
    if made.changed:
        yield f"{counted(made.changed, 'key')} with another state."
    for sample in made.samples:
        yield f"{json.dumps(sample['key'], ensure_ascii=False)}: {_show_value(sample['first'])} | " + _show_value(
            sample["second"]
        )


def _show_value(value: Any) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)
