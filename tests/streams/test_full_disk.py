"""A query whose disk is full says so, loses nothing and writes nothing twice."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tableapi import StreamOptions, TableDescriptor, TableEnvironment
from tableapi.exceptions import SparkExecutionException, TableException
from tests.streams.conftest import Drops

pytestmark = pytest.mark.nightly

_ROWS = 4_000


def _mount(options: str, path: Path) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(path)], check=True, capture_output=True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system in memory with 100 kB, which only the administrator of a Linux system can make."""
    if sys.platform != "linux" or os.geteuid() or shutil.which("mount") is None:
        pytest.skip("only the administrator of a Linux system can make a small file system")
    path = tmp_path / "disk"
    path.mkdir()
    try:
        _mount("size=100k", path)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no file system can be mounted here: {error.stderr.decode()}")
    yield path
    # Spark may keep a file open that it could not write.
    subprocess.run(["umount", "--lazy", str(path)], check=True)


def test_a_full_disk_is_named_and_the_batch_is_repeated(
    env: TableEnvironment, drops: Drops, small_disk: Path, tmp_path: Path
) -> None:
    for first in range(0, _ROWS, _ROWS // 4):
        drops.drop(*[(i, "abc"[i % 3], i % 600) for i in range(first, first + _ROWS // 4)])
    files = TableDescriptor.for_connector("filesystem").format("json").option("path", str(small_disk / "out"))
    options = StreamOptions(trigger="available-now", checkpoint=tmp_path / "checkpoint")
    result = env.from_path("events").execute_insert(files.build(), options=options)
    with pytest.raises(SparkExecutionException, match=r"A disk is full while .* was written: No space left on device"):
        result.wait()
    _mount("remount,size=32m", small_disk)
    assert env.from_path("events").execute_insert(files.build(), options=options).wait()
    written = env.spark.read.schema("id BIGINT").json(str(small_disk / "out")).collect()
    assert sorted(row.id for row in written) == list(range(_ROWS))


def test_a_full_disk_of_the_checkpoint_is_named(env: TableEnvironment, drops: Drops, small_disk: Path) -> None:
    drops.drop(*[(i, f"key {i}", i % 600) for i in range(_ROWS)])
    (small_disk / "filler").write_bytes(bytes(80_000))
    counts = env.sql_query("SELECT k, COUNT(*) AS n FROM events GROUP BY k")
    options = StreamOptions(trigger="available-now", checkpoint=small_disk / "checkpoint", output_mode="update")
    noop = TableDescriptor.for_connector("noop").build()
    with pytest.raises(TableException, match="A disk is full"):
        counts.execute_insert(noop, options=options).wait()
    (small_disk / "filler").unlink()
    _mount("remount,size=32m", small_disk)
    assert counts.execute_insert(noop, options=options).wait()
