"""Derive and check the states of a process table function."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any, get_args

from ir import types as t
from ir.errors import ValidationException
from ir.functions.process import ProcessCall, StateEntry, StateKind
from ir.types import LogicalType, RowType
from tableapi.process_functions.parameters import Written
from tableapi.spark.runtime.process.declarations import ListView, StateHint, StateRow
from tableapi.user_functions.annotations import type_of
from tableapi.user_functions.declared_types import type_named

_KINDS = {StateKind.VALUE: RowType, StateKind.LIST: t.ArrayType, StateKind.MAP: t.MapType}
StateType = LogicalType | Callable[[ProcessCall], LogicalType | None]


def state_of(function: str, parameter: Written) -> StateEntry:
    """Return the state that a parameter of ``eval`` declares.

    Raises:
        ValidationException: the parameter cannot be state; the message gives the reason.
    """
    hint = parameter.state or StateHint()
    where = f"The state {parameter.name!r} of {function}"
    if parameter.is_optional:
        raise ValidationException(f"{where} has a default; a state is always passed, and is never None.")
    if parameter.is_nullable:
        raise ValidationException(f"{where} is annotated with Optional; a state is always passed, and is never None.")
    ttl = check_ttl(where, hint.ttl)
    label = hint.name or parameter.name
    if parameter.view is not None:
        kind = StateKind.LIST if parameter.view is ListView else StateKind.MAP
        data_type = _type_of_view(where, parameter, kind) if hint.type is None else _parse_type(where, hint.type, kind)
        return StateEntry(parameter.name, kind, data_type, parameter.view, {}, ttl, label)
    if hint.type is not None:
        row = _parse_type(where, hint.type, StateKind.VALUE)
        defaults = check_defaults(where, row, hint.defaults)
        return StateEntry(parameter.name, StateKind.VALUE, row, None, defaults, ttl, label)
    data_type, defaults = _read_class(where, parameter.inner)
    return StateEntry(parameter.name, StateKind.VALUE, data_type, parameter.inner, defaults, ttl, label)


def _type_of_view(where: str, parameter: Written, kind: StateKind) -> LogicalType:
    arguments = get_args(parameter.inner)
    if not arguments:
        inside = "ListView[str]" if kind is StateKind.LIST else "MapView[str, int]"
        raise ValidationException(f"{where} does not say what is in it; write {inside}, or give the type to StateHint.")
    try:
        types = [type_of(argument) for argument in arguments]
    except ValidationException as error:
        raise ValidationException(f"{where}: {error}") from None
    if any(found is None for found in types):
        raise ValidationException(f"{where} holds values of any type; give them a type.")
    first, *rest = [found for found in types if found is not None]
    if kind is StateKind.LIST:
        return t.ArrayType(first, nullable=False)
    return t.MapType(first.not_null(), rest[0], nullable=False)


def _parse_type(where: str, given: Any, kind: StateKind) -> LogicalType:
    found = type_named(given, where)
    return check_type(where, found, kind)


def check_type(where: str, found: LogicalType, kind: StateKind) -> LogicalType:
    """Check that a type fits a kind of state, and return it.

    Raises:
        ValidationException: the type does not fit.
    """
    if not isinstance(found, _KINDS[kind]):
        wanted = {StateKind.VALUE: "ROW", StateKind.LIST: "ARRAY", StateKind.MAP: "MAP"}[kind]
        raise ValidationException(
            f"{where} is of type {found.as_summary_string()}, but is to be {wanted}, since it is changed in place. "
            "A single value is a field of a row: ROW<value …>."
        )
    return found.not_null()


def _read_class(where: str, cls: Any) -> tuple[LogicalType, Mapping[str, Any]]:
    """Return the type of a state that is an object of a class, and initial values for fields without defaults."""
    advice = "Use a data class with defaults, a ListView or a MapView; or StateHint(type='ROW<…>')."
    if cls in (list, dict, set) or get_args(cls):
        raise ValidationException(f"{where} is a {_describe(cls)}, whose changes nobody sees. {advice}")
    if cls is StateRow:
        raise ValidationException(f"{where} is a row without a type; give it StateHint(type='ROW<…>').")
    if not isinstance(cls, type):
        raise ValidationException(f"{where} is of no class. {advice}")
    if issubclass(cls, tuple):
        raise ValidationException(f"{where} is of the class {cls.__name__}, whose objects cannot change. {advice}")
    if not dataclasses.is_dataclass(cls):
        raise ValidationException(f"{where} is of the class {cls.__name__}, which is no data class. {advice}")
    if cls.__dataclass_params__.frozen:  # type: ignore[attr-defined]  # every data class has this attribute
        raise ValidationException(f"{where} is of the class {cls.__name__}, which is frozen. {advice}")
    try:
        data_type = type_of(cls)
    except ValidationException as error:
        raise ValidationException(f"{where}: {error}") from None
    assert isinstance(data_type, RowType)
    defaults: dict[str, Any] = {}
    for field, declared in zip(dataclasses.fields(cls), data_type.fields, strict=True):
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING and field.init:
            if not declared.data_type.nullable:
                raise ValidationException(
                    f"{where} is of the class {cls.__name__}, whose field {field.name!r} has no default: a new "
                    "partition has none of its own. Give it one, or annotate it with Optional."
                )
            defaults[field.name] = None
    try:
        cls(**defaults)
    except Exception as error:
        raise ValidationException(
            f"{where} is of the class {cls.__name__}, of which no object can be made without rows: {error}."
        ) from None
    return data_type, defaults


def make_fields_nullable(row: LogicalType, defaults: Mapping[str, Any]) -> LogicalType:
    """Make the fields of a row nullable unless they have a default, because they are NULL in a new partition."""
    assert isinstance(row, RowType)
    fields = [
        f if defaults.get(f.name) is not None else f.evolve(data_type=f.data_type.as_nullable()) for f in row.fields
    ]
    return RowType(tuple(fields), nullable=False)


def check_defaults(where: str, row: LogicalType, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the initial values of all fields of a row.

    Raises:
        ValidationException: a default names no field, or a NOT NULL field has no default.
    """
    assert isinstance(row, RowType)
    names = [field.name for field in row.fields]
    for name in given:
        if name not in names:
            raise ValidationException(f"{where} has a default for {name!r}, but its fields are [{', '.join(names)}].")
    for field in row.fields:
        if not field.data_type.nullable and given.get(field.name) is None:
            raise ValidationException(f"{where} has the field {field.name!r}, which is NOT NULL and has no default.")
    return {name: given.get(name) for name in names}


def check_ttl(where: str, given: Any) -> dt.timedelta | None:
    """Return the time to live of a state; None, also for zero, means as long as its partition.

    Raises:
        ValidationException: the time to live is not a timedelta, or is negative.
    """
    if given is None:
        return None
    if not isinstance(given, dt.timedelta):
        raise ValidationException(f"{where} has the ttl {given!r}; it takes a datetime.timedelta.")
    if given < dt.timedelta(0):
        raise ValidationException(f"{where} has the negative ttl {given}.")
    return given or None


def _describe(cls: Any) -> str:
    return getattr(cls, "__name__", None) or str(cls)
