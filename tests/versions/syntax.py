"""The probes of syntax: statements that the newest Spark accepts, each with the name of what it shows."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import attrs

_FILE = Path(__file__).with_name("syntax.sql")


@attrs.frozen
class Probe:
    """A form of syntax and the statements that need it.

    Attributes:
        name: the name of the form in the files of versions.
        statements: the statements. The first that a version refuses decides, and the rest undoes what the others did.
    """

    name: str
    statements: tuple[str, ...]


@cache
def probes() -> dict[str, Probe]:
    """Return all probes by name.

    Raises:
        ValueError: two probes have one name, or a probe has no name.
    """
    found: dict[str, Probe] = {}
    for block in re.split(r"\n\s*\n", _FILE.read_text(encoding="utf-8").strip()):
        first, _, text = block.partition("\n")
        if not first.startswith("-- ") or not text:
            raise ValueError(f"a probe begins with its name in a comment: {block}")
        name = first.removeprefix("-- ")
        if name in found:
            raise ValueError(f"two probes are named {name!r}")
        found[name] = Probe(name, tuple(text.split(";\n")))
    return found
