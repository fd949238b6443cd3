"""The embedded session and the lock of its metastore."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ir.errors import TableException
from tableapi.spark import metastore_lock
from tableapi.spark.metastore_lock import MetastoreLock, derby_holder, read_holder
from tableapi.spark.session import embedded_session, is_embedded

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def directory_of(spark: SparkSession) -> Path:
    warehouse = spark.conf.get("spark.sql.warehouse.dir")
    assert warehouse is not None
    return Path(warehouse.removeprefix("file:")).parent


def in_new_process(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_session_is_shared(spark: SparkSession) -> None:
    assert embedded_session() is spark
    assert embedded_session(directory_of(spark), "UTC") is spark
    assert is_embedded(spark)
    assert is_embedded(spark.newSession())
    assert not is_embedded(object())


@pytest.mark.usefixtures("jvm")
def test_an_early_start_is_waited_for_and_its_failure_is_raised_by_who_asks(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; from tableapi.spark import session\n"
        "directory = Path({!r})\n"
        "session.begin_embedded_session(directory)\n"
        "print('goes on', flush=True)\n"
        "print(session.embedded_session(directory).range(3).count())"
    )
    started = in_new_process(code.format(str(tmp_path / "home")))
    assert started.stdout.split("\n") == ["goes on", "3", ""], started.stderr
    (tmp_path / "file").write_text("")
    failed = in_new_process(code.format(str(tmp_path / "file" / "home")))
    assert failed.stdout == "goes on\n"
    assert "file" in failed.stderr.splitlines()[-1], failed.stderr
    assert failed.stderr.count("Traceback") == 1, failed.stderr


def test_fixed_settings(spark: SparkSession) -> None:
    assert spark.conf.get("spark.sql.session.timeZone") == "UTC"
    assert spark.conf.get("spark.sql.catalogImplementation") == "hive"
    assert spark.sql("SELECT '${x}' AS v, CAST('12:30:00' AS TIME) AS t").first() is not None
    assert not Path("spark-warehouse").exists()
    assert not Path("metastore_db").exists()
    assert not Path("artifacts").exists()


def test_deeply_nested_text_runs(spark: SparkSession) -> None:
    text = "SELECT 1 AS a"
    for _ in range(400):
        text = f"SELECT * FROM ({text})"
    assert spark.sql(text).collect()[0].a == 1


def test_python_workers_run_this_interpreter(spark: SparkSession) -> None:
    from pyspark.sql.functions import udf

    executable = udf(lambda _: sys.executable, "string")
    assert spark.range(1).select(executable("id").alias("x")).collect()[0].x == sys.executable


def test_another_directory_is_refused_naming_both(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(TableException) as caught:
        embedded_session(tmp_path / "other")
    assert str(directory_of(spark)) in str(caught.value)
    assert str(tmp_path / "other") in str(caught.value)


def test_another_time_zone_is_refused_naming_both(spark: SparkSession) -> None:
    with pytest.raises(TableException, match=r"time zone UTC, and Europe/Berlin"):
        embedded_session(time_zone="Europe/Berlin")


def test_the_holder_of_the_metastore_is_reported(spark: SparkSession) -> None:
    code = """
