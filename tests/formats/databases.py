"""Databases for tests: Derby in the JVM of Spark, and PostgreSQL in a directory of its own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

DERBY = "jdbc:derby:memory:formats;create=true"
DERBY_DRIVER = "org.apache.derby.jdbc.EmbeddedDriver"
POSTGRES_DRIVER = "org.postgresql.Driver"
POSTGRES_JAR = Path("/usr/share/java/postgresql.jar")


def run_in_derby(spark: SparkSession, *statements: str) -> None:
    """Run statements in Derby."""
    jvm: Any = spark._jvm
    connection = jvm.org.apache.derby.jdbc.EmbeddedDriver().connect(DERBY, jvm.java.util.Properties())
    for text in statements:
        connection.createStatement().execute(text)
    connection.close()


def postgres_programs() -> Path | None:
    """Return the directory of PostgreSQL's programs; None if they or the driver are not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found and POSTGRES_JAR.exists() else None


@contextmanager
def postgres(spark: SparkSession) -> Iterator[tuple[str, Path, int]]:
    """Start a PostgreSQL on a free port, and give the session its driver.

    Yields:
        the URL of the database, the directory of PostgreSQL's programs, and the port.
    """
    with postgres_alone() as started:
        spark.sql(f"ADD JAR '{POSTGRES_JAR}'")
        yield started


@contextmanager
def postgres_alone() -> Iterator[tuple[str, Path, int]]:
    """Start a PostgreSQL on a free port, for programs with sessions of their own.

    Yields:
        the URL of the database, the directory of PostgreSQL's programs, and the port.
    """
    programs = postgres_programs()
    assert programs is not None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # PostgreSQL refuses to run as root, and other users cannot enter the directories of pytest.
    user = "postgres" if os.geteuid() == 0 else None
    directory = Path(tempfile.mkdtemp(prefix="tableapi_postgres_"))
    data, log, secret = directory / "data", directory / "log", directory / "password"
    secret.write_text("s3cret")
    if user is not None:
        shutil.chown(directory, user)
        shutil.chown(secret, user)
    _run([programs / "initdb", "-D", data, "-U", "ann", "-A", "scram-sha-256", f"--pwfile={secret}"], user)
    options = f"-p {port} -k {directory} -c listen_addresses=127.0.0.1 -c fsync=off"
    _run([programs / "pg_ctl", "-D", data, "-l", log, "-w", "-o", options, "start"], user)
    try:
        yield f"jdbc:postgresql://127.0.0.1:{port}/postgres", programs, port
    finally:
        _run([programs / "pg_ctl", "-D", data, "-m", "immediate", "stop"], user)
        shutil.rmtree(directory)


def _run(command: list[Any], user: str | None) -> None:
    subprocess.run(list(map(str, command)), check=True, user=user, stdout=subprocess.DEVNULL, cwd="/")


def run_in_postgres(programs: Path, port: int, text: str) -> str:
    """Run a statement in PostgreSQL, and return its rows."""
    command = [programs / "psql", "-h", "127.0.0.1", "-p", port, "-U", "ann", "-d", "postgres", "-At", "-c", text]
    made = subprocess.run(
        list(map(str, command)), check=True, capture_output=True, text=True, env={**os.environ, "PGPASSWORD": "s3cret"}
    )
    return made.stdout.strip()
