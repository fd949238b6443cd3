"""Compare the state of a call in a checkpoint with the state that the call has now.

A state that gains, loses or widens fields can be read by name. Everything else would lose values or give them another
meaning, and is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import frozen

from grammar.type_texts import parse_type
from ir import types as t
from ir.identifiers import quote
from ir.types import LogicalType
from tableapi.spark.runtime.process.plan import FieldForm, StateForm, StoredForm
from tableapi.spark.runtime.process.stored_forms import add_form, convert_kind, read_form, write_form

STORED_VERSION: Final = 1
"""The version of the stored form of states. It grows when older versions of this library cannot read it."""
_NOUNS: Final = {"value": "a value", "list": "a ListView", "map": "a MapView"}
_INTEGERS: Final = (t.TinyIntType, t.SmallIntType, t.IntType, t.BigIntType)
_DIGITS: Final = (3, 5, 10, 19)


@frozen
class CallState:
    """The state of a call of a process table function over a stream.

    Attributes:
        uid: the identifier of the state.
        function: the name of the function.
        variable: the name of the state in Spark's state store.
        keys: the names and types of the partition keys.
        time: the type of the time of ``on_time``; None without it.
        forms: the forms in which states have been stored, the current one last.
        version: the version of the stored form.
    """

    uid: str
    function: str
    variable: str
    keys: tuple[tuple[str, str], ...]
    time: str | None
    forms: tuple[StoredForm, ...]
    version: int = STORED_VERSION

    def as_json(self) -> dict[str, Any]:
        """Return the state as a value of JSON."""
        return {
            "uid": self.uid,
            "function": self.function,
            "variable": self.variable,
            "keys": [list(key) for key in self.keys],
            "time": self.time,
            "version": self.version,
            "forms": [write_form(form) for form in self.forms],
        }

    @property
    def form(self) -> StoredForm:
        """The form in which states are stored now."""
        return self.forms[-1]

    @property
    def state_types(self) -> dict[str, str]:
        """The types of the states by their names: ROW for a value, ARRAY for a list, MAP for a map."""
        return {state.name: _type_of_state(state) for state in self.form.states}


def _type_of_state(state: StateForm) -> str:
    if state.structure == "list":
        return f"ARRAY<{state.fields[0].type}>"
    if state.structure == "map":
        return f"MAP<{state.fields[0].type}, {state.fields[1].type}>"
    return f"ROW<{', '.join(f'{quote(field.name)} {field.type}' for field in state.fields)}>"


def read_call(given: Mapping[str, Any]) -> CallState:
    """Return the state of a call from a value of JSON.

    Raises:
        ValueError, TypeError, KeyError: the value is not the state of a call.
    """
    version = int(given["version"])
    return CallState(
        str(given["uid"]),
        str(given["function"]),
        str(given["variable"]),
        tuple([(str(name), str(known)) for name, known in given["keys"]]),
        None if given["time"] is None else str(given["time"]),
        # Forms of a newer version may have another shape.
        tuple([read_form(form) for form in given["forms"]]) if version <= STORED_VERSION else (),
        version,
    )


def add_forms(known: CallState, call: CallState) -> tuple[StoredForm, ...]:
    """Return the forms of a checkpoint with the current one of a call at their end."""
    return add_form(known.forms, call.form)


@frozen
class StateChanges:
    """The differences between the state in a checkpoint and the state of a call.

    Attributes:
        refused: why the call cannot continue with the state, as sentences.
        carried: what becomes of the state otherwise, as sentences.
    """

    refused: tuple[str, ...]
    carried: tuple[str, ...]


def compare_states(old: CallState, new: CallState) -> StateChanges:
    """Compare the state of a call in a checkpoint with that of a call of the same ``uid``."""
    if old.version > STORED_VERSION:
        return StateChanges(
            (f"A newer version of tableapi has stored the state of {old.uid!r}. Install that version.",), ()
        )
    refused = [*_compare_calls(old, new)]
    carried: list[str] = []
    for number, form in enumerate(old.forms):
        found, kept = _compare_forms(form, new.form, new.uid)
        if number == len(old.forms) - 1:
            carried += kept
        elif not refused:
            found = [
                f"{sentence} States of an earlier version of {new.function} are still stored." for sentence in found
            ]
        refused += [sentence for sentence in found if sentence not in refused]
    return StateChanges(tuple(refused), tuple(carried))


def _compare_calls(old: CallState, new: CallState) -> Iterator[str]:
    if old.function != new.function:
        yield f"The state of the uid {old.uid!r} is that of {old.function}, and the call is of {new.function}."
    if [known for _, known in old.keys] != [known for _, known in new.keys]:
        yield f"The partition keys of {new.uid!r} were {_list_keys(old)}, and are {_list_keys(new)}."
    if (old.time is None) != (new.time is None):
        had, has = ("no on_time", "one") if old.time is None else ("on_time", "none")
        yield f"The call of {new.uid!r} had {had}, and has {has}."
    before, after = old.form.waiting, new.form.waiting
    if bool(before) != bool(after):
        had, has = ("ORDER BY", "none") if before else ("no ORDER BY", "it")
        yield f"The call of {new.uid!r} had {had}, and has {has}: rows that wait for the watermark are in its state."
    elif before != after:
        yield (
            f"Rows of {new.uid!r} wait for the watermark with the columns [{before}], and the table now has [{after}]."
        )


def _list_keys(call: CallState) -> str:
    return "[" + ", ".join(f"{name} {known}" for name, known in call.keys) + "]"


def _compare_forms(old: StoredForm, new: StoredForm, uid: str) -> tuple[list[str], list[str]]:
    """Return why states of a form cannot become those of another one, and what becomes of them otherwise."""
    refused: list[str] = []
    carried: list[str] = []
    before, after = {state.name: state for state in old.states}, {state.name: state for state in new.states}
    carried += [f"The state {name} of {uid!r} is dropped." for name in before if name not in after]
    for name, state in after.items():
        if name not in before:
            carried.append(f"The state {name} of {uid!r} is new.")
        elif before[name].structure != state.structure:
            was, now = _NOUNS[before[name].structure], _NOUNS[state.structure]
            refused.append(f"The state {name} of {uid!r} was {was}, and is {now}.")
        elif state.structure == "value":
            _compare_fields(before[name], state, uid, refused, carried)
        else:
            _compare_elements(before[name], state, uid, refused, carried)
    return refused, carried


def _compare_fields(old: StateForm, new: StateForm, uid: str, refused: list[str], carried: list[str]) -> None:
    before, after = {field.name: field for field in old.fields}, {field.name: field for field in new.fields}
    place = f"of the state {new.name} of {uid!r}"
    if old.has_ttl != new.has_ttl:
        carried.append(f"The state {new.name} of {uid!r} {'has a' if new.has_ttl else 'has no'} time to live now.")
    carried += [f"The field {name} {place} is dropped." for name in before if name not in after]
    for name, field in after.items():
        if name not in before:
            carried.append(f"The field {name} {place} is new, and begins as {_show_default(field)}.")
            continue
        # A field that is NOT NULL has a default, which takes the place of NULL.
        problem = _explain_narrowing(parse_type(before[name].type).as_nullable(), parse_type(field.type).as_nullable())
        if problem is not None:
            refused.append(f"The field {name} {place} was {before[name].type}, and is {field.type}: {problem}.")
        elif before[name].type != field.type:
            filled = before[name].is_nullable and not field.is_nullable
            words = f", and NULL becomes {_show_default(field)}" if filled else ""
            carried.append(f"The field {name} {place} goes from {before[name].type} to {field.type}{words}.")


def _show_default(field: FieldForm) -> str:
    return "NULL" if field.default is None else repr(field.default)


def _compare_elements(old: StateForm, new: StateForm, uid: str, refused: list[str], carried: list[str]) -> None:
    place = f"of the state {new.name} of {uid!r}"
    if old.has_ttl != new.has_ttl:
        had, has = ("a", "none") if old.has_ttl else ("no", "one")
        refused.append(f"The elements {place} had {had} time to live, and have {has}.")
    for before, after in zip(old.fields, new.fields, strict=True):
        if before.type == after.type:
            continue
        problem = _explain_narrowing(parse_type(before.type), parse_type(after.type))
        if problem is None and convert_kind(before.kind, after.kind) is not None:
            problem = "the elements of a list or map stay as they are stored"
        if problem is not None:
            refused.append(f"The {after.name} {place} was {before.type}, and is {after.type}: {problem}.")
        else:
            carried.append(f"The {after.name} {place} goes from {before.type} to {after.type}.")


# --- types ------------------------------------------------------------------------------------------------------------


def _explain_narrowing(old: LogicalType, new: LogicalType) -> str | None:
    """Return why a type cannot hold all values of another one; None if it can.

    >>> _explain_narrowing(t.INT, t.BIGINT) is None, _explain_narrowing(t.BIGINT, t.INT)
    (True, 'it cannot hold all values')
    """
    if old.nullable and not new.nullable:
        return "it may hold NULL"
    if old.not_null() == new.not_null():
        return None
    if isinstance(old, t.ArrayType) and isinstance(new, t.ArrayType):
        return _explain_narrowing(old.element, new.element)
    if isinstance(old, t.MapType) and isinstance(new, t.MapType):
        return _explain_narrowing(old.key, new.key) or _explain_narrowing(old.value, new.value)
    if isinstance(old, t.RowType) and isinstance(new, t.RowType):
        return _explain_narrowing_of_rows(old, new)
    if isinstance(old, t.CharacterType) and isinstance(new, t.CharacterType):
        return _explain_narrowing_of_strings(old, new)
    if isinstance(old, t.NumericType) and isinstance(new, t.NumericType):
        return None if _holds_numbers(old, new) else "it cannot hold all values"
    return "it is another kind of value" if type(old) is not type(new) else "it cannot hold all values"


def _explain_narrowing_of_rows(old: t.RowType, new: t.RowType) -> str | None:
    before = {field.name: field.data_type for field in old.fields}
    for field in new.fields:
        if field.name in before:
            problem = _explain_narrowing(before[field.name], field.data_type)
            if problem is not None:
                return f"of its field {field.name}, {problem}"
        elif not field.data_type.nullable:
            return f"its new field {field.name} is NOT NULL, and stored rows have none"
    return None


def _explain_narrowing_of_strings(old: t.CharacterType, new: t.CharacterType) -> str | None:
    if old.has_collation or new.has_collation:
        return "it has another collation"
    length = getattr(new, "length", None)
    if length is None:
        return None
    before = getattr(old, "length", None)
    return None if before is not None and before <= length else "it cannot hold all values"


def _holds_numbers(old: LogicalType, new: LogicalType) -> bool:
    """Whether a numeric type holds each value of another one exactly."""
    if isinstance(old, _INTEGERS):
        place = next(number for number, known in enumerate(_INTEGERS) if isinstance(old, known))
        if isinstance(new, _INTEGERS):
            return any(isinstance(new, known) for known in _INTEGERS[place:])
        if isinstance(new, t.DecimalType):
            return new.precision - new.scale >= _DIGITS[place]
        return place < 2 or (place == 2 and isinstance(new, t.DoubleType))
    if isinstance(old, t.DecimalType) and isinstance(new, t.DecimalType):
        return new.scale >= old.scale and new.precision - new.scale >= old.precision - old.scale
    return isinstance(old, t.FloatType) and isinstance(new, t.DoubleType)
