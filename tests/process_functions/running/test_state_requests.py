"""Requests to Spark's state store are sent ahead, with the client that PySpark itself has.

The client is private. If PySpark changes it, keys are read and written one by one, which takes several times as long;
then this test fails.
"""

from __future__ import annotations

import importlib
import pickle
import socket
import struct
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from pyspark.sql.streaming.stateful_processor import StatefulProcessorHandle
from pyspark.sql.streaming.stateful_processor_api_client import StatefulProcessorApiClient
from pyspark.sql.types import BinaryType, StructField, StructType

from tableapi.spark.runtime.process.state_store import Change, StateStore

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
