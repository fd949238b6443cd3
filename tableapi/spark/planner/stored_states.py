"""Plan how a call of a process table function over a stream stores its states."""

from __future__ import annotations

import hashlib
import re

from ir.functions.process import StateEntry
from ir.operations.process import ProcessTable
from ir.streaming.event_time import time_columns_of
from ir.streaming.stored_types import Kind, key_kind, state_kind
from ir.types import LogicalType, RowType
from tableapi.spark.planner.objects import value_maker
from tableapi.spark.planner.process import PlannedCall
from tableapi.spark.runtime.process.plan import StoredPlan, StoredState
from tableapi.spark.runtime.process.stored_values import FINGERPRINT_BYTES
from tableapi.user_functions.annotations import fields_of

_NOT_A_NAME = re.compile(r"\W", re.ASCII)


def stored_plan(planned: PlannedCall) -> StoredPlan:
    """Return how a call stores its states; ``ir.streaming`` has accepted it."""
    call = planned.call
    keys = tuple([_required(key_kind(key.data_type)) for key in call.partition_keys[0]])
    states = zip(call.signature.states, call.state_types, strict=True)
    return StoredPlan(
        variable=_variable(call.uid),
        states=tuple([_stored_state(entry, known) for entry, known in states]),
        fingerprint=hashlib.sha256(describe_stored(planned).encode()).digest()[:FINGERPRINT_BYTES],
        keys=keys,
        width=len(planned.input.schema),
        has_watermark=bool(time_columns_of(call.tables[0])),
        order=planned.order_of_waiting,
    )


def describe_stored(planned: PlannedCall) -> str:
    """Return the states of a call with their types in words, and the types of rows that wait for the watermark."""
    states = describe_states(planned.call)
    if not planned.order_of_waiting:
        return states
    columns = planned.call.tables[0].schema.columns
    table = ", ".join(f"{column.name} {column.data_type.as_nullable().as_summary_string()}" for column in columns)
    computed = planned.sent.schema.types[len(columns) :]
    others = "".join(f", {known.as_nullable().as_summary_string()}" for known in computed)
    return f"{states}, waiting rows [{table}{others}]"


def describe_states(call: ProcessTable) -> str:
    """Return the states of a call with their types in words: ``count ROW<`n` BIGINT NOT NULL>``."""
    states = zip(call.signature.states, call.state_types, strict=True)
    return ", ".join(f"{entry.label} {known.not_null().as_summary_string()}" for entry, known in states)


def _variable(uid: str) -> str:
    """Return the name of the state in Spark's state store, which takes letters, digits and underscores."""
    name = _NOT_A_NAME.sub("_", uid)
    return f"s_{uid}" if name == uid else f"s_{name}_{hashlib.sha256(uid.encode()).hexdigest()[:8]}"


def _stored_state(entry: StateEntry, known: LogicalType) -> StoredState:
    assert isinstance(known, RowType)
    hints = dict(fields_of(entry.conversion) or ()) if entry.conversion is not None else {}
    return StoredState(
        entry.label,
        tuple([field.name for field in known.fields]),
        tuple([_required(state_kind(field.data_type)) for field in known.fields]),
        tuple([value_maker(hints[field.name]) if field.name in hints else None for field in known.fields]),
    )


def _required(kind: Kind | None) -> Kind:
    assert kind is not None, "the rules of streams accept storable types alone"
    return kind
