"""Write what the older versions of Spark lack: ``python -m tests.versions [VERSION ...]``.

Asks the newest Spark and each version the same questions, and writes a file for each version, which the dialect reads.
With ``--functions``, replaces the entries of some functions; with ``--syntax``, those of all forms of syntax. With
``--check``, writes nothing, and compares the answers with the files, and with what this library writes for each
version. ``make versions`` makes the environments.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from ir.errors import SuspiciousCastWarning
from ir.functions.builtins import BUILT_INS
from tests.versions.agreement import Agreement, agreement, contradictions
from tests.versions.calls import CALLS, Asked, calls_of_files, functions_to_ask
from tests.versions.facts import Answers, answers_to_probes, ask, differences, other_syntax, prepare
from tests.versions.files import ASKED, merged, path_of, read, write
from tests.versions.sparks import NEWEST, OTHERS, SPARKS, Spark, python_of

_COLUMNS = (
    *("Spark", "calls", "refused by name", "written otherwise", "explained"),
    *("acceptance", "type", "nullability", "file"),
)
# So many disagreements of a version are printed.
_SHOWN = 100


def main() -> int:
    """Ask, and write or check; return the exit status, 0 if every difference is explained, and every check holds."""
    parser = argparse.ArgumentParser(prog="python -m tests.versions", description=__doc__)
    parser.add_argument("versions", nargs="*", help=f"some of {', '.join(OTHERS)}; all of them by default")
    parser.add_argument("--calls", type=int, default=CALLS, help="about how many calls of each function")
    parser.add_argument("--check", action="store_true", help="compare the answers with the files, and write none")
    parser.add_argument("--functions", nargs="+", metavar="NAME", help="ask about calls of these definitions alone")
    parser.add_argument("--syntax", action="store_true", help="ask about the forms of syntax alone")
    given = parser.parse_args()
    # The calls have arguments of all types.
    warnings.simplefilter("ignore", SuspiciousCastWarning)
    versions = given.versions or list(OTHERS)
    unknown = [version for version in versions if version not in OTHERS or python_of(version) is None]
    if unknown:
        parser.error(f"no environment for Spark {', '.join(unknown)}; make versions makes those of {', '.join(OTHERS)}")
    absent = sorted({*(given.functions or ())} - {definition.name for definition in BUILT_INS})
    if absent:
        parser.error(f"no function is defined as {', '.join(absent)}")
    console = Console(highlight=False, markup=False, width=160)
    if given.syntax:
        _write_syntax(versions)
        return 0
    calls = calls_of_files(given.calls, given.functions)
    with Spark(NEWEST) as spark:
        prepare(spark)
        newest = ask(spark, calls)
    if given.check:
        return _check(console, versions, newest, calls)
    unexplained = 0
    for version in versions:
        with Spark(version) as spark:
            prepare(spark)
            answers = ask(spark, calls, newest)
        found = differences(answers, newest, calls, is_spark=version in SPARKS)
        if given.functions:
            found = merged(read(version), found, given.functions)
        write(path_of(version), found)
        unexplained += len(found["unexplained"])
        counts = ", ".join(f"{len(value)} {key}" for key, value in found.items() if not isinstance(value, str))
        console.print(f"Spark {answers.release}: {len(answers.types):,} calls asked; {counts}")
    if set(versions) == set(OTHERS) and not given.functions:
        ASKED.write_text("".join(f"{name}\n" for name in functions_to_ask()), encoding="utf-8")
    return 1 if unexplained else 0


def _write_syntax(versions: Sequence[str]) -> None:
    """Replace the forms of syntax in the files of versions."""
    answers = {}
    for version in (NEWEST, *versions):
        with Spark(version) as spark:
            prepare(spark)
            answers[version] = answers_to_probes(spark)
    for version in versions:
        write(path_of(version), read(version) | {"syntax": other_syntax(answers[version], answers[NEWEST])})


def _check(console: Console, versions: Sequence[str], newest: Answers, calls: Sequence[Asked]) -> int:
    """Compare versions with their files and with what this library writes for them; print counts and what differs."""
    table = Table(*_COLUMNS)
    is_right = True
    for version in versions:
        content = read(version)
        with Spark(version) as spark:
            prepare(spark)
            answers = ask(spark, calls, newest)
            # Another engine differs in many calls with unusual arguments, which its file leaves out.
            agreed = agreement(spark, answers, newest, calls, content) if version in SPARKS else None
        wrong = contradictions(content, answers, newest, calls if version in SPARKS else ())
        row = [answers.release, *_counts(agreed), str(len(wrong))]
        table.add_row(*row)
        console.print(", ".join(f"{column} {count}" for column, count in zip(_COLUMNS, row, strict=True) if count))
        wrong += agreed.disagreements if agreed is not None else []
        for line in wrong[:_SHOWN]:
            console.print(f"  {line}")
        is_right &= not wrong
    console.print(table)
    return 0 if is_right else 1


def _counts(found: Agreement | None) -> list[str]:
    if found is None:
        return [""] * (len(_COLUMNS) - 2)
    numbers = (found.calls, found.refused, found.rewritten, found.explained)
    return [f"{n:,}" for n in (*numbers, len(found.acceptance), len(found.types), len(found.nullability))]


if __name__ == "__main__":
    sys.exit(main())
