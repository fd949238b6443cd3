"""Whether anything listens at the address of a Spark Connect server."""

from __future__ import annotations

import os
import re
import socket
from typing import Final

from ir.errors import TableException

DEFAULT_PORT: Final = 15002
SECONDS: Final = 10
"""The time in which a server accepts a connection."""
_ADDRESS: Final = re.compile(r"sc://(?:\[(?P<bracketed>[^\]]+)\]|(?P<host>[^:/;\[\]]+))(?::(?P<port>\d+))?(?:/.*)?")
# With one of them, gRPC reaches the server through a proxy.
_PROXIES: Final = ("grpc_proxy", "https_proxy", "http_proxy")


def require_listener(address: str) -> None:
    """Check that something listens at an address, since PySpark tries for ten minutes before it gives up.

    Args:
        address: the address of the server, such as ``sc://host:15002``; one of another form is left to PySpark.

    Raises:
        TableException: the name of the host is unknown, or nothing accepts a connection.
    """
    found = _ADDRESS.fullmatch(address)
    if found is None or any(os.environ.get(name) or os.environ.get(name.upper()) for name in _PROXIES):
        return
    host, port = found["bracketed"] or found["host"], int(found["port"] or DEFAULT_PORT)
    try:
        socket.create_connection((host, port), timeout=SECONDS).close()
    except OSError as error:
        reason = f"no answer in {SECONDS} seconds" if isinstance(error, TimeoutError) else error.strerror or str(error)
        raise TableException(
            f"No Spark Connect server answers at {host}, port {port}: {reason}. Check the address, and that the server "
            "runs."
        ) from None
