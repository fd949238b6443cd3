"""QUALIFY filters the columns of the SELECT: the condition names them, and computes none of them again."""

from __future__ import annotations

import pytest

from tests.sql.corpus import ENVIRONMENT

TEXTS = {
    "a column of the SELECT": (
        "SELECT e, rank() OVER (ORDER BY ts) AS r FROM events QUALIFY r = 1",
        "SELECT e, RANK() OVER (ORDER BY ts) AS r FROM events",
        "SELECT * FROM events_windowed WHERE r = 1",
    ),
    "the same value written twice": (
        "SELECT e, rank() OVER (ORDER BY ts) AS r FROM events QUALIFY rank() OVER (ORDER BY ts) = 1",
        "SELECT e, RANK() OVER (ORDER BY ts) AS r FROM events",
        "SELECT * FROM events_windowed WHERE r = 1",
    ),
    "a value of QUALIFY alone, and only the columns that are needed": (
        "SELECT e FROM events QUALIFY rank() OVER (ORDER BY ts) = 1",
        "SELECT e, RANK() OVER (ORDER BY ts) AS EXPR$0 FROM events",
        "SELECT e FROM events_windowed WHERE EXPR$0 = 1",
    ),
    "a column of FROM": (
        "SELECT 1 AS one, rank() OVER (ORDER BY e) AS r FROM events QUALIFY r = 1 AND ts IS NOT NULL",
        "SELECT 1 AS one, RANK() OVER (ORDER BY e) AS r, ts FROM events",
        "SELECT one, r FROM events_windowed WHERE r = 1 AND ts IS NOT NULL",
    ),
    "groups": (
        "SELECT y, sum(x) AS s, rank() OVER (ORDER BY sum(x)) AS r FROM left_bag GROUP BY y QUALIFY r = 1 ORDER BY s",
        "SELECT y, SUM(x) AS s, RANK() OVER (ORDER BY SUM(x)) AS r FROM left_bag GROUP BY y",
        "SELECT * FROM left_bag_by_y WHERE r = 1 ORDER BY s",
    ),
}


@pytest.mark.parametrize("case", TEXTS)
def test_the_condition_reads_the_columns_of_the_select(case: str) -> None:
    written, step, rest = TEXTS[case]
    assert _plain(written) == f"WITH {rest.split()[rest.split().index('FROM') + 1]} AS ( {step} ) {rest}"


def test_a_window_over_an_aggregate_function_is_no_key_of_group_by_all() -> None:
    text = _plain("SELECT y, count(*) OVER () AS n FROM left_bag GROUP BY ALL")
    assert text == "SELECT y, COUNT(1) OVER () AS n FROM left_bag GROUP BY y"


def test_having_beside_a_window_names_no_key_that_has_the_name_of_another_column() -> None:
    text = _plain(
        "SELECT sum(x) AS y, rank() OVER (ORDER BY left_bag.y) AS r FROM left_bag GROUP BY y HAVING left_bag.y > 'a'"
    )
    assert text == (
        "WITH left_bag_by_y AS ( SELECT y, SUM(x) AS EXPR$0 FROM left_bag GROUP BY y HAVING y > 'a' ) "
        "SELECT EXPR$0 AS y, RANK() OVER (ORDER BY y) AS r FROM left_bag_by_y"
    )


def _plain(text: str) -> str:
    """Return the MERGED text of a query in one line, without quotes and without the database."""
    merged = ENVIRONMENT.sql_query(text).as_serializable_string(layout="MERGED")
    words = " ".join(merged.replace("`", "").split())
    return words.replace("spark_catalog.", "").replace(f"{ENVIRONMENT.get_current_database()}.", "")
