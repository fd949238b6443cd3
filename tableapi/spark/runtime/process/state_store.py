"""Read and write the state of many keys in Spark's state store, with few waits for its answers.

Each request to the store crosses to the JVM and back. Requests of up to 256 keys are written before the first answer is
read, because the store answers in order. This uses the private client of PySpark's handle. If another version has
another client, keys are read and written one by one by its methods.
"""

from __future__ import annotations

import importlib
import struct
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any, NamedTuple

from pyspark.sql.types import BinaryType, StructField, StructType

MOST_KEYS = 256
# The requests that may wait in the buffers of the connection while the store writes its answers.
_MOST_BYTES = 32 << 10
_USED = ("sockfile", "key_schema", "_serialize_to_bytes", "_deserialize_from_bytes", "_receive_proto_message")
_HEAD = ">ii"
_WANTED, _MISSING = 0, 2
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


class _Messages:
    """The messages of PySpark's protocol, written one after the other before their answers are read."""

    def __init__(self, client: Any, variable: str) -> None:
        self._client = client
        # It needs protobuf, and older versions of PySpark lack it.
        self._proto: Any = importlib.import_module(_PROTOCOL)
        self._variable = variable
        self._get = self._on_value(get=self._proto.Get())
        self._clear = self._on_value(clear=self._proto.Clear())

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
        receive, load = self._client._receive_proto_message, self._client._deserialize_from_bytes
        found: list[bytes | None] = []
        for _ in range(count):
            self._require(receive(), "choosing a key")
            answer = receive()
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
                waiting.append(self._timer(delete=self._proto.DeleteTimer(expiryTimestampMs=change.cancelled)))
            if change.registered is not None:
                waiting.append(self._timer(register=self._proto.RegisterTimer(expiryTimestampMs=change.registered)))
            # The answers are short, so that the store never waits for them to be read.
            if len(waiting) >= 2 * MOST_KEYS:
                self._await_writes(waiting)
                waiting = []
        self._await_writes(waiting)

    def _await_writes(self, requests: list[bytes]) -> None:
        self._send(requests)
        receive = self._client._receive_proto_message
        for _ in requests:
            self._require(receive(), "writing the state of a key")

    def _send(self, requests: Iterable[bytes]) -> None:
        sockfile = self._client.sockfile
        sockfile.write(b"".join(requests))
        sockfile.flush()

    @staticmethod
    def _require(answer: Any, action: str) -> None:
        if answer[0] not in (_WANTED, _MISSING):
            raise RuntimeError(f"Spark's state store failed in {action}: {answer[1]}")

    def _key(self, key: bytes) -> bytes:
        proto = self._proto
        chosen = proto.SetImplicitKey(key=self._client._serialize_to_bytes(self._client.key_schema, (key,)))
        return _frame(
            proto.StateRequest(implicitGroupingKeyRequest=proto.ImplicitGroupingKeyRequest(setImplicitKey=chosen))
        )

    def _update(self, state: bytes) -> bytes:
        value = self._client._serialize_to_bytes(_TYPE, (state,))
        return self._on_value(valueStateUpdate=self._proto.ValueStateUpdate(value=value))

    def _on_value(self, **call: Any) -> bytes:
        proto = self._proto
        value = proto.ValueStateCall(stateName=self._variable, **call)
        return _frame(proto.StateRequest(stateVariableRequest=proto.StateVariableRequest(valueStateCall=value)))

    def _timer(self, **call: Any) -> bytes:
        proto = self._proto
        command = proto.TimerStateCallCommand(**call)
        return _frame(proto.StateRequest(statefulProcessorCall=proto.StatefulProcessorCall(timerStateCall=command)))


def _frame(message: Any) -> bytes:
    written: bytes = message.SerializeToString()
    return struct.pack(_HEAD, 0, len(written)) + written


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
