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
# The version of offsets of sources with names.
_NAMED_VERSION: Final = "v2"


def find_lost_file(checkpoint: Path, batch: int) -> Path | None:
    """Return a file of this machine that a batch reads and that does not exist; None if there is none.

    Args:
        checkpoint: the directory of the checkpoint.
        batch: the number of a batch whose offsets are written, and which is not committed.
    """
    before = _read_offsets(checkpoint / "offsets" / str(batch - 1)) if batch else {}
    for source, last in _read_offsets(checkpoint / "offsets" / str(batch)).items():
        known = before.get(source)
        first = 0 if known is None else known + 1
        for path in _list_files(checkpoint / "sources" / source, first, last):
            if not path.exists():
                return path
    return None


def _read_offsets(path: Path) -> dict[str, int]:
    """Return the number of the last entry that a batch reads of each source of files, by the name of its log."""
    try:
        version, *lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError, ValueError):
        return {}
    found: dict[str, int] = {}
    for number, line in enumerate(lines[_BEFORE_OFFSETS - 1 :]):
        # Of a source with a name, the line has it before the offset.
        name, _, offset = line.partition(":") if version == _NAMED_VERSION else (str(number), "", line)
        last = _number_of(offset)
        if last is not None:
            found[name] = last
    return found


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
