"""States of all types, stored and read back."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir import types as t
from ir.streaming.stored_types import key_kind, state_kind
from tableapi.process_functions import StateRow
from tableapi.spark.runtime.process.plan import Kind, StoredPlan, StoredState
from tableapi.spark.runtime.process.stored_values import NotStorable, StoredValues, decoder, encoder

_ZONES = st.one_of(st.none(), st.just(dt.timezone.utc), st.just(dt.timezone(dt.timedelta(hours=-3, minutes=30))))
_PLAIN: dict[str, st.SearchStrategy[Any]] = {
    "boolean": st.booleans(),
    "integer": st.integers(),
    "float": st.floats(),
    "decimal": st.decimals(allow_nan=False, allow_infinity=False) | st.integers(),
    "string": st.text(),
    "bytes": st.binary(),
    "date": st.dates(),
    "time": st.times(),
    "timestamp": st.datetimes(timezones=_ZONES),
    "interval": st.timedeltas(),
}


def _named(kinds: list[Kind]) -> tuple[tuple[str, Kind], ...]:
    return tuple([(f"f{number}", kind) for number, kind in enumerate(kinds)])


KINDS: st.SearchStrategy[Kind] = st.recursive(
    st.sampled_from([(name,) for name in _PLAIN]),
    lambda inner: st.one_of(
        st.tuples(st.just("array"), inner),
        # Keys that are lists cannot be keys of a dict.
        st.tuples(st.just("map"), st.sampled_from([("integer",), ("string",), ("date",), ("bytes",)]), inner),
        st.tuples(st.just("row"), st.lists(inner, min_size=1, max_size=3).map(_named)),
    ),
    max_leaves=5,
)


def values(kind: Kind) -> st.SearchStrategy[Any]:
    """Return the values of a kind, among them None."""
    match kind[0]:
        case "array":
            found: st.SearchStrategy[Any] = st.lists(values(kind[1]), max_size=3)
        case "map":
            found = st.dictionaries(_PLAIN[kind[1][0]], values(kind[2]), max_size=3)
        case "row":
            found = st.tuples(*[values(inner) for _, inner in kind[1]])
        case name:
            found = _PLAIN[name]
    return st.none() | found


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, float) and isinstance(right, float):
        return left == right or (math.isnan(left) and math.isnan(right))
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(_same, left, right))
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(_same(value, right[key]) for key, value in left.items())
    if isinstance(left, dt.datetime) and (left.tzinfo is None) != (right.tzinfo is None):
        return False
    return type(left) is type(right) and bool(left == right)


@given(st.data(), st.lists(KINDS, min_size=1, max_size=3))
def test_a_row_of_any_type_is_read_back(data: st.DataObject, kinds: list[Kind]) -> None:
    names = tuple([f"f{number}" for number in range(len(kinds))])
    state = StateRow(names, [data.draw(values(kind)) for kind in kinds])
    plan = StoredPlan("s", (StoredState("s", names, tuple(kinds), (None,) * len(kinds)),), b"12345678", (), 0, False)
    stored = StoredValues(plan, [lambda: StateRow(names, [None] * len(names))])
    encoded = stored.encode([state], None)
    if encoded is None:
        assert list(state) == [None] * len(names)
        return
    (found,), timers = stored.decode(encoded)
    assert (timers, isinstance(found, StateRow)) == (None, True)
    assert all(map(_same, state, found))


@dataclasses.dataclass
class Inner:
    name: str
    size: float | None = None


@dataclasses.dataclass
class Outer:
    inner: Inner | None = None
    many: list[Inner] = dataclasses.field(default_factory=list)
    made: int = dataclasses.field(default=0, init=False)

    def __post_init__(self) -> None:
        self.cache = len(self.many)


INNER: Kind = ("row", (("name", ("string",)), ("size", ("float",))))


def _inner(row: Any) -> Inner:
    return Inner(*row)


OUTER = StoredPlan(
    "s",
    (
        StoredState(
            "outer",
            ("inner", "many", "made"),
            (INNER, ("array", INNER), ("integer",)),
            (_inner, lambda rows: [_inner(row) for row in rows], None),
        ),
    ),
    b"12345678",
    (),
    0,
    False,
)


def test_objects_are_made_again() -> None:
    stored = StoredValues(OUTER, [Outer])
    state = Outer(Inner("a", 1.5), [Inner("b"), Inner("c", math.inf)])
    state.made, state.cache = 3, 0
    encoded = stored.encode([state], [5, 0, [[1, None, None]]])
    assert encoded is not None
    (found,), timers = stored.decode(encoded)
    assert (found, timers) == (state, [5, 0, [[1, None, None]]])


def test_only_what_differs_from_the_beginning_is_stored() -> None:
    stored = StoredValues(OUTER, [Outer])
    assert stored.encode([Outer()], None) is None
    assert stored.encode([Outer()], [5, 0, []]) is not None
    assert stored.encode([Outer(many=[])], None) is None


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("made", 1.5, "the field 'made' of the state 'outer' is 1.5, which cannot be stored: 'float' object cannot be"),
        ("many", {}, "the field 'many' .* a list is wanted, and dict was given"),
        ("inner", Inner(3), "the field 'inner' .* a str is wanted, and int was given"),  # type: ignore[arg-type]
        ("inner", ("a",), "a row of the 2 fields name, size is wanted, not one of 1"),
        ("inner", "a", "'str' object has no attribute 'name'"),
        ("other", 1, "was given attributes that its class does not declare, and they would be lost.*: cache, other"),
    ],
)
def test_values_that_cannot_be_stored(name: str, value: Any, reason: str) -> None:
    state = Outer()
    setattr(state, name, value)
    with pytest.raises(NotStorable, match=reason):
        StoredValues(OUTER, [Outer]).encode([state], None)


def test_a_field_that_was_deleted() -> None:
    state = Outer()
    del state.many
    with pytest.raises(NotStorable, match="the state 'outer' has lost a field"):
        StoredValues(OUTER, [Outer]).encode([state], None)


def test_a_state_of_another_version_is_reported() -> None:
    stored = StoredValues(OUTER, [Outer])
    encoded = stored.encode([Outer(Inner("a"))], None)
    assert encoded is not None
    with pytest.raises(NotStorable, match="another version of tableapi has stored the state"):
        stored.decode(b"\x02" + encoded[1:])


def test_a_stored_state_holds_no_classes() -> None:
    encoded = StoredValues(OUTER, [Outer]).encode([Outer(Inner("a"))], None)
    assert encoded == b'\x0112345678[[[["a",null],[],0]],null]'


@pytest.mark.parametrize(
    "kind", [("date",), ("string",), ("boolean",), ("float",), ("time",), ("map", ("string",), ("date",))]
)
def test_values_of_another_kind_are_refused(kind: Kind) -> None:
    for value in (dt.datetime(2024, 1, 1), 5 + 2j, decimal.Decimal(1), object()):
        with pytest.raises((TypeError, ValueError)):
            encoder(kind)(value)
    assert decoder(("array", ("integer",))) is None


def test_types_that_cannot_be_stored() -> None:
    assert state_kind(t.VariantType()) is None
    assert state_kind(t.ArrayType(t.VariantType())) is None
    assert state_kind(t.MapType(t.STRING, t.VariantType())) is None
    assert state_kind(t.RowType((t.RowField("a", t.VariantType()),))) is None
    assert state_kind(t.RowType((t.RowField("a", t.STRING),))) == ("row", (("a", ("string",)),))
    assert key_kind(t.ArrayType(t.MapType(t.STRING, t.INT))) is None
    assert key_kind(t.StringType(collation="UTF8_LCASE")) is None
