"""Restarts: a query continues after the changes that its checkpoint can follow, and is refused after all others."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlparse

import attrs
import pytest
from pyspark.sql import SparkSession

from tableapi import StreamOptions, TableDescriptor, TableEnvironment, TableException, TableResult
from tableapi.exceptions import ValidationException
from tableapi.spark.streaming.checkpoints import RECORD
from tests.streams.conftest import Drops

NOOP = TableDescriptor.for_connector("noop").build()

BASES = {
    "rows": "SELECT id, k FROM events",
    "counts": "SELECT k, COUNT(*) AS n FROM events GROUP BY k",
    "sums": "SELECT k, SUM(id) AS n FROM events GROUP BY k",
    "windows": "SELECT w, k, COUNT(*) AS n FROM (SELECT window(ts, '10 seconds') AS w, k FROM events) GROUP BY w, k",
    "distinct": "SELECT DISTINCT k FROM events",
    "shared": "WITH late AS (SELECT id, k FROM events WHERE id > 1) SELECT k, COUNT(id) AS n FROM (SELECT * FROM late "
    "WHERE id < 5 UNION ALL SELECT * FROM late WHERE id >= 3) GROUP BY k",
}
# A base, the changed query, and the reason why it is refused; None if it runs. Spark itself would run those that are
# marked with +, and mix two meanings in one state.
CHANGES: list[tuple[str, str, str | None]] = [
    ("rows", "SELECT id, k FROM events WHERE id > 3", None),
    ("rows", "SELECT id * 2 AS id, UPPER(k) AS k FROM events", None),
    ("rows", "SELECT id, k, ts FROM events", r"The columns were \(id bigint, k string\), and are \(id bigint, k str"),
    ("rows", "SELECT k, COUNT(*) AS n FROM events GROUP BY k", r"The state: there were none, and there are the aggreg"),
    ("rows", "SELECT id, k FROM events UNION ALL SELECT id, UPPER(k) FROM events", "The sources: there were the files"),
    # Two equal inputs are one query of WITH, whose source has one offset.
    ("rows", "SELECT id, k FROM events UNION ALL SELECT id, k FROM events", None),
    ("counts", "SELECT k, COUNT(*) AS n FROM events WHERE id > 3 GROUP BY k", None),
    ("counts", "SELECT k, COUNT(*) AS n FROM events GROUP BY k HAVING COUNT(*) > 1", None),
    ("counts", "SELECT k, COUNT(*) + 1 AS n FROM events GROUP BY k", None),
    ("counts", "SELECT k, COUNT(id) AS n FROM events GROUP BY k", r"\[count\(1\)\] by \[k\] became .*\[count\(id\)\]"),
    ("counts", "SELECT k, COUNT(*) AS n FROM events GROUP BY k, id", r"by \[k\] became .* by \[k, id\]"),
    # +
    (
        "counts",
        "SELECT k, COUNT(*) AS n FROM (SELECT UPPER(k) AS k FROM events) GROUP BY k",
        r"\[count\(1\)\] by \[k\] is computed from other columns",
    ),
    # +
    (
        "sums",
        "SELECT k, SUM(id) AS n FROM (SELECT id * 2 AS id, k FROM events) GROUP BY k",
        r"\[sum\(id\)\] by \[k\] is computed from other columns",
    ),
    # +
    (
        "windows",
        "SELECT w, k, COUNT(*) AS n FROM (SELECT window(ts, '20 seconds') AS w, k FROM events) GROUP BY w, k",
        "computed from other columns or by other expressions",
    ),
    ("distinct", "SELECT k FROM events", r"The state: there were .*, and there are none"),
    ("shared", BASES["shared"].replace("id > 1", "id > 2 AND k <> 'z'"), None),
    ("shared", BASES["shared"].replace("COUNT(id)", "SUM(id)"), r"\[count\(id\)\] by \[k\] became .*\[sum\(id\)\]"),
    # +
    (
        "shared",
        BASES["shared"].replace("SELECT id, k FROM", "SELECT id, UPPER(k) AS k FROM"),
        r"\[count\(id\)\] by \[k\] is computed from other columns",
    ),
]


@attrs.frozen
class Runs:
    """Checkpoints of queries that have read two files, in an environment with the view ``events``."""

    env: TableEnvironment
    folder: Path

    def start(self, query: str, checkpoint: Path, mode: str = "update") -> TableResult:
        options = StreamOptions(trigger="available-now", checkpoint=checkpoint, output_mode=mode)
        return self.env.sql_query(query).execute_insert(NOOP, options=options)

    def copy(self, base: str, to: Path) -> Path:
        """Return a copy of the checkpoint of a base."""
        return Path(shutil.copytree(self.folder / base, to / base))


@pytest.fixture(scope="module")
def runs(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    env = TableEnvironment.create(spark=spark.newSession())
    folder = tmp_path_factory.mktemp("checkpoints")
    directory = tmp_path_factory.mktemp("drops")
    drops = Drops(env, directory)
    drops.drop((1, "a", 1), (2, "b", 2))
    env.create_temporary_view("events", drops.stream())
    found = Runs(env, folder)
    for name, query in BASES.items():
        assert found.start(query, folder / name).wait()
    drops.drop((3, "a", 31), (4, "b", 32))
    yield found
    env.drop_temporary_view("events")


def _contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(("base", "query", "reason"), CHANGES, ids=[f"{base}: {query}" for base, query, _ in CHANGES])
def test_a_changed_query(runs: Runs, tmp_path: Path, base: str, query: str, reason: str | None) -> None:
    checkpoint = runs.copy(base, tmp_path)
    before = _contents(checkpoint)
    if reason is None:
        result = runs.start(query, checkpoint)
        assert result.wait()
        # It has read the second file alone, of which Spark's reader leaves a row out that the filter rejects.
        # A source that is read twice counts twice.
        expected = 1 if "WHERE id > 3" in query else 4 if "UNION ALL" in query else 2
        assert [record.rows_in for record in result.progress() if record.rows_in] == [expected]
        assert result.progress()[0].batch > 0
        assert json.loads((checkpoint / RECORD).read_text())["query"] != json.loads(before[RECORD])["query"]
        return
    with pytest.raises(ValidationException, match=reason) as raised:
        runs.start(query, checkpoint)
    assert "The changes of the query:" in str(raised.value)
    assert _contents(checkpoint) == before


def test_the_changes_are_told_in_words(runs: Runs, tmp_path: Path) -> None:
    checkpoint = runs.copy("sums", tmp_path)
    with pytest.raises(ValidationException) as raised:
        runs.start("SELECT k, SUM(id) AS n FROM events WHERE id > 1 GROUP BY k, id", checkpoint, "complete")
    assert str(raised.value).splitlines() == [
        f"The query changed, and its checkpoint {checkpoint} does not fit it any more:",
        "  The output mode was update, and is complete.",
        "  The state: the aggregates [sum(id)] by [k] became the aggregates [sum(id)] by [k, id].",
        "The changes of the query:",
        "  A filter was added: `id` > 1.",
        "  In the aggregation, `id` was added.",
        "  A projection was added: `k`, `n`.",
        "  The columns of the result are the same.",
        "Filters and projections may change. For another change, start a new query: give it a name or a checkpoint and "
        "a sink of its own. Nothing was started.",
    ]


def _remove(name: str) -> Callable[[Path], None]:
    def remove(checkpoint: Path) -> None:
        path = checkpoint / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    return remove


def _write(name: str, text: str) -> Callable[[Path], None]:
    return lambda checkpoint: (checkpoint / name).write_text(text) and None


def _empty_last_commit(checkpoint: Path) -> None:
    max((path for path in (checkpoint / "commits").iterdir() if path.name.isdigit()), key=lambda p: p.name).write_text(
        ""
    )


def _as_newer(checkpoint: Path) -> None:
    found = json.loads((checkpoint / RECORD).read_text())
    (checkpoint / RECORD).write_text(json.dumps({**found, "format": 99, "tableapi": "9.1"}))


DAMAGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "no metadata": (_remove("metadata"), "its file 'metadata' is lost or corrupt"),
    "corrupt metadata": (_write("metadata", "{"), "its file 'metadata' is lost or corrupt"),
    "no offsets": (_remove("offsets"), r"batch \d is committed, and its offsets are lost"),
    "half an offset": (_write("offsets/0", ""), "the file offsets/0 is corrupt"),
    "half a commit": (_empty_last_commit, r"the file commits/\d is corrupt"),
    "no state": (_remove("state"), "the directory 'state' is lost"),
    "no record": (_remove(RECORD), "another program started a query with it, and it has no file tableapi.json"),
    "corrupt record": (_write(RECORD, '{"format": 1'), "its file tableapi.json is corrupt"),
    "strange record": (_write(RECORD, "[1]"), "its file tableapi.json is corrupt"),
    "newer record": (_as_newer, "version 9.1 of tableapi wrote it, and this is version"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_checkpoint(runs: Runs, tmp_path: Path, damage: str) -> None:
    apply, reason = DAMAGES[damage]
    checkpoint = runs.copy("counts", tmp_path)
    apply(checkpoint)
    before = _contents(checkpoint)
    with pytest.raises(TableException, match=reason):
        runs.start(BASES["counts"], checkpoint)
    assert _contents(checkpoint) == before


def test_a_lost_commit_repeats_the_batch(runs: Runs, tmp_path: Path) -> None:
    checkpoint = runs.copy("rows", tmp_path)
    for name in ("0", ".0.crc"):
        (checkpoint / "commits" / name).unlink()
    result = runs.start(BASES["rows"], checkpoint)
    assert result.wait()
    assert [record.batch for record in result.progress()] == [0, 1]


def test_a_file_that_was_deleted_before_it_was_read(runs: Runs, tmp_path: Path) -> None:
    checkpoint = runs.copy("rows", tmp_path)
    for name in ("0", ".0.crc"):
        (checkpoint / "commits" / name).unlink()
    (entry,) = [json.loads(line) for line in (checkpoint / "sources" / "0" / "0").read_text().splitlines()[1:]]
    path = Path(urlparse(entry["path"]).path)
    before = _contents(checkpoint)
    hidden = path.rename(path.with_name(".hidden"))
    try:
        with pytest.raises(TableException, match=rf"batch 0 is not finished and reads the file {re.escape(str(path))}"):
            runs.start(BASES["rows"], checkpoint)
    finally:
        hidden.rename(path)
    assert _contents(checkpoint) == before


def test_a_crash_before_the_first_offsets(runs: Runs, tmp_path: Path) -> None:
    checkpoint = runs.copy("rows", tmp_path)
    for log in ("offsets", "commits", "sources"):
        shutil.rmtree(checkpoint / log)
    # Spark writes offsets under this name first. With it, Spark refuses to start: "should be empty on batch 0".
    (checkpoint / "offsets").mkdir()
    (checkpoint / "offsets" / ".0.5a1ff7c1-2d43-4b4c-9d5f-c3f3a29f6a57.tmp").write_text("v1\n{")
    result = runs.start(BASES["rows"], checkpoint)
    assert result.wait()
    assert [record.batch for record in result.progress()] == [0, 1]


def test_directories_of_others_are_refused(runs: Runs, tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a.txt").write_text("Dear Ada")
    with pytest.raises(TableException, match=r"the directory has other files, such as 'a\.txt'"):
        runs.start(BASES["rows"], tmp_path / "letters")
    assert [path.name for path in (tmp_path / "letters").iterdir()] == ["a.txt"]
    (tmp_path / "file").write_text("")
    with pytest.raises(TableException, match="cannot be written"):
        runs.start(BASES["rows"], tmp_path / "file")


def test_a_checkpoint_belongs_to_one_sink_and_one_running_query(runs: Runs, tmp_path: Path) -> None:
    checkpoint = runs.copy("rows", tmp_path)
    options = StreamOptions(checkpoint=checkpoint, output_mode="update")
    console = TableDescriptor.for_connector("console").build()
    with pytest.raises(ValidationException, match="that one, 'noop', writes to noop, and this one to the console"):
        runs.env.sql_query(BASES["rows"]).execute_insert(console, options=options)
    running = runs.env.sql_query(BASES["rows"]).execute_insert(NOOP, options=options)
    try:
        with pytest.raises(TableException, match="Another query runs with the checkpoint"):
            runs.start(BASES["rows"], checkpoint)
        assert running.is_running
    finally:
        running.stop()
    assert runs.start(BASES["rows"], checkpoint).wait()
