"""The directory in which this library keeps what must outlive a process: the metastore, its lock, the Java shim."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import platformdirs

from ir.errors import TableException

HOME_VARIABLE = "TABLEAPI_HOME"


def tableapi_home(environ: Mapping[str, str] | None = None) -> Path:
    """Return the absolute path of the home directory, which need not exist yet.

    It is the value of ``TABLEAPI_HOME``, or the user's data directory where that variable is unset or empty. A view
    stored today has to be found tomorrow, from whatever directory the program is started, so a relative value is
    refused rather than taken from the working directory.

    Args:
        environ: the environment to read, by default that of the process.

    Raises:
        TableException: ``TABLEAPI_HOME`` is relative, or names the home of a user that does not exist.

    >>> tableapi_home({"TABLEAPI_HOME": "/srv/views"}).as_posix()
    '/srv/views'
    """
    given = (os.environ if environ is None else environ).get(HOME_VARIABLE, "")
    if not given:
        return platformdirs.user_data_path("tableapi", appauthor=False)
    try:
        path = Path(given).expanduser()
    except RuntimeError as error:
        raise TableException(f"{HOME_VARIABLE}={given!r} cannot be expanded: {error}") from None
    if not path.is_absolute():
        raise TableException(
            f"{HOME_VARIABLE}={given!r} is a relative path. The stored views would depend on the directory in which a "
            f"program is started; set an absolute one, for instance {HOME_VARIABLE}={Path(given).absolute()}"
        )
    return Path(os.path.normpath(path))
