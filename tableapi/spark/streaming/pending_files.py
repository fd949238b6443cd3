"""The files that an unfinished batch of a checkpoint reads again, before Spark looks for them.

Spark decides which files a batch reads, writes that to the checkpoint, and reads them. After a crash between the two,
it reads the same files.

Source: https://spark.apache.org/docs/latest/streaming/getting-started.html#fault-tolerance-semantics
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlparse

_COMPACT: Final = ".compact"
# A log begins with its version; one of offsets has the properties of the batch in the second line.
_BEFORE_OFFSETS: Final = 2


def find_lost_file(checkpoint: Path, batch: int) -> Path | None:
    """Return a file of this machine that a batch reads and that does not exist; None if there is none.

    Args:
        checkpoint: the directory of the checkpoint.
        batch: the number of a batch whose offsets are written, and which is not committed.
    """
    before = _read_offsets(checkpoint / "offsets" / str(batch - 1)) if batch else []
    for number, last in enumerate(_read_offsets(checkpoint / "offsets" / str(batch))):
        if last is None:
            continue
        known = before[number] if number < len(before) else None
        first = 0 if known is None else known + 1
        for path in _list_files(checkpoint / "sources" / str(number), first, last):
            if not path.exists():
                return path
    return None


def _read_offsets(path: Path) -> list[int | None]:
    """Return the offset of each source in the log of a batch: its number for files, None for another source."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()[_BEFORE_OFFSETS:]
    except (OSError, UnicodeDecodeError):
        return []
    return [_number_of(line) for line in lines]


def _number_of(line: str) -> int | None:
    found = _read_json(line)
    number = found.get("logOffset") if isinstance(found, dict) else None
    return number if isinstance(number, int) else None


def _list_files(log: Path, first: int, last: int) -> Iterator[Path]:
    """Yield the local files that the log of a source has for some of its entries."""
    for number in range(first, last + 1):
        for path in (log / str(number), log / f"{number}{_COMPACT}"):
            try:
                lines = path.read_text(encoding="utf-8").splitlines()[1:]
            except (OSError, UnicodeDecodeError):
                continue
            for line in lines:
                found = _read_json(line)
                # A compacted entry repeats the earlier ones.
                if isinstance(found, dict) and found.get("batchId") == number:
                    address = urlparse(str(found.get("path")))
                    if address.scheme == "file":
                        yield Path(unquote(address.path))


def _read_json(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None
