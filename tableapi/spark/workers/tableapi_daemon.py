"""The daemon of PySpark's Python workers for the embedded session.

It differs from PySpark's in two ways:

- If Spark does not read a result to its end, as with a LIMIT, it closes the socket to which a worker writes, and
  PySpark prints a traceback. Here the worker ends without one.
- After each task, PySpark collects garbage among all objects of a worker, nearly all of which belong to imported
  modules. With pandas and Arrow that takes 30 milliseconds and more, often longer than the task. Here the objects that
  a worker has after it has imported modules are left out of later collections.

Workers lack this library, so this module imports only PySpark.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import Any

from pyspark import daemon as _module

daemon: Any = _module

LEAVES_OUT_MODULES = True
"""What the runtime of functions looks for, which would otherwise do the same in each batch."""
_worker = daemon.worker
_known_modules = 0


def _run(*arguments: Any) -> Any:
    try:
        code = _worker(*arguments)
    except (BrokenPipeError, ConnectionResetError):
        # Only a closed socket gets here: errors of user functions are sent to Spark.
        os._exit(1)
    _keep_modules()
    return code


def _keep_modules() -> None:
    """Leave all present objects out of later collections if modules were imported since the last call."""
    global _known_modules
    if len(sys.modules) > _known_modules:
        # What is garbage now would never be collected.
        gc.collect()
        gc.freeze()
        _known_modules = len(sys.modules)


if __name__ == "__main__":
    daemon.worker = _run
    daemon.manager()
