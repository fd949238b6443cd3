"""The files that say how each older version of Spark differs: one entry in a line, sorted."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Set
from pathlib import Path
from typing import Any, Final

from tests.versions.sparks import target_of

REFUSED: Final = "refused"
SAME: Final = "same"
"""How a version answers a call: it refuses it, or types it as the newest does; another text says what differs."""

_FOLDER: Final = Path(__file__).parents[2] / "ir" / "dialects"


ASKED: Final = Path(__file__).with_name("asked.txt")
"""The names of the functions that all versions were asked about, one in a line."""


def path_of(version: str) -> Path:
    """Return the file of a version."""
    target = target_of(version)
    return _FOLDER / target.engine / f"{target.version}.json"


def write(path: Path, found: Mapping[str, Any]) -> None:
    """Write the differences of a version."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text_of(found), encoding="utf-8")


def text_of(found: Mapping[str, Any]) -> str:
    """Return differences as JSON with one line for each entry of each part."""
    parts = []
    for key, value in found.items():
        match value:
            case {**entries} if entries:
                lines = [f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in sorted(entries.items())]
                parts.append(f"{json.dumps(key)}: {{\n  " + ",\n  ".join(lines) + "\n }")
            case [*items] if items:
                parts.append(f"{json.dumps(key)}: [\n  " + ",\n  ".join(map(json.dumps, items)) + "\n ]")
            case _:
                parts.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def read(version: str) -> dict[str, Any]:
    """Return the differences of a version."""
    found: dict[str, Any] = json.loads(path_of(version).read_text(encoding="utf-8"))
    return found


def merged(content: Mapping[str, Any], found: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Return the differences of a version with what was found about some functions in place of their entries."""
    parts: dict[str, Any] = {}
    for key, value in content.items():
        if key in ("refused", "results", "unexplained"):
            kept = {name: entry for name, entry in value.items() if name not in names}
            parts[key] = dict(sorted((kept | found[key]).items()))
        else:
            parts[key] = sorted({*value, *found[key]} - ({*names} - {*found[key]})) if key == "functions" else value
    return parts


def expected_result(found: Mapping[str, Any], function: str, traits: Set[str]) -> str:
    """Return how the differences of a version say that it answers a call: see ``tests.versions.facts``."""
    if function in found["functions"]:
        return REFUSED
    if any(traits.issuperset(condition) for condition in found["refused"].get(function, ())):
        return REFUSED
    for other in found["results"].get(function, ()):
        if any(traits.issuperset(condition) for condition in other["when"]):
            return str(other["result"])
    return SAME
