"""The flights and the weather of 2013 as files that arrive month by month, with the faults of real streams.

Within an hour, rows come in any order. One row of a hundred comes two months late: Spark leaves a row out if it is
older than the watermark of the batch before the last one, so that a month is not enough. One line of a thousand is cut
off. Two last files have nothing but the time of a month later, as a source sends it while it has no rows: the first one
moves the watermark, and with the second one the last windows end.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import random
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

from tableapi import TableEnvironment
from tableapi.expressions import col

LATE, BROKEN = 0.01, 0.001
"""The shares of rows that come two months late, and of lines that cannot be read."""
_COLUMNS: Final = {
    "flights": ("at", "carrier", "origin", "dest", "dep_delay", "arr_delay", "distance"),
    "weather": ("at", "origin", "visib", "wind_speed"),
}
# The week of a later row may reach into the next month, so that the row would come in time.
_SURELY_LATE = 21
_MONTHS_LATE = 2
_TEXTS = ("carrier", "origin", "dest")
# A later row would come after the last month.
_END_OF_LATE: Final = dt.datetime(2013, 11, 1)
LAST: Final = dt.datetime(2014, 2, 1, tzinfo=dt.UTC)
"""The time of the last rows, which are no flights and no weather."""


def write_files(te: TableEnvironment, folder: Path, seed: int = 2013) -> dict[str, int]:
    """Write the files of both streams into folders of their names.

    Returns:
        The number of lines for each stream.
    """
    chance = random.Random(seed)
    return {name: _write(name, _rows_of(te, name), folder / name, chance) for name in _COLUMNS}


def _rows_of(te: TableEnvironment, name: str) -> list[dict[str, Any]]:
    table = te.from_path(name)
    if name == "flights":
        table = table.select(col("time_hour"), col("minute"), *[col(c) for c in _COLUMNS[name][1:]])
    else:
        table = table.select(col("time_hour"), *[col(c) for c in _COLUMNS[name][1:]])
    rows: list[dict[str, Any]] = table.to_arrow().to_pylist()
    for row in rows:
        row["at"] = row.pop("time_hour") + dt.timedelta(minutes=row.pop("minute", 0) or 0)
    return rows


def _write(name: str, rows: list[dict[str, Any]], folder: Path, chance: random.Random) -> int:
    months: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    # An hour is the unit within which the order is arbitrary.
    for row in sorted(rows, key=lambda row: (row["at"].replace(minute=0), chance.random())):
        month = row["at"].year * 12 + row["at"].month
        may_be_late = name == "flights" and row["at"].day < _SURELY_LATE and row["at"] < _END_OF_LATE
        is_late = may_be_late and chance.random() < LATE
        months[month + is_late * _MONTHS_LATE].append({**row, "is_late": is_late})
    folder.mkdir(parents=True)
    lines = 0
    for number, month in enumerate(sorted(months)):
        texts = [json.dumps({**row, "at": f"{row['at'].isoformat()}Z"}) for row in months[month]]
        cut = [text[: len(text) // 2] for text in texts if chance.random() < BROKEN]
        lines += len(texts) + len(cut)
        _write_file(folder, number, [*texts, *cut])
    for number in (len(months), len(months) + 1):
        # A join and a filter would leave out a row without values, before the watermark sees it.
        values = {column: "" if column in _TEXTS else 0 for column in _COLUMNS[name]}
        _write_file(folder, number, [json.dumps({**values, "at": LAST.isoformat(), "is_late": False})])
    return lines + 2


def _write_file(folder: Path, number: int, lines: list[str]) -> None:
    path = folder / f"{number:02}.json"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    # Spark reads the oldest file first.
    os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
