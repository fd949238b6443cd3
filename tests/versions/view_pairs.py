"""Store views with each version of Spark and read them with all: ``python -m tests.versions.view_pairs [VERSION ...]``.

Each version stores the queries of ``tests.versions.views``, and programs of the tests, in one metastore. Every version
reads all of them, with plain SQL and with this library. Prints a table of all pairs, and each view that is not read.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
from rich.console import Console
from rich.table import Table

from ir.rendering import Layout
from tests.programs.tables import DATABASE
from tests.versions.programs import evenly
from tests.versions.sparks import JVM, NEWEST, SPARKS, python_of, target_of
from tests.versions.texts import programs, tables_of_programs

_ROOT = Path(__file__).parents[2]
PROGRAMS: Final = 20
"""How many programs are stored as views, unless the command says how many."""
UNREADABLE: Final[Mapping[str, frozenset[str]]] = {
    "3.5": frozenset({"lists", "variant", "collated", "recursive", "buckets"}),
    "4.0": frozenset({"recursive", "buckets"}),
    "4.1": frozenset({"buckets"}),
}
"""Views that an older version cannot read, because they need what it lacks, by reader and kind of view."""

Views = Mapping[str, Mapping[str, Any]]


@attrs.frozen
class Pair:
    """How a version reads the views of another one.

    Attributes:
        writer: the version that stored the views.
        reader: the version that reads them.
        stored: how many views there are.
        same: how many are read with the rows that the writer read, by plain SQL and by this library.
        refused: the message of this library for each view that neither reads.
        wrong: what happened to each other view.
    """

    writer: str
    reader: str
    stored: int
    same: int
    refused: Mapping[str, str]
    wrong: Mapping[str, str]

    @staticmethod
    def of(writer: str, reader: str, written: Views, read: Views) -> Pair:
        """Compare what a reader found with what the writer had stored."""
        refused, wrong, same = {}, {}, 0
        stored = {name: found for name, found in written.items() if "refused" not in found}
        for name, expected in stored.items():
            found = read.get(name, {"spark_error": "not in the catalog", "library_error": "not in the catalog"})
            if found == expected and "spark" in found and "library" in found:
                same += 1
            elif "spark_error" in found and "library_error" in found:
                refused[name] = found["library_error"]
            else:
                wrong[name] = _difference(found, expected)
        return Pair(writer, reader, len(stored), same, refused, wrong)


def _difference(found: Mapping[str, Any], expected: Mapping[str, Any]) -> str:
    parts = [f"{who} fails: {found[who + '_error']}" for who in ("spark", "library") if who + "_error" in found]
    parts += [
        f"{who} reads {str(found[who])[:200]} and not {str(expected.get(who))[:200]}"
        for who in ("spark", "library")
        if who in found and found[who] != expected.get(who)
    ]
    return "; ".join(parts)


def installed() -> list[str]:
    """Return the versions of Spark that have an environment, the newest last."""
    return [version for version in (*SPARKS, NEWEST) if python_of(version) is not None]


def prepare(home: Path, number: int) -> None:
    """Write the queries of about so many programs for the versions to store, and the statements of their tables."""
    newest = target_of(NEWEST)
    writers = programs() if number else {}
    texts = {
        f"program_{place}": writers[name](Layout.MERGED, newest)
        for place, name in enumerate(evenly([name for name in writers if name.startswith("programs/")], number))
    }
    tables = tables_of_programs() if texts else []
    content = {"database": DATABASE, "tables": tables, "queries": texts}
    (home / "programs.json").write_text(json.dumps(content), encoding="utf-8")


def run(action: str, version: str, home: Path) -> dict[str, Any]:
    """Store or read all views with a version, and return what happened to each.

    Raises:
        RuntimeError: the program of the version failed.
    """
    python = python_of(version)
    done = subprocess.run(
        [str(python), "-W", "ignore", "-m", "tests.versions.views", action, str(home)],
        cwd=_ROOT,
        env={**os.environ, "PYTHONPATH": str(_ROOT), "PYSPARK_PYTHON": str(python), "SPARK_SUBMIT_OPTS": JVM},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"Spark {version} could not {action} views:\n{done.stderr[-3000:]}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def pairs(versions: Sequence[str], home: Path) -> list[Pair]:
    """Store the views with each version, then read them with each."""
    written = {version: run("write", version, home) for version in versions}
    found = []
    for reader in versions:
        read = run("read", reader, home)
        found += [Pair.of(writer, reader, views, read) for writer, views in written.items()]
    return found


def main() -> int:
    """Store, read and print; return the exit status, 0 if each view is read with the same rows or refused."""
    parser = argparse.ArgumentParser(prog="python -m tests.versions.view_pairs", description=__doc__)
    parser.add_argument(
        "versions", nargs="*", help=f"some of {', '.join((*SPARKS, NEWEST))}; those installed by default"
    )
    parser.add_argument("--programs", type=int, default=PROGRAMS, metavar="N", help="store about N programs as views")
    given = parser.parse_args()
    versions = [version for version in installed() if version in given.versions or not given.versions]
    missing = set(given.versions) - set(versions)
    if missing:
        parser.error(
            f"no environment for Spark {', '.join(sorted(missing))}; make versions makes those of {', '.join(SPARKS)}"
        )
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder), given.programs)
        found = pairs(versions, Path(folder))
    console = Console(highlight=False, markup=False, width=160)
    table = Table("read by", *[f"views of {version}" for version in versions])
    for reader in versions:
        of_reader = [pair for pair in found if pair.reader == reader]
        table.add_row(reader, *[f"{pair.same} of {pair.stored}" for pair in of_reader])
    console.print(table)
    refused: dict[tuple[str, str], list[str]] = defaultdict(list)
    for pair in found:
        for name, message in pair.refused.items():
            refused[pair.reader, message].append(name)
        for name, difference in pair.wrong.items():
            console.print(f"Spark {pair.reader}: {name}: {difference}")
    for (reader, message), names in refused.items():
        console.print(f"Spark {reader} refuses {', '.join(names)}: {message}")
    return 1 if any(pair.wrong for pair in found) else 0


if __name__ == "__main__":
    sys.exit(main())
