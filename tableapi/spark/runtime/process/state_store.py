"""Read and write the state of many keys in Spark's state store, with few waits for its answers.

Each request to the store crosses to the JVM and back. Requests of up to 256 keys are written before the first answer is
read, because the store answers in order. This uses the private client of PySpark's handle. If another version has
another client, keys are read and written one by one by its methods.

The requests are messages of Protocol Buffers, of which the definitions are PySpark's. Objects of them take half of the
time of a request, so that the few forms which are needed are written as bytes.
"""

from __future__ import annotations

import importlib
import struct
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from pyspark.sql.types import BinaryType, StructField, StructType

MOST_KEYS = 256
# The requests that may wait in the buffers of the connection while the store writes its answers.
_MOST_BYTES = 32 << 10
_USED = ("sockfile", "pickleSer", "_deserialize_from_bytes")
_HEAD, _LENGTH = ">ii", ">i"
_WANTED, _MISSING = 0, 2
# The answer to a request that succeeded and has no value: an empty message.
_EMPTY, _DONE = struct.pack(_LENGTH, 0), (_WANTED, "", b"")
# How a field of Protocol Buffers is written: a number in parts of seven bits, or bytes after their length.
_NUMBER, _BYTES = 0, 2
_SHORT = [bytes([number]) for number in range(128)]
# Negative numbers are written as their two's complement of 64 bits.
_MASK = 2**64 - 1
_PROTOCOL = "pyspark.sql.streaming.proto.StateMessage_pb2"
_TYPE = StructType([StructField("state", BinaryType())])


class Change(NamedTuple):
    """A change of the state of a key.

    Attributes:
        key: the key.
        is_changed: whether the state is written.
        state: the new state; None deletes it.
        cancelled: the time of the wake-up that is deleted, in milliseconds; None for none.
        registered: the time of the wake-up that is added, in milliseconds; None for none.
    """

    key: bytes
    is_changed: bool
    state: bytes | None
    cancelled: int | None = None
    registered: int | None = None


class StateStore:
    """The states of the keys of a task.

    Args:
        handle: the handle that Spark gives to a stateful processor.
        variable: the name of the state.
    """

    def __init__(self, handle: Any, variable: str) -> None:
        self._handle = handle
        self._client = handle._statefulProcessorApiClient
        self._value = handle.getValueState(variable, _TYPE)
        self._variable = variable
        self._messages: Any = None
        if all(hasattr(self._client, name) for name in _USED):
            self._messages = _Messages(self._client, variable)

    @property
    def is_pipelined(self) -> bool:
        """Whether several requests are under way at a time."""
        return self._messages is not None

    def watermark(self) -> int | None:
        """Return the watermark of the micro-batch in milliseconds since 1970; None before the first one."""
        found: int = self._client.get_timestamps("eventtime")[1]
        return found if found > 0 else None

    def read(self, keys: Sequence[bytes]) -> list[bytes | None]:
        """Return the states of keys; None for a key without state."""
        if self._messages is not None:
            answered: list[bytes | None] = self._messages.read(keys)
            return answered
        found: list[bytes | None] = []
        for key in keys:
            self._client.set_implicit_key((key,))
            state = self._value.get()
            found.append(None if state is None else bytes(state[0]))
        return found

    def write(self, changes: Sequence[Change]) -> None:
        """Write changes of the states of keys."""
        if self._messages is not None:
            self._messages.write(changes)
            return
        for change in changes:
            self._client.set_implicit_key((change.key,))
            if change.is_changed:
                if change.state is None:
                    self._value.clear()
                else:
                    self._value.update((change.state,))
            if change.cancelled is not None:
                self._handle.deleteTimer(change.cancelled)
            if change.registered is not None:
                self._handle.registerTimer(change.registered)

    def choose(self, key: bytes) -> None:
        """Make a key the one to which Spark's next request belongs."""
        self._client.set_implicit_key((key,))

    def take_wake_ups(self, own: bytes) -> list[tuple[bytes, int]]:
        """Return wake-ups that have come, which Spark has read and would handle next, one by one; it skips them.

        Spark still handles the last one that it has read, which ends its loop or reads further ones. A key with several
        wake-ups, which no partition has, is left to Spark.

        Args:
            own: the key of the wake-up that Spark handles.

        Returns:
            keys with the times of their wake-ups, in milliseconds; the caller deletes these wake-ups.
        """
        cursors: Any = getattr(self._client, "expiry_timer_iterator_cursors", None)
        if self._messages is None or not isinstance(cursors, dict) or len(cursors) != 1:
            return []
        ((name, cursor),) = cursors.items()
        read, position, _ = cursor
        # Older versions have a DataFrame of pandas.
        if not isinstance(read, list):
            return []
        taken: dict[bytes, int] = {}
        while position < len(read) - 1:
            (key,), time = read[position]
            if bytes(key) == own or bytes(key) in taken:
                break
            taken[bytes(key)] = time
            position += 1
        cursors[name] = (read, position, *cursor[2:])
        return list(taken.items())


