"""Make requests to NATS servers from code that is not asynchronous, through restarts of a server."""

from __future__ import annotations

import asyncio
import datetime as dt
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from importlib.util import find_spec
from typing import Any, TypeVar

from tableapi.spark.runtime.failures import SourceFailed
from tableapi.spark.runtime.nats.settings import Settings

_T = TypeVar("_T")
# Seconds between two attempts to reach a server that is down.
_PAUSE = 0.2
# Seconds for one attempt to connect, and for the answer to one request.
_CONNECT = 5.0
_ANSWER = 5.0
# The numbers that servers give to their errors.
_NO_STREAM = 10059
_NO_JETSTREAM = (10039, 10076)
# What a server says while it starts, or while a cluster chooses a leader; with no number if JetStream does not listen.
_SOON = (None, 10008, 10009)
# In streams of these policies, a message is gone when someone has read it, so that no batch could be repeated.
_NOT_REPEATABLE = {"workqueue": "once one consumer has acknowledged it", "interest": "once all consumers have it"}


def require_package() -> None:
    """Check that the package of the client is installed.

    Raises:
        SourceFailed: the package is missing; the message has the command that installs it.
    """
    if find_spec("nats") is None:
        raise SourceFailed(
            "The connector 'nats' needs the package nats-py, which the Python of Spark's workers lacks: "
            f"{sys.executable} -m pip install nats-py"
        )


