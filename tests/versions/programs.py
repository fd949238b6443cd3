"""Run the texts of all programs on older versions of Spark: ``python -m tests.versions.programs [VERSION ...]``.

Each text is one of ``tests.versions.texts``, as written for the newest Spark. Prints for each version how many it
accepts, with the schema and the rows of the newest, and each text for which that is not so, with the reason.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import attrs
from rich.console import Console

from ir.rendering import Layout
from tableapi.spark.required_settings import REQUIRED_SETTINGS
from tests.programs.tables import DATABASE
from tests.versions.facts import FEATURES, difference_of_answers
from tests.versions.sparks import NEWEST, OTHERS, Spark, python_of
from tests.versions.texts import (
    TPCDS,
    tables_of_programs,
    tables_of_tpcds,
    tables_of_tpch,
    texts_of_programs,
    texts_of_tpcds,
    texts_of_tpch,
)

Answer = Mapping[str, Any]
_AT_ONCE: Final = 200


@attrs.frozen
class Texts:
    """All texts by name, and the statements that make their tables.

    Attributes:
        tables: the statements.
        executed: the texts that are executed, in the database of the programs.
        analysed: the texts over empty tables, which are analysed only, in the database of TPC-DS.
    """

    tables: list[str]
    executed: dict[str, str]
    analysed: dict[str, str]

    @staticmethod
    def of(layout: Layout, files: Path) -> Texts:
        """Return the texts in a layout; the files of TPC-H are generated in a folder."""
        return Texts(
            [*tables_of_programs(), *tables_of_tpch(files), *tables_of_tpcds()],
            texts_of_programs(layout) | texts_of_tpch(layout),
            texts_of_tpcds(layout),
        )


def run(version: str, texts: Texts) -> dict[str, Answer]:
    """Return the answer of a version to each text."""
    with Spark(version) as spark:
        spark.ask("set", values={setting.name: setting.required for setting in REQUIRED_SETTINGS} | FEATURES)
        for statement, refusal in zip(texts.tables, spark.ask("commands", texts=texts.tables), strict=True):
            if refusal is not None:
                raise RuntimeError(f"Spark {version} refuses {statement}: {refusal}")
        found: dict[str, Answer] = {}
        for database, named, rows in ((DATABASE, texts.executed, True), (TPCDS, texts.analysed, False)):
            spark.ask("commands", texts=[f"USE {database}"])
            names = list(named)
            for start in range(0, len(names), _AT_ONCE):
                batch = names[start : start + _AT_ONCE]
                answers = spark.queries([named[name] for name in batch], rows=rows)
                found |= zip(batch, answers, strict=True)
        return found


def main() -> int:
    """Run and print; return the exit status, 0 if all answers equal those of the newest Spark."""
    parser = argparse.ArgumentParser(prog="python -m tests.versions.programs", description=__doc__)
    parser.add_argument("versions", nargs="*", help=f"some of {', '.join(OTHERS)}; all of them by default")
    parser.add_argument("--layout", choices=[layout.name for layout in Layout], default=Layout.MERGED.name)
    given = parser.parse_args()
    versions = given.versions or list(OTHERS)
    unknown = [version for version in versions if version not in OTHERS or python_of(version) is None]
    if unknown:
        parser.error(f"no environment for Spark {', '.join(unknown)}; make versions makes those of {', '.join(OTHERS)}")
    console = Console(highlight=False, markup=False, soft_wrap=True)
    with tempfile.TemporaryDirectory() as files:
        texts = Texts.of(Layout[given.layout], Path(files))
        newest = run(NEWEST, texts)
        equal = True
        for version in versions:
            differences = _differences(run(version, texts), newest)
            equal &= not differences
            _print(console, version, differences, newest)
    return 0 if equal else 1


def _differences(answers: Mapping[str, Answer], newest: Mapping[str, Answer]) -> dict[str, str]:
    """Return what differs for each text that the newest accepts."""
    asked = {name: answer for name, answer in newest.items() if "refused" not in answer}
    found = {name: difference_of_answers(answers[name], answer) for name, answer in asked.items()}
    return {name: difference for name, difference in found.items() if difference is not None}


def _print(console: Console, version: str, differences: Mapping[str, str], newest: Mapping[str, Answer]) -> None:
    asked = [name for name, answer in newest.items() if "refused" not in answer]
    console.print(f"Spark {version}: {len(asked)} texts, {len(asked) - len(differences)} with the answer of {NEWEST}")
    for reason, count in Counter(differences.values()).most_common():
        names = [name for name, found in differences.items() if found == reason]
        console.print(f"  {count} {reason}: {', '.join(names)}")


if __name__ == "__main__":
    sys.exit(main())