import sys
sys.addaudithook(lambda event, arguments: event == "subprocess.Popen" and print("starts", arguments[0]))
from tableapi.spark.session import embedded_session
embedded_session()
"""
    run = in_new_process(code, TABLEAPI_HOME=str(directory_of(spark)))
    assert run.returncode == 1
    # Neither Spark's JVM nor one that reports its version is started only to find that out.
    assert run.stdout == ""
    message = run.stderr.strip().splitlines()[-1]
    holder = read_holder(directory_of(spark) / "metastore.lock")
    assert holder is not None
    assert holder.pid == os.getpid()
    assert f"in use by {holder}" in message
    assert f"kill {os.getpid()}" in message
    assert "TABLEAPI_HOME" in message


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="only Linux lists the locks")
def test_stranger_with_derby_open_is_found(spark: SparkSession) -> None:
    spark.sql("SHOW TABLES").collect()
    holder = derby_holder(directory_of(spark))
    assert holder is not None
    assert "java" in holder.command
    assert holder.pid > 0


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="only Linux lists the locks")
def test_stranger_is_found_while_another_process_waits_for_a_lock(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spark.sql("SHOW TABLES").collect()
    locks = tmp_path / "locks"
    waiting = "7: FLOCK  ADVISORY  WRITE 11 fe:00:99 0 EOF\n7: -> FLOCK  ADVISORY  WRITE 12 fe:00:99 0 EOF\n"
    locks.write_text(waiting + Path("/proc/locks").read_text())
    monkeypatch.setattr(metastore_lock, "_LOCKS", locks)
    holder = derby_holder(directory_of(spark))
    assert holder is not None
    assert holder.pid > 0


def test_stranger_with_derby_open_is_refused(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spark.sql("SHOW TABLES").collect()
    monkeypatch.setattr(metastore_lock, "_DERBY_PATIENCE_SECONDS", 0.0)
    (tmp_path / "metastore").symlink_to(directory_of(spark) / "metastore")
    with pytest.raises(TableException, match="is in use by "):
        MetastoreLock.acquire(tmp_path)
    # The failed attempt released the lock.
    (tmp_path / "metastore").unlink()
    MetastoreLock.acquire(tmp_path).release()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import os; os.environ['SPARK_REMOTE'] = 'sc://host'", "uses Spark Connect"),
        ("import os; os.environ['PYSPARK_GATEWAY_PORT'] = '1'", "started by spark-submit"),
        (
            "from pyspark import SparkContext; from types import SimpleNamespace as N; "
            "SparkContext._active_spark_context = N(appName='mine', master='local')",
            r"already runs Spark \(application 'mine' on local\)",
        ),
        ("from pyspark import SparkContext; SparkContext._gateway = object()", "session that has been stopped"),
    ],
)
def test_other_spark_is_refused(code: str, expected: str, tmp_path: Path) -> None:
    run = in_new_process(
        f"{code}\nfrom tableapi.spark.session import embedded_session\n"
        "try:\n    embedded_session()\n"
        "except Exception as error:\n    print(type(error).__name__, error)",
        TABLEAPI_HOME=str(tmp_path),
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("TableException")
    assert "create(spark=...)" in run.stdout
    assert re.search(expected, run.stdout)
    assert not (tmp_path / "metastore.lock").exists()


@pytest.mark.nightly
@pytest.mark.usefixtures("jvm")
def test_a_file_of_errors_keeps_what_is_written_before_and_after(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom tableapi import TableEnvironment\nprint('before', file=sys.stderr)\n"
        f"te = TableEnvironment.create(warehouse={str(tmp_path / 'warehouse')!r})\n"
        "te.spark._jvm.java.lang.System.err.println('of the JVM')\nprint('after', file=sys.stderr)\n"
    )
    path = tmp_path / "errors.txt"
    with path.open("w") as errors:
        subprocess.run([sys.executable, "-c", code], stderr=errors, check=True)
    lines = path.read_text().splitlines()
    assert [line for line in lines if line in ("before", "of the JVM", "after")] == ["before", "of the JVM", "after"]


def test_stopping_without_a_session_loads_no_spark() -> None:
    run = in_new_process(
        "import sys; from tableapi.spark.session import stop_embedded_session, embedded_session\n"
        "stop_embedded_session(); print('pyspark' in sys.modules)"
    )
    assert run.stdout == "False\n", run.stderr


def test_lock_is_free_after_release_and_names_its_holder(tmp_path: Path) -> None:
    lock = MetastoreLock.acquire(tmp_path / "new")
    assert lock.held
    assert json.loads(lock.path.read_text())["pid"] == os.getpid()
    with pytest.raises(TableException, match=f"in use by process {os.getpid()} "):
        MetastoreLock.acquire(tmp_path / "new")
    lock.release()
    lock.release()
    assert not lock.held
    MetastoreLock.acquire(tmp_path / "new").release()


def test_lock_ends_with_its_process(tmp_path: Path) -> None:
    run = in_new_process(
        "import os, pathlib; from tableapi.spark.metastore_lock import MetastoreLock\n"
        f"MetastoreLock.acquire(pathlib.Path({str(tmp_path)!r})); os._exit(9)"
    )
    assert run.returncode == 9, run.stderr
    holder = read_holder(tmp_path / "metastore.lock")
    assert holder is not None
    MetastoreLock.acquire(tmp_path).release()


def test_holder_that_wrote_nothing_is_another_process(tmp_path: Path) -> None:
    lock = MetastoreLock.acquire(tmp_path)
    lock.path.write_text("")
    with pytest.raises(TableException, match="in use by another process"):
        MetastoreLock.acquire(tmp_path)
    lock.release()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_forked_child_does_not_keep_the_lock(tmp_path: Path) -> None:
    run = in_new_process(
        "import os, pathlib, time; from tableapi.spark.metastore_lock import MetastoreLock\n"
        f"lock = MetastoreLock.acquire(pathlib.Path({str(tmp_path)!r}))\n"
        "if os.fork() == 0:\n    os.close(1); os.close(2); time.sleep(20); os._exit(0)\n"
    )
    assert run.returncode == 0, run.stderr
    MetastoreLock.acquire(tmp_path).release()


def test_directory_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TableException, match=r"cannot be written: .*TABLEAPI_HOME"):
        MetastoreLock.acquire(tmp_path / "file")
