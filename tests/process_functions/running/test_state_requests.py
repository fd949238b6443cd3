"""Requests to Spark's state store are sent ahead, with the client that PySpark itself has.

The client is private. If PySpark changes it, keys are read and written one by one, which takes several times as long;
then this test fails.
"""

from __future__ import annotations

import importlib
import io
import pickle
import socket
import struct
import threading
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.serializers import CPickleSerializer
from pyspark.sql.streaming.stateful_processor import StatefulProcessorHandle
from pyspark.sql.streaming.stateful_processor_api_client import ExpiredTimerIterator, StatefulProcessorApiClient
from pyspark.sql.types import BinaryType, StructField, StructType

from tableapi.spark.runtime.process.state_store import Change, StateStore, _Messages

KEYS = 10


class Server:
    """A state store that answers nothing before it has two requests for each of the keys.

    Attributes:
        values: the state by key.
        port: the port.
    """

    def __init__(self) -> None:
        self.values: dict[bytes, bytes] = {}
        self._key = b""
        self._proto: Any = importlib.import_module("pyspark.sql.streaming.proto.StateMessage_pb2")
        self._socket = socket.create_server(("localhost", 0))
        self.port: int = self._socket.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        connection, _ = self._socket.accept()
        with connection, connection.makefile("rwb") as file:
            waiting = []
            while head := file.read(8):
                request = self._proto.StateRequest.FromString(file.read(struct.unpack(">ii", head)[1]))
                waiting.append(request)
                if request.WhichOneof("method") == "statefulProcessorCall" or len(waiting) == 2 * KEYS:
                    for one in waiting:
                        answer = self._answer(one).SerializeToString()
                        file.write(struct.pack(">i", len(answer)) + answer)
                    file.flush()
                    waiting.clear()

    def _answer(self, request: Any) -> Any:
        kind = request.WhichOneof("method")
        if kind == "implicitGroupingKeyRequest":
            (self._key,) = pickle.loads(request.implicitGroupingKeyRequest.setImplicitKey.key)
        elif kind == "stateVariableRequest":
            call = request.stateVariableRequest.valueStateCall
            assert call.stateName == "s_f"
            if call.HasField("get"):
                found = self.values.get(self._key)
                return self._proto.StateResponse(statusCode=0, value=b"" if found is None else pickle.dumps((found,)))
            if call.HasField("clear"):
                del self.values[self._key]
            else:
                (self.values[self._key],) = pickle.loads(call.valueStateUpdate.value)
        return self._proto.StateResponse(statusCode=0)

    def close(self) -> None:
        self._socket.close()
        self._thread.join(10)


@pytest.fixture
def server() -> Iterator[Server]:
    found = Server()
    yield found
    found.close()


def test_requests_are_sent_ahead(server: Server) -> None:
    client: Any = StatefulProcessorApiClient(server.port, StructType([StructField("key", BinaryType())]))
    try:
        # A client that waits for each answer would wait for ever.
        client._client_socket.settimeout(20)
        store = StateStore(StatefulProcessorHandle(client), "s_f")
        assert store.is_pipelined
        keys = [bytes([number]) for number in range(KEYS)]
        assert store.read(keys) == [None] * KEYS
        store.write([Change(key, True, key * 40_000) for key in keys])
        assert store.read(keys) == [key * 40_000 for key in keys]
        store.write([Change(key, True, None) for key in keys])
        assert server.values == {}
    finally:
        client.sockfile.close()
        client._client_socket.close()


class Sent:
    """A connection that remembers what is sent, and answers that all succeeded."""

    def __init__(self) -> None:
        self.requests = b""

    def write(self, requests: bytes) -> None:
        self.requests += requests

    def flush(self) -> None: ...

    def read(self, size: int) -> bytes:
        return bytes(size)


def _client(sockfile: Any) -> Any:
    client: Any = StatefulProcessorApiClient.__new__(StatefulProcessorApiClient)
    client.sockfile, client.pickleSer = sockfile, CPickleSerializer()
    return client


def _read_requests(sent: bytes) -> Iterator[Any]:
    proto: Any = importlib.import_module("pyspark.sql.streaming.proto.StateMessage_pb2")
    while sent:
        version, size = struct.unpack(">ii", sent[:8])
        assert version == 0
        message = sent[8 : 8 + size]
        request = proto.StateRequest.FromString(message)
        # Protocol Buffers writes the same bytes, but leaves out a number that is 0.
        assert len(request.SerializeToString()) in (len(message), len(message) - 2)
        yield request
        sent = sent[8 + size :]


