"""The watermark of a query: kept in the tree, written back, compared; refused in Flink's SQL."""

from __future__ import annotations

import pytest

from tableapi import Table, TableException, diff
from tests.programs.tables import environment_without_spark

ENV = environment_without_spark()
LATE = "SELECT k, ts FROM programs.events WATERMARK ts DELAY OF INTERVAL 90 SECONDS AS late WHERE late.k = 'a'"


def _query(text: str) -> Table:
    return ENV.sql_query(text)


def test_watermark_in_the_tree() -> None:
    assert "Watermark: (column: [ts], delay: [INTERVAL 90000000 microseconds])" in repr(_query(LATE).query_operation)


@pytest.mark.parametrize("layout", ["NESTED", "MERGED"])
def test_its_text_is_read_back(layout: str) -> None:
    query = _query(LATE)
    text = query.as_serializable_string(layout=layout)  # type: ignore[arg-type]  # a name of a layout
    assert text.count("WATERMARK `ts` DELAY OF INTERVAL '90' SECOND") == 1
    assert _query(text).query_operation.normalize() is query.query_operation.normalize()


def test_flink_text_is_rejected() -> None:
    with pytest.raises(TableException, match=r"CREATE TABLE, WATERMARK FOR `ts` AS `ts` - INTERVAL '90.000' SECOND"):
        _query(LATE).as_serializable_string("FLINK")


def test_python_code_contains_sql() -> None:
    assert "WATERMARK" in _query(LATE).to_python()


def test_a_changed_delay_is_one_change() -> None:
    found = diff(_query(LATE), _query(LATE.replace("90", "120")))
    assert "watermark" in str(found)
    assert "delay" in str(found)
    assert len(found.changes) == 1
