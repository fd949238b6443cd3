"""The lock that the operating system keeps on a file, and frees when its process ends, however that ends."""

from __future__ import annotations

import os
import sys

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# Windows locks byte ranges and denies others to read them, so the byte that is locked lies far behind any text.
_LOCKED_BYTE = 1 << 30


def try_lock(descriptor: int) -> None:
    """Take the exclusive lock on an open file; it is held until the file is closed.

    Raises:
        OSError: another process, or another opening of the file in this one, has it.
    """
    if sys.platform == "win32":
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
