"""Run the queries of all tests on each version of Spark: ``python -m tests.versions.programs [VERSION ...]``.

Each version gets the text that is written for it as the target, and its answer is compared with that of the newest
Spark. Prints a table by version, and each answer that differs, with the reason in ``tests.versions.known``.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
from rich.console import Console
from rich.table import Table

from ir.rendering import Layout
from tableapi.spark.required_settings import FEATURES, REQUIRED_SETTINGS
from tests.programs.tables import DATABASE
from tests.versions.facts import NULLABILITY, difference_of_answers, has_other_schema
from tests.versions.known import known
from tests.versions.sparks import NEWEST, OTHERS, SPARKS, Spark, python_of, target_of
from tests.versions.texts import (
    TPCDS,
    Texts,
    Writer,
    programs,
    queries_of_tpcds,
    queries_of_tpch,
    tables_of_programs,
    tables_of_tpcds,
    tables_of_tpch,
)

Answer = Mapping[str, Any]
_AT_ONCE: Final = 200


@attrs.frozen
class Queries:
    """All queries by name, and the statements that make their tables.

    Attributes:
        tables: the statements, without those for the tables of the programs.
        executed: the writers of the queries that are executed, in the database of the programs.
        analysed: the writers of the queries over empty tables, which are only analysed, in the database of TPC-DS.
    """

    tables: list[str]
    executed: dict[str, Writer]
    analysed: dict[str, Writer]

    @staticmethod
    def all(files: Path) -> Queries:
        """Return all queries; the files of TPC-H are generated in a folder."""
        tables = [*tables_of_tpch(files), *tables_of_tpcds()]
        return Queries(tables, programs() | queries_of_tpch(), queries_of_tpcds())

    @staticmethod
    def of_programs() -> Queries:
        """Return the queries over the tables of the programs."""
        return Queries([], programs(), {})

    def write(self, version: str, layout: Layout) -> Texts:
        """Write all queries for a version."""
        return Texts.of(self.executed | self.analysed, layout, target_of(version))


def sample(texts: Texts, newest: Texts, size: int) -> Texts:
    """Return about ``size`` texts that are written otherwise for a version than for the newest, and as many others."""
    rewritten = [name for name, text in texts.accepted.items() if text != newest.accepted[name]]
    others = [name for name, text in texts.accepted.items() if text == newest.accepted[name]]
    chosen = [*evenly(rewritten, size), *evenly(others, size)]
    return Texts({name: texts.accepted[name] for name in chosen}, texts.refused)


def evenly(names: list[str], size: int) -> list[str]:
    """Return ``size`` names at about equal distances in sorted order, or all if there are fewer."""
    step = max(1.0, len(names) / max(size, 1))
    return [sorted(names)[int(number * step)] for number in range(min(size, len(names)))]


def run(version: str, queries: Queries, texts: Texts) -> dict[str, Answer]:
    """Return the answer of a version to each text.

    Raises:
        RuntimeError: the version refuses a statement that makes a table.
    """
    with Spark(version) as spark:
        spark.ask("set", values={setting.name: setting.required for setting in REQUIRED_SETTINGS} | FEATURES)
        # Another engine does not read all literals of Spark.
        statements = [*tables_of_programs(target=None if version in (*SPARKS, NEWEST) else target_of(version))]
        statements += queries.tables
        for statement, refusal in zip(statements, spark.ask("commands", texts=statements), strict=True):
            if refusal is not None:
                raise RuntimeError(f"Spark {version} refuses {statement}: {refusal}")
        found: dict[str, Answer] = {}
        for database, named, rows in ((DATABASE, queries.executed, True), (TPCDS, queries.analysed, False)):
            names = [name for name in named if name in texts.accepted]
            if not names:
                continue
            spark.ask("commands", texts=[f"USE DATABASE {database}"])
            for start in range(0, len(names), _AT_ONCE):
                batch = names[start : start + _AT_ONCE]
                answers = spark.queries([texts.accepted[name] for name in batch], rows=rows)
                found |= zip(batch, answers, strict=True)
        return found


@attrs.frozen
class Outcome:
    """How the answers of a version compare with those of the newest Spark.

    Queries that the newest Spark refuses are not compared.

    Attributes:
        version: the version.
        compared: the names of all queries that are compared.
        refused: the names of those that this library refuses for the version.
        accepted: how many the version accepts.
        same_schema: how many of these have the same names and types of columns.
        same_rows: how many of these also have the same rows, or fail with the same error.
        other_nullability: the names of those with the same schema and rows but for nullability.
        differences: for each query that differs otherwise, what differs (``tests.versions.facts``).
    """

    version: str
    compared: frozenset[str]
    refused: frozenset[str]
    accepted: int
    same_schema: int
    same_rows: int
    other_nullability: frozenset[str]
    differences: dict[str, str]

    @staticmethod
    def of(version: str, texts: Texts, answers: Mapping[str, Answer], newest: Mapping[str, Answer]) -> Outcome:
        """Compare the answers of a version with those of the newest Spark."""
        compared = frozenset([name for name, answer in newest.items() if "refused" not in answer])
        asked = [name for name in answers if name in compared]
        found = {name: difference_of_answers(answers[name], newest[name]) for name in asked}
        accepted = [name for name in asked if "refused" not in answers[name]]
        return Outcome(
            version,
            compared,
            compared & texts.refused.keys(),
            len(accepted),
            sum(not has_other_schema(answers[name], newest[name]) for name in accepted),
            sum(found[name] in (None, NULLABILITY) for name in accepted),
            frozenset([name for name in asked if found[name] == NULLABILITY]),
            {name: found_ for name, found_ in found.items() if found_ is not None and found_ != NULLABILITY},
        )

    def unexplained(self) -> dict[str, str]:
        """Return the differences that ``tests.versions.known`` does not list, and those that it lists wrongly."""
        listed = known(self.version)
        new = {name: found for name, found in self.differences.items() if listed.get(name) != found}
        gone = {
            name: f"answers as Spark {NEWEST}, but tests/versions/known.py lists {found!r}"
            for name, found in listed.items()
            if name in self.compared and name not in self.differences
        }
        return gone | new


def main() -> int:
    """Run and print; return the exit status, 0 if a reason is known for each difference."""
    parser = argparse.ArgumentParser(prog="python -m tests.versions.programs", description=__doc__)
    parser.add_argument("versions", nargs="*", help=f"some of {', '.join(OTHERS)}; all of them by default")
    parser.add_argument("--layout", choices=[layout.name for layout in Layout], default=Layout.MERGED.name)
    parser.add_argument(
        "--sample", type=int, metavar="N", help="run N queries that are written otherwise for a version, and N others"
    )
    given = parser.parse_args()
    versions = given.versions or list(OTHERS)
    unknown = [version for version in versions if version not in OTHERS or python_of(version) is None]
    if unknown:
        parser.error(f"no environment for Spark {', '.join(unknown)}; make versions makes those of {', '.join(OTHERS)}")
    with tempfile.TemporaryDirectory() as files:
        queries = Queries.all(Path(files)) if given.sample is None else Queries.of_programs()
        console = Console(highlight=False, markup=False, width=160)
        outcomes = []
        # A version takes minutes, so that each is reported at once.
        for outcome in compare(versions, queries, Layout[given.layout], given.sample):
            report(console, outcome)
            outcomes.append(outcome)
    table = Table(*COLUMNS)
    for outcome in outcomes:
        table.add_row(*map(str, row(outcome)))
    console.print(table)
    return 1 if any(outcome.unexplained() for outcome in outcomes) else 0


def compare(versions: Sequence[str], queries: Queries, layout: Layout, size: int | None = None) -> Iterator[Outcome]:
    """Compare the answers of versions with those of the newest Spark, and yield each outcome when it is known.

    Args:
        versions: the versions.
        queries: the queries.
        layout: the layout of their texts.
        size: how many queries that are written otherwise for a version, and how many others, it is asked; None for all.
    """
    newest = queries.write(NEWEST, layout)
    texts = {version: queries.write(version, layout) for version in versions}
    if size is not None:
        texts = {version: sample(of_version, newest, size) for version, of_version in texts.items()}
        asked = dict.fromkeys(name for chosen in texts.values() for name in chosen.accepted)
        newest = Texts({name: newest.accepted[name] for name in asked}, {})
    answers = run(NEWEST, queries, newest)
    for version, of_version in texts.items():
        found = run(version, queries, of_version)
        # Of a sample, the queries of other versions are not compared.
        expected = answers if size is None else {name: answers[name] for name in found}
        yield Outcome.of(version, of_version, found, expected)


def report(console: Console, outcome: Outcome) -> None:
    """Print the differences of a version."""
    for difference, count in Counter(outcome.differences.values()).most_common():
        names = [name for name, found in outcome.differences.items() if found == difference]
        console.print(f"Spark {outcome.version}: {count} {difference}: {', '.join(names)}")
    for name, difference in outcome.unexplained().items():
        console.print(f"Spark {outcome.version}: no reason is known for {name}: {difference}")
    counts = zip(COLUMNS, row(outcome), strict=True)
    console.print(", ".join(f"{column} {count}" for column, count in counts))


COLUMNS: Final = (
    *("Spark", "queries", "refused by name", "accepted", "same schema", "same rows"),
    *("of these, other nullability", "differing with reason", "differing without"),
)


def row(outcome: Outcome) -> tuple[str | int, ...]:
    """Return the counts of a version in the order of ``COLUMNS``."""
    listed = known(outcome.version)
    explained = sum(listed.get(name) == found for name, found in outcome.differences.items())
    return (
        *(outcome.version, len(outcome.compared), len(outcome.refused), outcome.accepted),
        *(outcome.same_schema, outcome.same_rows, len(outcome.other_nullability)),
        *(explained, len(outcome.unexplained())),
    )


if __name__ == "__main__":
    sys.exit(main())
