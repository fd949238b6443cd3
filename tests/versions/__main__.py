"""Write what the older versions of Spark lack: ``python -m tests.versions [VERSION ...] [--calls N]``.

Asks the newest Spark and each version the same questions, and writes a file for each version, which the dialect reads.
``make versions`` makes the environments of the versions.
"""

from __future__ import annotations

import argparse
import sys

from rich.console import Console

from tests.versions.calls import CALLS, calls_of_files, functions_to_ask
from tests.versions.facts import Answers, ask, differences, prepare
from tests.versions.files import ASKED, path_of, write
from tests.versions.sparks import NEWEST, OTHERS, SPARKS, Spark, python_of


def main() -> int:
    """Ask and write; return the exit status, 0 if traits explain every difference."""
    parser = argparse.ArgumentParser(prog="python -m tests.versions", description=__doc__)
    parser.add_argument("versions", nargs="*", help=f"some of {', '.join(OTHERS)}; all of them by default")
    parser.add_argument("--calls", type=int, default=CALLS, help="about how many calls of each function")
    given = parser.parse_args()
    versions = given.versions or list(OTHERS)
    unknown = [version for version in versions if version not in OTHERS or python_of(version) is None]
    if unknown:
        parser.error(f"no environment for Spark {', '.join(unknown)}; make versions makes those of {', '.join(OTHERS)}")
    console = Console(highlight=False)
    calls = calls_of_files(given.calls)
    newest: Answers | None = None
    unexplained = 0
    for version in (NEWEST, *versions):
        with Spark(version) as spark:
            prepare(spark)
            answers = ask(spark, calls, newest)
        if newest is None:
            newest = answers
            continue
        found = differences(answers, newest, calls, is_spark=version in SPARKS)
        write(path_of(version), found)
        unexplained += len(found["unexplained"])
        counts = ", ".join(f"{len(value)} {key}" for key, value in found.items() if not isinstance(value, str))
        console.print(f"Spark {answers.release}: {len(answers.types):,} calls asked; {counts}")
    if set(versions) == set(OTHERS):
        ASKED.write_text("".join(f"{name}\n" for name in functions_to_ask()), encoding="utf-8")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
