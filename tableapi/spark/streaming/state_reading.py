"""Read the states of process table functions from a checkpoint, as rows of a table."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from attrs import frozen

from grammar.type_texts import parse_type
from ir import types as t
from ir.errors import TableException, ValidationException, did_you_mean, listing
from ir.streaming.stored_types import key_kind
from ir.types import LogicalType, RowField, RowType
from tableapi.lazy import lazy
from tableapi.spark import versions
from tableapi.spark.errors import readable_errors
from tableapi.spark.python_functions import pickle_user_code_by_value
from tableapi.spark.runtime.process.packing import KEY
from tableapi.spark.runtime.process.partition_keys import PROGRESS_KEY
from tableapi.spark.runtime.process.plan import StoredForm
from tableapi.spark.runtime.process.state_rows import StateTable, read_states
from tableapi.spark.runtime.process.stored_forms import FORMS, add_form, read_form
from tableapi.spark.streaming.checkpoints import Checkpoint, Record, local_path
from tableapi.spark.streaming.state_changes import STORED_VERSION, CallState
from tableapi.spark.streaming.state_partitions import require_unmoved_state
from tableapi.spark.types import to_spark
from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession, functions
    from pyspark.sql.types import StructType
else:
    functions = lazy(__name__, "pyspark.sql.functions")

TIMERS: Final = "timers"
WATERMARK: Final = "watermark"
WAITING_ROWS: Final = "waiting_rows"
BYTES: Final = "bytes"
FACTS: Final = 4
"""The number of columns after those of the states: timers, watermark, waiting rows, and bytes."""
_NUMBER: Final = re.compile(r"\d+")
_INTERVAL: Final = parse_type("INTERVAL DAY TO SECOND")


@frozen
class Operator:
    """An operator with state in a checkpoint.

    Attributes:
        number: its number in the checkpoint.
        name: its name in Spark.
        partitions: the number of its partitions.
        variables: the names of its states in Spark's state store, those of process functions alone.
    """

    number: int
    name: str
    partitions: int
    variables: tuple[str, ...]


class StatesOfCheckpoint:
    """The states in a checkpoint of this machine.

    Args:
        checkpoint: the directory, or a ``file:`` address of it.

    Raises:
        TableException: there is no checkpoint, or it cannot be read; the message says why.
    """

    def __init__(self, checkpoint: str | os.PathLike[str]) -> None:
        if not isinstance(checkpoint, (str, os.PathLike)):
            raise ValidationException(
                f"The checkpoint is {checkpoint!r} of type {type(checkpoint).__name__}. Give its directory as a string "
                "or a path."
            )
        given = os.fspath(checkpoint)
        path = local_path(given)
        if path is None:
            raise TableException(
                f"The checkpoint {given} is in another file system, of which this version cannot read the state. Copy "
                "the directory to this machine, and give its path."
            )
        self.path: Path = path
        self.record: Record = Checkpoint(path, "").read()
        self.calls: tuple[CallState, ...] = tuple(
            [part.call for part in self.record.shape.state if part.call is not None]
        )

    def call(self, uid: str) -> CallState:
        """Return the call of a ``uid``.

        Raises:
            ValidationException: the checkpoint has no call of this ``uid``.
            TableException: a newer version of this library has stored its state.
        """
        found = next((call for call in self.calls if call.uid == uid), None)
        if found is None:
            known = [call.uid for call in self.calls]
            what = f"It has the state of [{listing(known)}]." if known else "Its query calls no process table function."
            raise ValidationException(
                f"The checkpoint {self.path} has no state of the uid {uid!r}. {what}{did_you_mean(uid, known)}"
            )
        if found.version > STORED_VERSION:
            raise TableException(
                f"A newer version of tableapi ({self.record.version}) has stored the state of {uid!r} in the "
                f"checkpoint {self.path}. Install that version."
            )
        return found

    def operators(self) -> list[Operator]:
        """Return the operators with state, of which none exists before a batch has ended."""
        return list(_list_operators(self.path / "state"))

    def operator_of(self, call: CallState) -> Operator | None:
        """Return the operator of a call; None before its first batch has ended."""
        return next((one for one in self.operators() if call.variable in one.variables), None)

    def raw(self, session: SparkSession, call: CallState) -> DataFrame:
        """Return the rows of the state store for a call: number of the partition, key, and value.

        Raises:
            TableException: the session cannot read state, or Spark cannot read the checkpoint.
        """
        _require_reader(session)
        require_unmoved_state(self.path)
        operator = self.operator_of(call)
        if operator is None or not Checkpoint.list_names(self.path / "commits"):
            return session.createDataFrame([], f"partition_id INT, {KEY} BINARY, state BINARY")
        with readable_errors(f"Reading the state of {call.uid!r} in the checkpoint {self.path}"):
            reader = session.read.format("statestore").option("operatorId", str(operator.number))
            frame = reader.option("stateVarName", call.variable).load(str(self.path))
            return frame.select("partition_id", f"key.{KEY}", "value.state")

    def progress(self, raw: DataFrame) -> dict[int, dict[str, Any]]:
        """Return the facts that the state store keeps for each partition, by the number of the partition."""
        with readable_errors(f"Reading the state in the checkpoint {self.path}"):
            rows = raw.filter(functions.col(KEY) == functions.lit(bytearray(PROGRESS_KEY))).collect()
        return {row[0]: json.loads(bytes(row[2])) for row in rows}

    def frame(self, session: SparkSession, call: CallState) -> DataFrame:
        """Return the states of a call, one row for each partition key.

        Raises:
            TableException: Spark cannot read the checkpoint.
        """
        raw = self.raw(session, call)
        progress = self.progress(raw)
        schema = cast("StructType", to_spark(_row_type(call)))
        table = StateTable(
            schema=versions.arrow_schema(schema),
            keys=tuple([key_kind(parse_type(known)) or () for _, known in call.keys]),
            forms={number: _forms(entry, call) for number, entry in progress.items()},
            watermarks={number: entry["watermark"] for number, entry in progress.items() if entry.get("watermark")},
        )
        with pickle_user_code_by_value():
            return raw.mapInArrow(lambda batches: read_states(batches, table), schema)


def _forms(progress: dict[str, Any], call: CallState) -> tuple[StoredForm, ...]:
    """Return the forms of a partition of the state store, with the form of the record at their end."""
    return add_form([read_form(form) for form in progress.get(FORMS, ())], call.form)


def _require_reader(session: SparkSession) -> None:
    if is_connect(session):
        raise TableException(
            "The state of a checkpoint cannot be read over Spark Connect yet. Use a classic session, such as that of "
            "TableEnvironment.create()."
        )


def _row_type(call: CallState) -> RowType:
    """Return the columns of the states of a call."""
    time = parse_type(call.time) if call.time is not None else t.TIMESTAMP_LTZ
    timer = RowType((RowField("name", t.STRING), RowField("time", time), RowField("period", _INTERVAL)))
    columns: list[tuple[str, LogicalType]] = [(name, parse_type(known)) for name, known in call.keys]
    columns += [(name, parse_type(known)) for name, known in call.state_types.items()]
    columns += [(TIMERS, t.ArrayType(timer)), (WATERMARK, time), (WAITING_ROWS, t.BIGINT), (BYTES, t.BIGINT)]
    names = _make_unique([name for name, _ in columns])
    return RowType(
        tuple([RowField(name, known.as_nullable()) for name, (_, known) in zip(names, columns, strict=True)])
    )


def _make_unique(names: list[str]) -> list[str]:
    """Return unique names; names that differ only in case count as equal.

    >>> _make_unique(["k", "bytes", "Bytes"])
    ['k', 'bytes', 'Bytes_2']
    """
    made: list[str] = []
    taken: set[str] = set()
    for name in names:
        number, unique = 2, name
        while unique.lower() in taken:
            number, unique = number + 1, f"{name}_{number}"
        taken.add(unique.lower())
        made.append(unique)
    return made


def _list_operators(folder: Path) -> Iterator[Operator]:
    for name in sorted((n for n in Checkpoint.list_names(folder) if _NUMBER.fullmatch(n)), key=int):
        metadata = folder / name / "_metadata" / "v2"
        batches = [int(n) for n in Checkpoint.list_names(metadata) if _NUMBER.fullmatch(n)]
        if not batches:
            continue
        text = (metadata / str(max(batches))).read_text(encoding="utf-8")
        found = json.loads(text[text.index("\n") :])
        properties = json.loads(found.get("operatorPropertiesJson") or "{}")
        variables = [str(one["stateName"]) for one in properties.get("stateVariables", ())]
        stores = found.get("stateStoreInfo") or [{}]
        yield Operator(
            int(found["operatorInfo"]["operatorId"]),
            str(found["operatorInfo"]["operatorName"]),
            int(stores[0].get("numPartitions", 0)),
            tuple(variables),
        )