_TIMES = st.none() | st.integers(-(2**63), 2**63 - 1)
_STATES = st.binary(max_size=300)


@given(_STATES, st.none() | _STATES | st.just(b"x" * 70_000), _TIMES, _TIMES)
def test_requests_are_those_of_the_protocol(key: bytes, state: Any, cancelled: Any, registered: Any) -> None:
    sent = Sent()
    _Messages(_client(sent), "s_f").write([Change(key, True, state, cancelled, registered)])
    chosen, changed, *timers = _read_requests(sent.requests)
    assert pickle.loads(chosen.implicitGroupingKeyRequest.setImplicitKey.key) == (key,)
    call = changed.stateVariableRequest.valueStateCall
    assert call.stateName == "s_f"
    if state is None:
        assert call.WhichOneof("method") == "clear"
    else:
        assert pickle.loads(call.valueStateUpdate.value) == (state,)
    found = [request.statefulProcessorCall.timerStateCall for request in timers]
    expected = [("delete", cancelled), ("register", registered)]
    assert [(one.WhichOneof("method"), getattr(one, one.WhichOneof("method")).expiryTimestampMs) for one in found] == [
        (method, time) for method, time in expected if time is not None
    ]


def test_a_closed_connection_and_a_failure_are_reported() -> None:
    closed = _Messages(_client(io.BytesIO()), "s_f")
    with pytest.raises(EOFError, match="closed the connection"):
        closed._receive()
    proto: Any = importlib.import_module("pyspark.sql.streaming.proto.StateMessage_pb2")
    answer = proto.StateResponse(statusCode=1, errorMessage="no space left").SerializeToString()
    failing = _Messages(_client(io.BytesIO(struct.pack(">i", len(answer)) + answer)), "s_f")
    with pytest.raises(RuntimeError, match="failed in reading the state of a key: no space left"):
        failing._require(failing._receive(), "reading the state of a key")


class _Wakes:
    """A client to which Spark sends the wake-ups that have come, some at a time."""

    def __init__(self, batches: Sequence[Sequence[tuple[bytes, int]]]) -> None:
        self._batches = iter(batches)
        self._left = len(batches)
        self.client = _client(None)
        self.client.list_timer_iterator_cursors, self.client.expiry_timer_iterator_cursors = {}, {}
        self.client._send_proto_message = lambda message: None
        self.client._receive_proto_message_with_timers = self._receive
        self.client._deserialize_from_bytes = lambda key: (key,)
        handle = SimpleNamespace(_statefulProcessorApiClient=self.client, getValueState=lambda name, schema: None)
        self.store = StateStore(handle, "s_f")

    def _receive(self) -> tuple[int, str, list[Any], bool]:
        self._left -= 1
        found = next(self._batches, None)
        if found is None:
            return 1, "no wake-up", [], False
        return 0, "", [SimpleNamespace(key=key, timestampMs=time) for key, time in found], self._left > 0


_wakes = st.lists(st.tuples(st.sampled_from([b"a", b"b", b"c", b"d", b"e", b"f"]), st.integers(1, 9)), min_size=1)


@given(st.lists(_wakes, max_size=4))
def test_each_wake_up_is_handled_once(batches: Sequence[Sequence[tuple[bytes, int]]]) -> None:
    wakes = _Wakes(batches)
    handled: list[tuple[bytes, int]] = []
    groups = 0
    for (key,), time in ExpiredTimerIterator(wakes.client, 100):
        taken = wakes.store.take_wake_ups(key)
        # The state of a key is read and written once for a group.
        assert len({key, *(key for key, _ in taken)}) == 1 + len(taken)
        handled += [(key, time), *taken]
        groups += 1
    assert handled == [wake for batch in batches for wake in batch]
    distinct = all(len({key for key, _ in batch}) == len(batch) for batch in batches)
    if distinct:
        # Spark handles the first and the last of those that it has read.
        assert groups == sum(min(2, len(batch)) for batch in batches)


def test_wake_ups_in_another_form_are_left_to_spark() -> None:
    wakes = _Wakes([[(b"a", 1), (b"b", 1), (b"c", 1)]])
    assert next(ExpiredTimerIterator(wakes.client, 100)) == ((b"a",), 1)
    ((name, (read, position, has_more)),) = wakes.client.expiry_timer_iterator_cursors.items()
    wakes.client.expiry_timer_iterator_cursors[name] = (tuple(read), position, has_more)
    assert wakes.store.take_wake_ups(b"a") == []
