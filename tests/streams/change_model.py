"""Random changes of a keyed table in files, and what a plain Python model makes of them."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterable
from pathlib import Path

CODES = {"c, r": "INSERT", "b": "UPDATE_BEFORE", "u": "UPDATE_AFTER", "d": "DELETE"}
"""The kinds of the codes in the files."""

Change = tuple[str, str, int | None]
"""A code, a key and a value, which a deletion does not have."""


def apply(rows: dict[str, int | None], changes: Iterable[Change]) -> None:
    """Apply changes to the rows of a table, one after the other."""
    for code, key, value in changes:
        if code == "d":
            rows.pop(key, None)
        elif code != "b":
            rows[key] = value


def random_changes(chosen: random.Random, number: int) -> list[Change]:
    """Return changes of six keys."""
    made: list[Change] = []
    for _ in range(number):
        code = chosen.choice("crbuud")
        made.append((code, chosen.choice("abcdef"), None if code == "d" else chosen.randrange(100)))
    return made


def drop(folder: Path, number: int, changes: Iterable[Change]) -> None:
    """Write changes to the file with a number, by which files are ordered in time and not in name."""
    folder.mkdir(exist_ok=True)
    lines = [json.dumps({"code": code, "k": key, "n": value}) for code, key, value in changes]
    made = folder / f".{number}"
    made.write_text("\n".join(lines) + "\n")
    os.utime(made, (1000 + number, 1000 + number))
    made.rename(folder / f"{99 - number:02}.json")
