"""A loopback service that counts its calls, and misbehaves on request."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

Answer = Callable[[list[Any], int], Any]


class Hang:
    """Return this instead of an answer to never answer."""


class Drop:
    """Return this instead of an answer to close the connection."""


class Refuse:
    """Return this instead of an answer to send an error."""


class Twice:
    """An answer that is sent twice."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Service:
    """Answer calls of named functions, and record them in ``calls`` in the order of arrival."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...]]] = []
        self.most_in_flight = 0
        # The process ids of the callers.
        self.callers: set[int] = set()
        self.latency = 0.002
        self.answers: dict[str, Answer] = {}
        self._in_flight = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=2000), self._loop
        ).result()
        self.port = int(self._server.sockets[0].getsockname()[1])

    def answer(self, name: str, answer: Answer) -> None:
        """Set the answer for calls of a name; it receives the arguments and the number of earlier calls with them."""
        self.answers[name] = answer

    def reset(self) -> None:
        """Forget the calls."""
        self.calls = []
        self.callers = set()
        self.most_in_flight = 0
        self.latency = 0.002

    def counts(self) -> dict[str, int]:
        """Return the number of calls of each function."""
        return dict(Counter(name for name, _ in self.calls))

    def most_with_equal_arguments(self) -> int:
        """Return the highest number of equal calls."""
        return max(Counter(self.calls).values(), default=0)

    def close(self) -> None:
        """Stop the service."""

        async def end() -> None:
            self._server.close()
            for task in asyncio.all_tasks():
                if task is not asyncio.current_task():
                    task.cancel()

        asyncio.run_coroutine_threadsafe(end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                await self._one(json.loads(line), reader, writer)
        except (ConnectionError, asyncio.CancelledError):
            return
        finally:
            writer.close()

    async def _one(self, asked: Any, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        name, arguments = asked["name"], asked["arguments"]
        call = (name, tuple(arguments))
        before = self.calls.count(call) if name in self.answers else 0
        self.calls.append(call)
        self.callers.add(asked["process"])
        self._in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self._in_flight)
        try:
            await asyncio.sleep(self.latency)
            result = self.answers[name](arguments, before) if name in self.answers else arguments[0]
            if isinstance(result, Awaitable):
                result = await result
            if result is Hang:
                # Wait until the caller goes away.
                await reader.read()
                return
        finally:
            self._in_flight -= 1
        if result is Drop:
            writer.close()
            return
        answer = {"error": "refused"} if result is Refuse else {"result": result}
        if isinstance(result, Twice):
            answer = {"result": result.value}
            writer.write((json.dumps(answer) + "\n").encode())
        writer.write((json.dumps(answer) + "\n").encode())
        await writer.drain()


class ServiceError(Exception):
    """The service answered with an error, or not at all."""


async def ask(port: int, name: str, *arguments: Any) -> Any:
    """Call a function of the service over a new connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        asked = {"name": name, "arguments": arguments, "process": os.getpid()}
        writer.write((json.dumps(asked) + "\n").encode())
        line = await reader.readline()
    finally:
        writer.close()
    if not line:
        raise ServiceError("the connection was dropped")
    answer = json.loads(line)
    if "error" in answer:
        raise ServiceError(answer["error"])
    return answer["result"]
