"""Describe how the states of a call are stored, and convert states that an earlier version of it has stored.

A stored state lists the values of its fields without their names. Its head has a fingerprint, which identifies its
form: the names and types of the fields. The state store keeps, for each of its partitions, the forms in which states
were stored there, in the order in which they came. So a state of any earlier form is converted by name, one form after
the other, by whoever reads it: the workers of a query, or a program that looks at a checkpoint.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tableapi.spark.runtime.process.plan import FieldForm, Kind, StateForm, StoredForm

FINGERPRINT_BYTES = 8
FORMS = "forms"
"""The entry of the forms in what the state store keeps for a whole partition of Spark."""
Convert = Callable[[Any], Any]


def write_form(form: StoredForm) -> Any:
    """Return a form as a value of JSON."""
    states = [
        [state.name, state.structure, [list(field) for field in state.fields], state.has_ttl] for state in form.states
    ]
    return {"fingerprint": form.fingerprint.hex(), "states": states, "waiting": form.waiting}


def read_form(given: Any) -> StoredForm:
    """Return a form from a value of JSON.

    Raises:
        ValueError, TypeError, KeyError: the value is not a form.
    """
    states = [
        StateForm(
            str(name),
            str(structure),
            tuple([FieldForm(str(f), _as_kind(kind), str(t), default) for f, kind, t, default in fields]),
            bool(has_ttl),
        )
        for name, structure, fields, has_ttl in given["states"]
    ]
    return StoredForm(bytes.fromhex(given["fingerprint"]), tuple(states), str(given["waiting"]))


def _as_kind(given: Any) -> Kind:
    """Return a kind, whose tuples JSON has as lists."""
    return tuple([_as_kind(part) if isinstance(part, list) else part for part in given])


def add_form(known: Sequence[StoredForm], form: StoredForm) -> tuple[StoredForm, ...]:
    """Return forms with the current one at their end."""
    if known and known[-1].fingerprint == form.fingerprint:
        return tuple(known)
    return (*known, form)


def head_of(forms: Sequence[StoredForm], number: int) -> bytes:
    """Return the fingerprint that states of a form begin with.

    A form may return after another one. The earlier and the later states of the form then have different fingerprints,
    because a field that was removed in between has lost its values.

    Args:
        forms: the forms in their order.
        number: the position of the form.
    """
    own = forms[number].fingerprint
    before = sum(form.fingerprint == own for form in forms[:number])
    return hashlib.sha256(own + bytes([before % 256])).digest()[:FINGERPRINT_BYTES] if before else own


class Conversions:
    """Conversions of the stored states of a call into their last form.

    Args:
        forms: the forms in their order.
    """

    def __init__(self, forms: Sequence[StoredForm]) -> None:
        self.forms = tuple(forms)
        self.heads = [head_of(forms, number) for number in range(len(forms))]
        self._steps: dict[int, Convert] = {}

    @property
    def head(self) -> bytes:
        """The fingerprint of the last form."""
        return self.heads[-1]

    def is_known(self, head: bytes) -> bool:
        """Whether a fingerprint is that of one of the forms."""
        return head in self.heads

    def convert(self, head: bytes, states: list[Any]) -> list[Any]:
        """Convert stored states of a form, given by its fingerprint, into the last form.

        Raises:
            ValueError: a value cannot be converted.
        """
        for number in range(self.heads.index(head), len(self.forms) - 1):
            if number not in self._steps:
                self._steps[number] = convert_states(*self.forms[number : number + 2])
            states = self._steps[number](states)
        return states


def convert_states(old: StoredForm, new: StoredForm) -> Convert:
    """Return the conversion of the stored states of one form into the next one.

    A field without an earlier one of its name has its initial value, and so has a field that is NULL and may not be.

    Raises:
        ValueError: a state cannot become the other one.

    >>> old = StoredForm(b"1", (StateForm("count", "value", (FieldForm("n", ("integer",), "INT NOT NULL", 0),)),))
    >>> new = StoredForm(b"2", (StateForm("count", "value", (
    ...     FieldForm("last", ("string",), "STRING"), FieldForm("n", ("float",), "DOUBLE NOT NULL", 0.0))),))
    >>> convert_states(old, new)([[7]])
    [[None, 7.0]]
    """
    positions = {state.name: number for number, state in enumerate(old.states)}
    steps = []
    for state in new.states:
        number = positions.get(state.name)
        step = _constant(_initial(state)) if number is None else _convert_state(old.states[number], state)
        steps.append((number or 0, step))
    # A call without states has no values to take.
    return lambda states: [step(states[number] if states else None) for number, step in steps]


def _initial(state: StateForm) -> Any:
    if state.structure == "value":
        values = [field.default for field in state.fields]
        return {"value": values, "changed": None} if state.has_ttl else values
    return {"timed": True, "rest": []} if state.has_ttl else []


def _convert_state(old: StateForm, new: StateForm) -> Convert:
    """Return the conversion of the stored form of a state.

    Raises:
        ValueError: a state cannot become the other one.
    """
    if old.structure != new.structure:
        raise ValueError(f"a {old.structure} cannot become a {new.structure}")
    if new.structure != "value":
        # A part of a list or map may be in other values of the state store, which stay as they are.
        pairs = zip(old.fields, new.fields, strict=True)
        if old.has_ttl != new.has_ttl or any(convert_kind(a.kind, b.kind) is not None for a, b in pairs):
            raise ValueError(f"the elements of a {old.structure} stay as they are stored")
        return _same
    convert = _convert_fields(old.fields, new.fields)
    if not old.has_ttl and not new.has_ttl:
        return convert
    if not new.has_ttl:
        return lambda form: convert(form["value"])
    if not old.has_ttl:
        return lambda values: {"value": convert(values), "changed": None}
    return lambda form: {**form, "value": convert(form["value"])}


def _convert_fields(old: Sequence[FieldForm], new: Sequence[FieldForm]) -> Convert:
    positions = {field.name: number for number, field in enumerate(old)}
    steps = [
        (positions[field.name], _convert_field(old[positions[field.name]], field))
        if field.name in positions
        else (-1, _constant(field.default))
        for field in new
    ]
    return lambda values: [step(None if number < 0 else values[number]) for number, step in steps]


def _constant(value: Any) -> Convert:
    return lambda _: value


def _convert_field(old: FieldForm, new: FieldForm) -> Convert:
    convert = convert_kind(old.kind, new.kind)
    default = None if new.is_nullable else new.default
    if convert is None:
        return _same if default is None else lambda value: default if value is None else value
    return lambda value: default if value is None else convert(value)


def _same(value: Any) -> Any:
    return value


def convert_kind(old: Kind, new: Kind) -> Convert | None:
    """Return the conversion of a stored value of one kind to another; None if it stays as it is.

    The fields of rows are converted by name. A field without an earlier one is NULL. Whether a type may become another
    one is decided before a query starts; here, a value that cannot become one of the kind raises an error.

    >>> convert_kind(("integer",), ("decimal",)) is None, convert_kind(("integer",), ("float",))(3)
    (True, 3.0)
    """
    if old == new:
        return None
    if old[0] == new[0] == "array":
        inner = _or_same(convert_kind(old[1], new[1]))
        return lambda values: [None if value is None else inner(value) for value in values]
    if old[0] == new[0] == "map":
        key, item = _or_same(convert_kind(old[1], new[1])), _or_same(convert_kind(old[2], new[2]))
        return lambda pairs: [[key(k), None if v is None else item(v)] for k, v in pairs]
    if old[0] == new[0] == "row":
        return _convert_row(old[1], new[1])
    if (old[0], new[0]) in _WIDENED:
        return _WIDENED[old[0], new[0]]
    raise ValueError(f"a stored value of the kind {old[0]} cannot become one of the kind {new[0]}")


def _or_same(convert: Convert | None) -> Convert:
    return _same if convert is None else convert


def _convert_row(old: Sequence[tuple[str, Kind]], new: Sequence[tuple[str, Kind]]) -> Convert:
    positions = {name: number for number, (name, _) in enumerate(old)}
    steps = [
        (positions[name], _or_same(convert_kind(old[positions[name]][1], kind))) if name in positions else None
        for name, kind in new
    ]
    return lambda values: [
        None if step is None or values[step[0]] is None else step[1](values[step[0]]) for step in steps
    ]


_WIDENED: Mapping[tuple[str, str], Convert | None] = {
    ("integer", "decimal"): None,
    ("integer", "float"): float,
}
