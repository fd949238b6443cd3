"""Streams in the files of a directory catalog: a table keeps that it is one, and a view keeps its watermark."""

from __future__ import annotations

from pathlib import Path

import pytest

from ir.streaming.refusals import OutputMode
from ir.streaming.rules import refusals_in
from tableapi import DirectoryCatalog, EnvironmentSettings, TableEnvironment
from tableapi.exceptions import CatalogException, TableException

_FILES = "'connector' = 'filesystem', 'path' = '/data/clicks', 'format' = 'json'"


def _environment(folder: Path, *, streaming: bool = False) -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    te = TableEnvironment.create((settings.in_streaming_mode() if streaming else settings).build())
    te.register_catalog("team", DirectoryCatalog("team", str(folder)))
    te.use_catalog("team")
    return te


def test_a_stream_and_a_view_over_it_are_read_back(tmp_path: Path) -> None:
    te = _environment(tmp_path)
    columns = "(page STRING, at TIMESTAMP_LTZ(3))"
    te.execute_sql(f"CREATE TABLE clicks {columns} WITH ({_FILES}, 'streaming' = 'true')")
    te.execute_sql(f"CREATE TABLE pages {columns} WITH ({_FILES}, 'streaming' = 'false')")
    te.execute_sql("CREATE VIEW late AS SELECT page, at FROM clicks WATERMARK at DELAY OF INTERVAL 1 HOUR")
    _environment(tmp_path, streaming=True).execute_sql(f"CREATE TABLE by_mode {columns} WITH ({_FILES})")
    (text,) = [path.read_text() for path in tmp_path.rglob("clicks.sql")]
    assert "OPTIONS ('streaming' = 'true')" in text

    again = _environment(tmp_path)
    unbounded = {name: again.from_path(name).query_operation.is_unbounded for name in ("clicks", "pages", "by_mode")}
    assert unbounded == {"clicks": True, "pages": False, "by_mode": True}
    counts = again.sql_query("SELECT page, COUNT(*) AS n FROM late GROUP BY page, WINDOW(at, '1 hour')")
    assert refusals_in(OutputMode.APPEND, counts.query_operation) == ()


def test_what_a_file_does_not_keep(tmp_path: Path) -> None:
    te = _environment(tmp_path)
    with pytest.raises(TableException, match=r"has a watermark, which a directory catalog does not keep\..*and a view"):
        te.execute_sql(
            "CREATE TABLE clicks (page STRING, at TIMESTAMP_LTZ(3), WATERMARK FOR at AS at - INTERVAL '10' SECOND) "
            f"WITH ({_FILES}, 'streaming' = 'true')"
        )
    with pytest.raises(TableException, match="a table of the connector 'rate', which a directory catalog does not"):
        te.execute_sql("CREATE TABLE ticks (timestamp TIMESTAMP_LTZ, value BIGINT) WITH ('connector' = 'rate')")
    te.execute_sql(f"CREATE TABLE clicks (page STRING) WITH ({_FILES}, 'streaming' = 'true')")
    (path,) = tmp_path.rglob("clicks.sql")
    path.write_text(path.read_text().replace("'true'", "'maybe'"))
    with pytest.raises(CatalogException, match="The option 'streaming' is 'true' or 'false', but is 'maybe'"):
        _environment(tmp_path).from_path("clicks")