class Client:
    """A connection that is made with the first request, and again after a server was down.

    Requests run in the event loop of a thread, since the caller may itself be called from an event loop.

    Args:
        settings: the servers, the user, and how long a server may be down.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="tableapi nats", daemon=True)
        self._thread.start()
        self._connection: Any = None
        self._streams: Any = None
        # What the server has refused without an answer to a request.
        self._refusal = ""

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection, and end the thread."""
        if self._loop.is_closed():
            return
        self._run(self._disconnect())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, request: Awaitable[_T]) -> _T:
        running: Future[_T] = asyncio.run_coroutine_threadsafe(_as_coroutine(request), self._loop)
        return running.result()

    def call(self, request: Callable[[Any], Awaitable[_T]], *, once: bool = False) -> _T:
        """Make a request, again on a new connection while a server restarts.

        Args:
            request: takes the JetStream context of the client, and returns the answer.
            once: whether to fail at once if no server can be reached.

        Raises:
            SourceFailed: no server can be reached in time, or the server refuses the request.
        """
        require_package()
        return self._run(self._repeat(request, 0.0 if once else self.settings.timeout))

    async def _repeat(self, request: Callable[[Any], Awaitable[_T]], timeout: float) -> _T:
        until = time.monotonic() + timeout
        while True:
            try:
                context = await self._context()
                return await request(context)
            except Exception as error:
                is_connected = self._connection is not None and self._connection.is_connected
                await self._disconnect()
                reason = self._describe(error)
                if reason is not None:
                    raise SourceFailed(reason) from None
                if time.monotonic() >= until:
                    raise SourceFailed(self._describe_silence(error, timeout, is_connected)) from None
            await asyncio.sleep(_PAUSE)

    async def _context(self) -> Any:
        import nats

        if self._connection is None or self._connection.is_closed:
            self._refusal = ""
            settings = self.settings
            user = {"user": settings.username, "password": settings.password} if settings.username else {}
            if settings.token:
                user["token"] = settings.token
            # Reconnecting is done here: the client would keep requests that a restarted server never gets.
            self._connection = await asyncio.wait_for(
                nats.connect(
                    servers=list(settings.servers),
                    name="tableapi",
                    allow_reconnect=False,
                    max_reconnect_attempts=1,
                    reconnect_time_wait=0.1,
                    connect_timeout=_CONNECT,
                    error_cb=self._note,
                    **user,
                ),
                2 * _CONNECT * len(settings.servers),
            )
            self._streams = self._connection.jetstream(timeout=_ANSWER)
        return self._streams

    async def _note(self, error: Exception) -> None:
        text = str(error)
        if "permissions violation" in text.lower():
            self._refusal = text.removeprefix("nats: ")

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            await asyncio.wait_for(connection.close(), _ANSWER)
        except Exception:
            # The server that would have to answer is gone, and with it the connection.
            return

    def _describe(self, error: Exception) -> str | None:
        """Return why a server refuses a request; None if the request may succeed later."""
        from nats import errors
        from nats.js import errors as stream_errors

        if isinstance(error, SourceFailed):
            return error.sentence
        shown, text = self.settings.shown_servers, str(error).removeprefix("nats: ").strip("'")
        if self._refusal:
            return f"NATS at {shown} does not allow it to {self._who()}: {self._refusal}."
        if "authorization" in text.lower() or "authentication" in text.lower():
            return (
                f"NATS at {shown} does not accept {self._who()}: {text}. Check the options 'username' and 'password', "
                "or 'token'."
            )
        if isinstance(error, errors.MaxPayloadError):
            return f"A message is larger than NATS at {shown} accepts (max_payload)."
        if isinstance(error, (errors.BadSubjectError, errors.BadHeaderError)):
            return f"NATS at {shown} cannot take a message: {text}."
        is_soon = isinstance(error, stream_errors.ServiceUnavailableError) and error.err_code in _SOON
        if isinstance(error, stream_errors.APIError) and not is_soon:
            if error.err_code == _NO_STREAM:
                return (
                    f"NATS at {shown} has no stream {self.settings.stream!r}. Create it first: nats stream add "
                    f"{self.settings.stream}."
                )
            if error.err_code in _NO_JETSTREAM:
                return f"NATS at {shown} has no JetStream, which stores messages. Start the server with -js."
            return f"NATS at {shown} refuses a request: {error.description} ({error.err_code})."
        if isinstance(error, (errors.Error, OSError, asyncio.TimeoutError)):
            return None
        return f"A request to NATS at {shown} failed: {type(error).__name__}: {error}."

    def _describe_silence(self, error: Exception, timeout: float, is_connected: bool) -> str:
        from nats.js import errors as stream_errors

        shown = self.settings.shown_servers
        waited = f" within {timeout:g} seconds ('connection.timeout')" if timeout else ""
        if isinstance(error, stream_errors.NoStreamResponseError):
            return f"No stream of NATS at {shown} stores a subject of the rows{waited}. Create one for the subject."
        if isinstance(error, stream_errors.ServiceUnavailableError):
            return f"NATS at {shown} has no JetStream that is ready{waited}. Start the server with -js."
        if is_connected:
            stream = self.settings.stream
            other = f" A subject that another stream than {stream} stores has none, either." if stream else ""
            return f"NATS at {shown} has given no answer{waited}.{other}"
        return f"NATS at {shown} cannot be reached{waited}. Check the option 'servers', and that the server runs."

    def _who(self) -> str:
        settings = self.settings
        if settings.username:
            return f"the user {settings.username!r}"
        return "the token" if settings.token else "a client without user and token"

    def stream_info(self, *, once: bool = False) -> Any:
        """Return the server's information about the stream of the table.

        Raises:
            SourceFailed: no server can be reached, there is no such stream, or its messages end when they are read.
        """
        found = self.call(lambda context: context.stream_info(self.settings.stream), once=once)
        policy = str(getattr(found.config.retention, "value", found.config.retention) or "limits")
        if policy in _NOT_REPEATABLE:
            raise SourceFailed(
                f"The stream {self.settings.stream} of NATS has the retention {policy!r}: a message is deleted "
                f"{_NOT_REPEATABLE[policy]}, so that no batch could be read again after a failure. Read a stream with "
                "the retention 'limits', which may mirror this one."
            )
        return found

    def stream_of(self, subject: str, *, once: bool = False) -> Any:
        """Return the server's information about the stream that stores a subject; None if no stream does."""

        async def find(context: Any) -> Any:
            from nats.js import errors

            try:
                return await context.stream_info(await context.find_stream_name_by_subject(subject))
            except errors.NotFoundError:
                return None

        return self.call(find, once=once)

    def first_sequence_since(self, millis: int) -> int:
        """Return the sequence number of the first message at or after a time, or of the next message.

        Args:
            millis: the time in milliseconds since 1970.
        """

        async def ask(context: Any) -> int:
            from nats.js import api

            moment = dt.datetime.fromtimestamp(millis / 1000, dt.timezone.utc)
            made = await add_consumer(context, self.settings.stream, api.DeliverPolicy.BY_START_TIME, moment)
            await context.delete_consumer(self.settings.stream, made.name)
            return int(made.delivered.stream_seq) + 1

        return self.call(ask)


async def _as_coroutine(request: Awaitable[_T]) -> _T:
    return await request


async def add_consumer(
    context: Any, stream: str, policy: Any, start: Any, subject: str = "", *, headers_only: bool = False
) -> Any:
    """Create a consumer that the server removes when it is inactive, and return the server's description of it.

    Args:
        context: the JetStream context.
        stream: the stream.
        policy: ``DeliverPolicy.BY_START_TIME`` or ``BY_START_SEQUENCE``.
        start: the time or the sequence number of the first message.
        subject: the subjects of its messages, or empty for all.
        headers_only: whether messages come without their data.
    """
    from nats.js import api

    where = {"opt_start_time": start} if policy == api.DeliverPolicy.BY_START_TIME else {"opt_start_seq": start}
    return await context.add_consumer(
        stream,
        api.ConsumerConfig(
            deliver_policy=policy,
            ack_policy=api.AckPolicy.NONE,
            filter_subject=subject or None,
            headers_only=headers_only or None,
            mem_storage=True,
            inactive_threshold=30.0,
            num_replicas=1,
            **where,
        ),
    )