class _Messages:
    """The messages of PySpark's protocol, written one after the other before their answers are read."""

    def __init__(self, client: Any, variable: str) -> None:
        self._client = client
        # It needs protobuf, and older versions of PySpark lack it.
        proto: Any = importlib.import_module(_PROTOCOL)
        self._answer = proto.StateResponse
        self._pickle = client.pickleSer.dumps
        request = partial(_tags, proto.StateRequest)
        self._key_tags = request("implicitGroupingKeyRequest", "setImplicitKey", "key")
        *self._call_tags, update, value = request("stateVariableRequest", "valueStateCall", "valueStateUpdate", "value")
        self._update_tags = [update, value]
        *_, name = request("stateVariableRequest", "valueStateCall", "stateName")
        self._name = _nest([name], variable.encode())
        self._get, self._clear = [
            self._on_value(_nest(request("stateVariableRequest", "valueStateCall", action)[-1:], b""))
            for action in ("get", "clear")
        ]
        timer = partial(request, "statefulProcessorCall", "timerStateCall")
        self._delete_tags = timer("delete", "expiryTimestampMs")
        self._register_tags = timer("register", "expiryTimestampMs")

    def read(self, keys: Sequence[bytes]) -> list[bytes | None]:
        found: list[bytes | None] = []
        waiting: list[bytes] = []
        size = count = 0
        for key in keys:
            request = self._key(key)
            waiting += [request, self._get]
            size += len(request) + len(self._get)
            count += 1
            if size >= _MOST_BYTES or count >= MOST_KEYS:
                found += self._answers_of_reads(waiting, count)
                waiting, size, count = [], 0, 0
        if count:
            found += self._answers_of_reads(waiting, count)
        return found

    def _answers_of_reads(self, requests: list[bytes], count: int) -> list[bytes | None]:
        self._send(requests)
        load = self._client._deserialize_from_bytes
        found: list[bytes | None] = []
        for _ in range(count):
            self._require(self._receive(), "choosing a key")
            answer = self._receive()
            self._require(answer, "reading the state of a key")
            found.append(bytes(load(answer[2])[0]) if answer[2] else None)
        return found

    def write(self, changes: Sequence[Change]) -> None:
        waiting: list[bytes] = []
        for change in changes:
            waiting.append(self._key(change.key))
            if change.is_changed:
                waiting.append(self._clear if change.state is None else self._update(change.state))
            if change.cancelled is not None:
                waiting.append(_frame(_nest_number(self._delete_tags, change.cancelled)))
            if change.registered is not None:
                waiting.append(_frame(_nest_number(self._register_tags, change.registered)))
            # The answers are short, so that the store never waits for them to be read.
            if len(waiting) >= 2 * MOST_KEYS:
                self._await_writes(waiting)
                waiting = []
        self._await_writes(waiting)

    def _await_writes(self, requests: list[bytes]) -> None:
        self._send(requests)
        for _ in requests:
            self._require(self._receive(), "writing the state of a key")

    def _send(self, requests: Iterable[bytes]) -> None:
        sockfile = self._client.sockfile
        sockfile.write(b"".join(requests))
        sockfile.flush()

    def _receive(self) -> tuple[int, str, bytes]:
        """Return the status, the error and the value of an answer.

        Raises:
            EOFError: the store closed the connection.
        """
        read = self._client.sockfile.read
        head = read(len(_EMPTY))
        if head == _EMPTY:
            return _DONE
        if len(head) < len(_EMPTY):
            raise EOFError("Spark's state store closed the connection")
        answer = self._answer.FromString(read(*struct.unpack(_LENGTH, head)))
        return answer.statusCode, answer.errorMessage, answer.value

    @staticmethod
    def _require(answer: Any, action: str) -> None:
        if answer[0] not in (_WANTED, _MISSING):
            raise RuntimeError(f"Spark's state store failed in {action}: {answer[1]}")

    def _key(self, key: bytes) -> bytes:
        return _frame(_nest(self._key_tags, self._pickle((key,))))

    def _update(self, state: bytes) -> bytes:
        return self._on_value(_nest(self._update_tags, self._pickle((state,))))

    def _on_value(self, call: bytes) -> bytes:
        return _frame(_nest(self._call_tags, self._name + call))


def _tags(message: Any, *names: str) -> list[int]:
    """Return the tags of fields, each of which is in the message that the one before holds."""
    known, found = message.DESCRIPTOR, []
    for name in names:
        field = known.fields_by_name[name]
        is_number = field.type == field.TYPE_INT64
        found.append(field.number << 3 | (_NUMBER if is_number else _BYTES))
        known = field.message_type
    return found


def _nest(tags: Sequence[int], content: bytes) -> bytes:
    """Return a message with bytes in a field of a message within it; the outermost field is the first."""
    for tag in reversed(tags):
        content = _varint(tag) + _varint(len(content)) + content
    return content


def _nest_number(tags: Sequence[int], number: int) -> bytes:
    """Return a message with a number in a field of a message within it."""
    return _nest(tags[:-1], _varint(tags[-1]) + _varint(number & _MASK))


def _varint(number: int) -> bytes:
    """Return a number in seven bits a byte, the lowest first; all bytes but the last have the highest bit set."""
    if number < 128:
        return _SHORT[number]
    found = bytearray()
    while number >= 128:
        found.append(number & 127 | 128)
        number >>= 7
    found.append(number)
    return bytes(found)


def _frame(message: bytes) -> bytes:
    return struct.pack(_HEAD, 0, len(message)) + message


class Prefetched:
    """The states of keys that come in a known order, read in groups shortly before they are needed.

    Args:
        read: returns the states of keys.
    """

    def __init__(self, read: Callable[[Sequence[bytes]], list[bytes | None]]) -> None:
        self._read = read
        self._keys: deque[bytes] = deque()
        self._states: deque[bytes | None] = deque()

    def expect(self, keys: Iterable[bytes]) -> None:
        """Add keys that will be taken next, after those that are expected already."""
        self._keys += keys

    def take(self) -> tuple[bytes, bytes | None]:
        """Return the next key with its state."""
        if not self._states:
            self._states += self._read(list(islice(self._keys, MOST_KEYS)))
        return self._keys.popleft(), self._states.popleft()
