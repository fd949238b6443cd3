"""Encode the state of a partition for the state store of a stream, as plain values in JSON.

A stored state outlives the program that wrote it, so that it holds no pickled classes. It begins with a version and a
fingerprint of the declared types. Values are checked against these types: what could not be read back as it was is
reported when it is stored. Rows that wait for the watermark follow the JSON as an Arrow stream. States of an earlier
form, of which ``stored_forms`` knows the names and types, are read by name.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import json
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tableapi.spark.runtime.process.plan import Kind, StoredForm, StoredPlan, StoredState
from tableapi.spark.runtime.process.rows import make_row
from tableapi.spark.runtime.process.states import ExpiringValue, expiring
from tableapi.spark.runtime.process.stored_collections import PartitionChunks, StoredList, StoredMap
from tableapi.spark.runtime.process.stored_forms import FINGERPRINT_BYTES, Conversions
from tableapi.spark.runtime.row import Row

VERSION = b"\x01"
_HEAD_BYTES = len(VERSION) + FINGERPRINT_BYTES
# The end of the JSON, which has no line break itself.
_END_OF_JSON = b"\n"
# A value of this size moves its collections into chunks.
_LARGE = 64 << 10
_MICROSECOND = dt.timedelta(microseconds=1)
_dump = json.JSONEncoder(separators=(",", ":")).encode
Convert = Callable[[Any], Any]
# What encoders raise for a value of another kind.
_WRONG = (TypeError, ValueError, AttributeError)
# Kinds of values that can be changed in place.
_NESTED = ("array", "map", "row")


class NotStorable(Exception):
    """A state holds a value that is not of its declared type, or the store holds a state of other types."""


def split_stored(stored: bytes) -> tuple[bytes, list[Any], Any, bytes]:
    """Return the parts of a stored state: fingerprint, stored values of the states, timers, and waiting rows.

    The timers are None, or the time of the wake-up in milliseconds, 1 for a timer on watermarks or 2 for one on each of
    them, and time, name and period of each timer on a time, in microseconds.

    Raises:
        NotStorable: another version of the library has stored it.
    """
    if stored[:1] != VERSION:
        raise NotStorable("another version of tableapi has stored the state of the partition")
    end = stored.find(_END_OF_JSON, _HEAD_BYTES)
    states, timers = json.loads((stored[_HEAD_BYTES:] if end < 0 else stored[_HEAD_BYTES:end]).decode())
    return stored[len(VERSION) : _HEAD_BYTES], states, timers, b"" if end < 0 else stored[end + 1 :]


def join_stored(fingerprint: bytes, states: Sequence[Any], timers: Any, rows: bytes = b"") -> bytes:
    """Return a stored state, of which ``split_stored`` returns the parts."""
    text = VERSION + fingerprint + _dump([states, timers]).encode()
    return text + _END_OF_JSON + rows if rows else text


class StoredValues:
    """The encoding of the states of one call.

    Args:
        plan: how the states are stored.
        create: the functions that create the initial states.
        read: returns the values of keys of the state store, for collections in chunks.
    """

    def __init__(
        self,
        plan: StoredPlan,
        create: Sequence[Callable[[], Any]],
        read: Callable[[Sequence[bytes]], list[bytes | None]] | None = None,
    ) -> None:
        self._conversions = Conversions(plan.forms or (StoredForm(plan.fingerprint, ()),))
        self._states = [_codec(state, make) for state, make in zip(plan.states, create, strict=True)]
        self._read = read or (lambda keys: [None] * len(keys))
        self._has_collections = any(state.structure != "value" for state in plan.states)
        self._chunks = PartitionChunks(b"", self._read)
        # The encoding of a partition that nothing has happened to; it is not stored.
        made = [
            make() if state.ttl is None else expiring(make, state.ttl)
            for state, make in zip(plan.states, create, strict=True)
        ]
        self._initial = [codec.encode(state, self._chunks) for codec, state in zip(self._states, made, strict=True)]

    def begin(self, key: bytes) -> None:
        """Begin with a partition, of which nothing is stored unless ``decode`` is called."""
        if self._has_collections:
            self._chunks = PartitionChunks(key, self._read)
            for codec in self._states:
                codec.begin()

    def encode(self, states: Sequence[Any], timers: Any, rows: bytes = b"") -> bytes | None:
        """Return the stored form of the states of a partition with its timers; None if there is nothing to store.

        Args:
            states: the states; those with a time to live as ``Expiring``.
            timers: the timers; None without timers and waiting rows.
            rows: the rows that wait for the watermark.

        Raises:
            NotStorable: a state holds a value that is not of its declared type.
        """
        return self.join(states, self.encode_states(states), timers, rows)

    def encode_states(self, states: Sequence[Any]) -> list[Any] | None:
        """Return the stored form of the states of a partition; None if they are as in the beginning.

        Raises:
            NotStorable: a state holds a value that is not of its declared type.
        """
        made = [codec.encode(state, self._chunks) for codec, state in zip(self._states, states, strict=True)]
        return None if made == self._initial else made

    def join(self, states: Sequence[Any], made: list[Any] | None, timers: Any, rows: bytes = b"") -> bytes | None:
        """Return the stored form of a partition from that of its states; None if there is nothing to store."""
        if made is None:
            if timers is None:
                return None
            made = self._initial
        head = self._conversions.head
        text = join_stored(head, made, timers)
        if self._has_collections and len(text) > _LARGE:
            pairs = zip(self._states, made, states, strict=True)
            split = [codec.split(form, state, self._chunks) for codec, form, state in pairs]
            text = join_stored(head, split, timers)
        return text + _END_OF_JSON + rows if rows else text

    @property
    def initial(self) -> list[Any]:
        """The stored values of the fields of each state of a new partition."""
        return self._initial

    @property
    def changed_chunks(self) -> Mapping[bytes, bytes | None]:
        """The chunks that ``encode`` has changed, by their keys in the state store; None deletes one."""
        return self._chunks.changes

    @property
    def chunk_bytes(self) -> int:
        """How many bytes the chunks of the partition have, after ``encode``."""
        return sum(codec.chunk_bytes for codec in self._states) if self._has_collections else 0

    def decode(self, stored: bytes) -> tuple[list[Any], Any]:
        """Return the states and the timers of a partition from their stored form.

        States with a time to live are ``Expiring``.

        Raises:
            NotStorable: another version of the library, or a function with other types of state, has stored it.
        """
        self._require_known(stored)
        head, states, timers, _ = split_stored(stored)
        if head != self._conversions.head:
            states = self._conversions.convert(head, states)
        made = [codec.decode(form, self._chunks) for codec, form in zip(self._states, states, strict=True)]
        return made, timers

    def waiting_rows(self, stored: bytes) -> bytes:
        """Return the rows that wait for the watermark from the stored form of a partition; empty if none wait.

        Raises:
            NotStorable: as for ``decode``.
        """
        self._require_known(stored)
        end = stored.find(_END_OF_JSON, _HEAD_BYTES)
        return b"" if end < 0 else stored[end + 1 :]

    def _require_known(self, stored: bytes) -> None:
        if stored[:1] != VERSION or not self._conversions.is_known(stored[len(VERSION) : _HEAD_BYTES]):
            what = (
                "another version of tableapi" if stored[:1] != VERSION else "a function whose states have other types"
            )
            raise NotStorable(f"{what} has stored the state of the partition")


class _State:
    """The encoding of a state that is a value: a list of the values of its fields.

    With a time to live, it is ``{"value": […], "changed": …}``.
    """

    chunk_bytes = 0

    def __init__(self, plan: StoredState, create: Callable[[], Any]) -> None:
        self.create = create
        self._ttl = plan.ttl
        self._name = plan.name
        self._names = plan.fields
        self._known = frozenset(plan.fields)
        self._encoders = [encoder(kind) for kind in plan.kinds]
        self._decoders = [_chain(decoder(kind), make) for kind, make in zip(plan.kinds, plan.makers, strict=True)]
        first = create()
        self._is_row = not dataclasses.is_dataclass(first)
        self._get = None if self._is_row else _getter(self._names)
        self._others = self._find_others(first)
        self._initial = None if self._ttl is None else self._encode(first)

    def begin(self) -> None:
        """Begin with a partition: nothing is remembered of it."""

    def split(self, form: Any, _state: Any, _chunks: PartitionChunks) -> Any:
        """Return the form as it is: a value is stored as a whole."""
        return form

    def encode(self, state: Any, _chunks: PartitionChunks) -> Any:
        if self._ttl is None:
            return self._encode(state)
        made = self._encode(state.value)
        return {"value": made, "changed": None if made == self._initial else state.changed}

    def _encode(self, state: Any) -> list[Any]:
        try:
            values = list(state) if self._get is None else self._get(state)
        except AttributeError as error:
            raise NotStorable(f"the state {self._name!r} has lost a field: {error}") from None
        if self._find_others(state) != self._others:
            raise NotStorable(
                f"the state {self._name!r} was given attributes that its class does not declare, and they would be "
                f"lost with the batch: {', '.join(sorted(self._find_others(state)))}. Declare them as fields"
            )
        made = []
        for name, encode, value in zip(self._names, self._encoders, values, strict=True):
            try:
                made.append(None if value is None else encode(value))
            except _WRONG as error:
                raise NotStorable(
                    f"the field {name!r} of the state {self._name!r} is {value!r}, which cannot be stored: {error}"
                ) from None
        return made

    def decode(self, form: Any, _chunks: PartitionChunks) -> Any:
        if self._ttl is None:
            return self._decode(form)
        return ExpiringValue(self.create, self._decode(form["value"]), self._ttl, form["changed"])

    def _decode(self, values: list[Any]) -> Any:
        state = self.create()
        for position, (name, decode, value) in enumerate(zip(self._names, self._decoders, values, strict=True)):
            made = value if value is None or decode is None else decode(value)
            if self._is_row:
                state[position] = made
            else:
                object.__setattr__(state, name, made)
        return state

    def _find_others(self, state: Any) -> dict[str, Any]:
        """Return the attributes of an object that are not fields."""
        if self._is_row:
            return {}
        attributes = getattr(state, "__dict__", None)
        if attributes is None or attributes.keys() <= self._known:
            return {}
        return {name: value for name, value in attributes.items() if name not in self._known}


def _codec(plan: StoredState, create: Callable[[], Any]) -> _State | StoredList | StoredMap:
    """Return the encoding of a state."""
    if plan.structure == "value":
        return _State(plan, create)
    if plan.structure == "list":
        (kind,), (maker,) = plan.kinds, plan.makers
        encode = _report(encoder(kind), f"an element of the state {plan.name!r}")
        decode = _or_none(_chain(decoder(kind), maker))
        return StoredList(plan.name, encode, decode, kind[0] in _NESTED, plan.ttl)
    (of_key, of_value), (make_key, make_value) = plan.kinds, plan.makers
    encode_key = _report(encoder(of_key), f"a key of the state {plan.name!r}")
    encode_value = _report(encoder(of_value), f"a value of the state {plan.name!r}")
    decode_key = _or_none(_chain(key_decoder(of_key), make_key))
    decode_value = _or_none(_chain(decoder(of_value), make_value))
    return StoredMap(
        plan.name,
        lambda key, value: [encode_key(key), encode_value(value)],
        lambda key, value: (decode_key(key), decode_value(value)),
        plan.ttl,
    )


def _report(encode: Convert, what: str) -> Convert:
    """Return a converter that keeps None, and names what could not be stored."""

    def convert(value: Any) -> Any:
        try:
            return None if value is None else encode(value)
        except _WRONG as error:
            raise NotStorable(f"{what} is {value!r}, which cannot be stored: {error}") from None

    return convert


def _or_none(decode: Convert | None) -> Convert:
    """Return a converter that keeps None."""
    return _same if decode is None else lambda value: None if value is None else decode(value)


def _getter(names: Sequence[str]) -> Callable[[Any], Sequence[Any]]:
    if len(names) == 1:
        only = operator.attrgetter(names[0])
        return lambda state: (only(state),)
    return operator.attrgetter(*names) if names else lambda _state: ()


def _chain(first: Convert | None, then: Convert | None) -> Convert | None:
    """Return a converter that applies two converters, of which each may be None."""
    if first is None or then is None:
        return first or then
    return lambda value: then(first(value))


# --- values ----------------------------------------------------------------------------------------------------------


def encoder(kind: Kind) -> Convert:
    """Return a function from a value of a kind to a value of JSON; it is not called with None.

    The function raises TypeError, ValueError or AttributeError for a value of another kind.
    """
    name = kind[0]
    if name == "array":
        element = encoder(kind[1])
        return lambda value: [None if e is None else element(e) for e in _require(value, "a list", (list, tuple))]
    if name == "map":
        key, item = encoder(kind[1]), encoder(kind[2])
        return lambda value: [
            [key(k), None if v is None else item(v)] for k, v in _require(value, "a dict", (Mapping,)).items()
        ]
    if name == "row":
        names = tuple([field for field, _ in kind[1]])
        encoders = [encoder(inner) for _, inner in kind[1]]
        return lambda value: [
            None if v is None else encode(v) for encode, v in zip(encoders, _fields(value, names), strict=True)
        ]
    return _ENCODERS[name]


def decoder(kind: Kind) -> Convert | None:
    """Return the inverse of ``encoder``; None if values of JSON are the values."""
    name = kind[0]
    if name == "array":
        element = decoder(kind[1])
        return None if element is None else lambda value: [None if e is None else element(e) for e in value]
    if name == "map":
        key, item = key_decoder(kind[1]) or _same, decoder(kind[2]) or _same
        return lambda value: {key(k): None if v is None else item(v) for k, v in value}
    if name == "row":
        names = tuple([field for field, _ in kind[1]])
        decoders = [decoder(inner) or _same for _, inner in kind[1]]
        return lambda value: make_row(
            names, [None if v is None else decode(v) for decode, v in zip(decoders, value, strict=True)]
        )
    return _DECODERS.get(name)


def key_decoder(kind: Kind) -> Convert | None:
    """Return the inverse of ``encoder`` for keys of maps, which have tuples for arrays."""
    if kind[0] == "array":
        element = key_decoder(kind[1]) or _same
        return lambda value: tuple([None if e is None else element(e) for e in value])
    if kind[0] == "row":
        names = tuple([field for field, _ in kind[1]])
        decoders = [key_decoder(inner) or _same for _, inner in kind[1]]
        return lambda value: make_row(
            names, [None if v is None else decode(v) for decode, v in zip(decoders, value, strict=True)]
        )
    return decoder(kind)


def _same(value: Any) -> Any:
    return value


def _require(value: Any, what: str, classes: tuple[type, ...]) -> Any:
    if not isinstance(value, classes):
        raise TypeError(f"{what} is wanted, and {type(value).__name__} was given")
    return value


def _fields(value: Any, names: Sequence[str]) -> Sequence[Any]:
    """Return the values of the fields of a row."""
    if isinstance(value, Mapping):
        return [value[name] for name in names]
    if isinstance(value, (tuple, list, Row)) or hasattr(value, "_values"):
        found = list(value)
        if len(found) != len(names):
            raise ValueError(f"a row of the {len(names)} fields {', '.join(names)} is wanted, not one of {len(found)}")
        return found
    return [getattr(value, name) for name in names]


def _encode_boolean(value: Any) -> Any:
    if type(value) is bool:
        return value
    # Booleans of numpy.
    if type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    raise TypeError(f"a bool is wanted, and {type(value).__name__} was given")


def _encode_integer(value: Any) -> Any:
    return value if type(value) is int else operator.index(value)


def _encode_float(value: Any) -> Any:
    if type(value) is float or type(value) is int:
        return value
    return float(_require(value, "a float", (float, int)))


def _encode_decimal(value: Any) -> Any:
    if type(value) is int:
        return value
    return str(_require(value, "a Decimal", (decimal.Decimal,)))


def _encode_string(value: Any) -> Any:
    if type(value) is str:
        return value
    return str.__str__(_require(value, "a str", (str,)))


def _encode_bytes(value: Any) -> Any:
    # Latin-1 has a character for each byte.
    return bytes(_require(value, "bytes", (bytes, bytearray))).decode("latin-1")


def _encode_date(value: Any) -> Any:
    if isinstance(value, dt.datetime):
        raise TypeError("a date is wanted, and datetime was given")
    return _require(value, "a date", (dt.date,)).isoformat()


def _encode_time(value: Any) -> Any:
    return _require(value, "a time", (dt.time,)).isoformat()


def _encode_timestamp(value: Any) -> Any:
    return _require(value, "a datetime", (dt.datetime,)).isoformat()


def _encode_interval(value: Any) -> Any:
    return _require(value, "a timedelta", (dt.timedelta,)) // _MICROSECOND


_ENCODERS: dict[str, Convert] = {
    "boolean": _encode_boolean,
    "integer": _encode_integer,
    "float": _encode_float,
    "decimal": _encode_decimal,
    "string": _encode_string,
    "bytes": _encode_bytes,
    "date": _encode_date,
    "time": _encode_time,
    "timestamp": _encode_timestamp,
    "interval": _encode_interval,
}
_DECODERS: dict[str, Convert] = {
    "decimal": lambda value: value if type(value) is int else decimal.Decimal(value),
    "bytes": lambda value: value.encode("latin-1"),
    "date": dt.date.fromisoformat,
    "time": dt.time.fromisoformat,
    "timestamp": dt.datetime.fromisoformat,
    "interval": lambda value: dt.timedelta(microseconds=value),
}
