"""A lock that lets one process at a time use a metastore directory, and identifies that process.

Derby serves one process. It rejects a second one only after a JVM has started, deep in a stack trace and without naming
the first. So each process first takes a lock of this library: a file beside the metastore, which the operating system
unlocks whenever its process ends, and in which the holder describes itself.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
import time
from datetime import datetime, timezone
from pathlib import Path

from attrs import asdict, frozen

from ir.errors import TableException
from tableapi.catalog.file_lock import try_lock

if sys.platform != "win32":
    import fcntl

LOCK_FILE = "metastore.lock"
METASTORE = "metastore"
# A JVM outlives its Python process for a moment; a Derby lock that lasts longer belongs to another program.
# Where Linux lists the locks on files.
_LOCKS = Path("/proc/locks")
_DERBY_PATIENCE_SECONDS = 5.0


@frozen
class Holder:
    """The process that uses a metastore.

    Attributes:
        pid: its process id on ``host``.
        command: its command line.
        since: the time when it took the lock, in UTC.
        host: the name of its machine.
    """

    pid: int
    command: str
    since: str
    host: str

    def __str__(self) -> str:
        return f"process {self.pid} ({self.command}) on host {self.host} since {self.since}"


class MetastoreLock:
    """An exclusive, advisory lock on a directory, held until ``release`` or the end of the process."""

    def __init__(self, descriptor: int, path: Path) -> None:
        self._descriptor: int | None = descriptor
        self.path = path
        if hasattr(os, "register_at_fork"):
            # A forked child inherits the lock, and would hold it after the end of this process.
            os.register_at_fork(after_in_child=self._forget)

    @classmethod
    def acquire(cls, directory: Path) -> MetastoreLock:
        """Lock a directory, which is created if it does not exist.

        Raises:
            TableException: another process holds the lock (the message names the process and a remedy), or the
                directory is not writable.
        """
        path = directory / LOCK_FILE
        try:
            directory.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise TableException(
                f"The directory {directory} for views and tables cannot be written: {error}. {_WAY_OUT}"
            ) from None
        try:
            try_lock(descriptor)
        except OSError:
            holder = read_holder(path)
            os.close(descriptor)
            raise TableException(describe_holder(directory, holder)) from None
        try:
            os.ftruncate(descriptor, 0)
            os.write(descriptor, json.dumps(asdict(_describe_process())).encode())
            _wait_for_derby(directory)
        except BaseException:
            os.close(descriptor)
            raise
        return cls(descriptor, path)

    @property
    def held(self) -> bool:
        """Whether this object still holds the lock."""
        return self._descriptor is not None

    def release(self) -> None:
        """Release the lock; a second call does nothing. The file stays, since removing it would race with others."""
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            self._forget()

    def _forget(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


_WAY_OUT = (
    "Give this process a directory of its own: set TABLEAPI_HOME, or pass warehouse=... to TableEnvironment.create()."
)


def describe_holder(directory: Path, holder: Holder | None) -> str:
    """Return the message for a metastore that a process, ``holder`` if it is known, has open."""
    who = str(holder) if holder is not None else "another process"
    end = (
        f"End that process{f' (kill {holder.pid})' if holder is not None else ''}, or call its stop_embedded_session()"
    )
    return (
        f"The metastore in {directory} is in use by {who}. Its database, Derby, serves one process at a time. "
        f"{end}, and run this again. {_WAY_OUT}"
    )


def read_holder(path: Path) -> Holder | None:
    """Return the holder that a lock file describes, or None if the file has no readable description."""
    try:
        return Holder(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        # The holder may be about to write, or the file may be foreign; the lock itself shows that there is a holder.
        return None


def derby_holder(directory: Path) -> Holder | None:
    """Return the process that holds Derby's own lock on a metastore, or None.

    Such a process does not use the lock of this library: for instance a ``spark-sql`` shell or another tool on the same
    directory. The process is identified if the system lists locks in ``/proc/locks``; otherwise its id is 0. On
    Windows, the result is always None.
    """
    if sys.platform == "win32":
        return None
    try:
        descriptor = os.open(directory / METASTORE / "dbex.lck", os.O_RDWR)
    except OSError:
        return None
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        pid = _pid_of_lock(os.fstat(descriptor))
        started = datetime.fromtimestamp(os.fstat(descriptor).st_mtime, timezone.utc)
        return Holder(pid, _command_of(pid), _text_of(started), socket.gethostname())
    finally:
        os.close(descriptor)
    return None


def _wait_for_derby(directory: Path) -> None:
    deadline = time.monotonic() + _DERBY_PATIENCE_SECONDS
    while (holder := derby_holder(directory)) is not None:
        if time.monotonic() > deadline:
            raise TableException(describe_holder(directory, holder if holder.pid else None))
        time.sleep(0.1)


def _pid_of_lock(status: os.stat_result) -> int:
    """Return the id of the process with a POSIX lock on a file, or 0 if it is unknown."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in _LOCKS.read_text().splitlines():
            # For instance: 1: POSIX  ADVISORY  WRITE 2509 fe:00:2146973 0 EOF
            fields = line.split()
            if fields[1] != "POSIX":
                # Some other lock, or, with an arrow, a process that waits for one.
                continue
            major, minor, inode = fields[5].split(":")
            device = os.makedev(int(major, 16), int(minor, 16))
            if int(inode) == status.st_ino and device == status.st_dev:
                return int(fields[4])
    return 0


def _command_of(pid: int) -> str:
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
        text = b" ".join(words).decode(errors="replace")
        return text if len(text) <= 200 else f"{text[:100]} … {text[-90:]}"
    return "unknown command"


def _describe_process() -> Holder:
    words = getattr(sys, "orig_argv", None) or [sys.executable, *sys.argv]
    return Holder(os.getpid(), " ".join(words)[:500], _text_of(datetime.now(timezone.utc)), socket.gethostname())


def _text_of(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"
