"""The daemon of PySpark's Python workers for the embedded session, without tracebacks for closed sockets.

If Spark does not read a result to its end, as with a LIMIT, it closes the socket to which a worker writes, and PySpark
prints a traceback. Workers lack this library, so this module imports only PySpark.
"""

from __future__ import annotations

import os
from typing import Any

from pyspark import daemon as _module

daemon: Any = _module

_worker = daemon.worker


def _run(*arguments: Any) -> Any:
    try:
        return _worker(*arguments)
    except (BrokenPipeError, ConnectionResetError):
        # Only a closed socket gets here: errors of user functions are sent to Spark.
        os._exit(1)


if __name__ == "__main__":
    daemon.worker = _run
    daemon.manager()
