"""Plan how a call of a process table function over a stream stores its states."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from dataclasses import replace
from typing import Any

from ir.errors import TableException
from ir.expressions import FieldReference, ResolvedExpression
from ir.functions.process import StateEntry, StateKind
from ir.operations.process import ProcessTable
from ir.streaming.event_time import time_columns_of
from ir.streaming.stored_types import Kind, key_kind, state_kind
from ir.types import ArrayType, LogicalType, MapType, RowType
from tableapi.process_functions.parameters import annotations_of
from tableapi.spark.planner.objects import element_makers, value_maker
from tableapi.spark.planner.process import PlannedCall
from tableapi.spark.runtime.process.plan import FieldForm, StateForm, StoredForm, StoredPlan, StoredState
from tableapi.spark.runtime.process.stored_forms import FINGERPRINT_BYTES
from tableapi.spark.runtime.process.stored_values import NotStorable, StoredValues
from tableapi.user_functions.annotations import fields_of

_NOT_A_NAME = re.compile(r"\W", re.ASCII)
_MICROSECOND = dt.timedelta(microseconds=1)


def stored_plan(planned: PlannedCall, is_followed: bool = False) -> StoredPlan:
    """Return how a call stores its states; ``ir.streaming`` has accepted it.

    Args:
        planned: the call.
        is_followed: whether an operation with state follows it.

    Raises:
        TableException: the initial value of a state is not of its type.
    """
    call = planned.call
    keys = tuple([_required(key_kind(key.data_type)) for key in call.partition_keys[0]])
    target = planned.function.target
    hints = annotations_of(f"{call.function.sql_name}.eval", target.eval)
    states = zip(call.signature.states, call.state_types, strict=True)
    made = StoredPlan(
        variable=_variable(call.uid),
        states=tuple([_stored_state(entry, known, hints.get(entry.name)) for entry, known in states]),
        fingerprint=hashlib.sha256(describe_stored(planned).encode()).digest()[:FINGERPRINT_BYTES],
        keys=keys,
        width=len(planned.input.schema),
        has_watermark=all(time_columns_of(table) for table in call.tables),
        order=planned.order_of_waiting,
        is_followed=is_followed and planned.call.time_type is not None,
    )
    return replace(made, forms=(_form(planned, made),))


def _form(planned: PlannedCall, plan: StoredPlan) -> StoredForm:
    """Return how the states of a call are stored now, with their initial values."""
    call = planned.call
    try:
        initial = StoredValues(plan, planned.initial_states).initial
    except NotStorable as error:
        raise TableException(
            f"The process table function {call.function.sql_name} cannot run over a stream: {error}. Give the field a "
            "default of its type."
        ) from None
    states = []
    for stored, known, values in zip(plan.states, call.state_types, initial, strict=True):
        types = _types_of_fields(known)
        # Lists and maps are empty at first.
        has_ttl, defaults = stored.ttl is not None, values if isinstance(known, RowType) else [None] * len(types)
        if isinstance(defaults, dict):
            defaults = defaults["value"]
        fields = zip(stored.fields, stored.kinds, types, defaults, strict=True)
        forms = [FieldForm(name, kind, held.as_summary_string(), value) for name, kind, held, value in fields]
        states.append(StateForm(stored.name, stored.structure, tuple(forms), has_ttl))
    return StoredForm(plan.fingerprint, tuple(states), _describe_waiting(planned))


def _types_of_fields(known: LogicalType) -> list[LogicalType]:
    """Return the types of the fields of a stored state."""
    if isinstance(known, ArrayType):
        return [known.element]
    if isinstance(known, MapType):
        return [known.key, known.value]
    assert isinstance(known, RowType)
    return [field.data_type for field in known.fields]


def describe_stored(planned: PlannedCall) -> str:
    """Return the states of a call with their types in words, and the types of rows that wait for the watermark."""
    states, waiting = describe_states(planned.call), _describe_waiting(planned)
    return f"{states}, waiting rows [{waiting}]" if waiting else states


def _describe_waiting(planned: PlannedCall) -> str:
    """Return the columns of rows that wait for the watermark with their types in words; empty if none wait."""
    if not planned.order_of_waiting:
        return ""
    tables = [table.schema.columns for table in planned.call.tables]
    described = [f"{c.name} {c.data_type.as_nullable().as_summary_string()}" for columns in tables for c in columns]
    # One table is sent with further columns for its keys and orders, and several as a union of rows.
    computed = planned.sent.schema.types[len(tables[0]) :] if len(tables) == 1 else planned.sent.schema.types
    return ", ".join([*described, *[known.as_nullable().as_summary_string() for known in computed]])


def describe_states(call: ProcessTable) -> str:
    """Return the states of a call with their types in words: ``count ROW<`n` BIGINT NOT NULL>``."""
    states = zip(call.signature.states, call.state_types, strict=True)
    return ", ".join(
        f"{entry.label} {known.not_null().as_summary_string()}{'' if entry.ttl is None else ' with a time to live'}"
        for entry, known in states
    )


def name_of_key(key: ResolvedExpression) -> str:
    """Return the name under which a partition key is shown: that of its column, or its expression."""
    return key.name if isinstance(key, FieldReference) else key.as_summary_string()


def _variable(uid: str) -> str:
    """Return the name of the state in Spark's state store, which takes letters, digits and underscores."""
    name = _NOT_A_NAME.sub("_", uid)
    return f"s_{uid}" if name == uid else f"s_{name}_{hashlib.sha256(uid.encode()).hexdigest()[:8]}"


def _stored_state(entry: StateEntry, known: LogicalType, annotation: Any) -> StoredState:
    ttl = None if entry.ttl is None else entry.ttl // _MICROSECOND
    if entry.kind is StateKind.LIST:
        assert isinstance(known, ArrayType)
        kinds = (_required(state_kind(known.element)),)
        return StoredState(entry.label, ("element",), kinds, element_makers(annotation, 1), "list", ttl)
    if entry.kind is StateKind.MAP:
        assert isinstance(known, MapType)
        of_map = (_required(state_kind(known.key)), _required(state_kind(known.value)))
        return StoredState(entry.label, ("key", "value"), of_map, element_makers(annotation, 2), "map", ttl)
    assert isinstance(known, RowType)
    fields = dict(fields_of(entry.conversion) or ()) if entry.conversion is not None else {}
    return StoredState(
        entry.label,
        tuple([field.name for field in known.fields]),
        tuple([_required(state_kind(field.data_type)) for field in known.fields]),
        tuple([value_maker(fields[field.name]) if field.name in fields else None for field in known.fields]),
        "value",
        ttl,
    )


def _required(kind: Kind | None) -> Kind:
    assert kind is not None, "the rules of streams accept storable types alone"
    return kind
