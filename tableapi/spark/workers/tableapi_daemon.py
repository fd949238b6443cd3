"""PySpark's daemon of Python workers for the embedded session, quiet where the reader of a worker has gone.

A LIMIT, or a result that is not read to its end, closes the socket to which a worker writes. PySpark prints a traceback
for each such worker. Workers do not have the library, so that this module imports PySpark alone.
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
        # Nothing else gets here: what a function of a user raises is sent to Spark.
        os._exit(1)


if __name__ == "__main__":
    daemon.worker = _run
    daemon.manager()
