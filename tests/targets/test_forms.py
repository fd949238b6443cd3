"""What replaces calls that older versions lack: Spark 4.3 has both, so it judges that they are equal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ir.errors import TableException
from ir.targets.forms import FORMS
from ir.targets.gaps import GAPS
from ir.targets.target import Target, targets
from tableapi import TableEnvironment
from tests.answers import Answers

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ANSWERS = Answers("forms_of_targets", "tests/targets/test_forms.py")
# At 02:30 on this day, America/New_York has no time.
_TIMES = (
    "TIMESTAMP_NTZ '2024-03-10 02:30:59.999999'",
    "TIMESTAMP_NTZ '1969-12-31 23:59:59.000001'",
    "TIMESTAMP_NTZ '0002-01-01 00:00:00'",
    "TIMESTAMP_NTZ '9999-12-31 23:59:59.999999'",
    "CAST(NULL AS TIMESTAMP_NTZ)",
)
_ORIGIN = "TIMESTAMP_NTZ '2001-01-01 00:07:00'"
_LENGTHS = (
    *("'1' MICROSECOND", "'7' SECOND", "'1' MINUTE", "'15' MINUTE", "'7' MINUTE", "'1' HOUR", "'5' HOUR", "'1' DAY"),
    *("'3' DAY", "'7' DAY", "'1 02:03:04.000005' DAY TO SECOND"),
)
_ROWS = (
    "VALUES (1, 'b', 2, CAST(NULL AS DOUBLE)), (1, CAST(NULL AS STRING), 1, 1.5D), (1, 'a', 1, 2.5D), "
    "(2, CAST(NULL AS STRING), 3, 0D), (3, 'c', CAST(NULL AS INT), 1D), (3, 'b', 1, 1D) AS t(g, x, n, d)"
)
_AGGREGATES = (
    *("LISTAGG(x) WITHIN GROUP (ORDER BY x)", "LISTAGG(x, ', ') WITHIN GROUP (ORDER BY x DESC)"),
    *("LISTAGG(x, '-') WITHIN GROUP (ORDER BY n, x)", "LISTAGG(x, '-') WITHIN GROUP (ORDER BY n DESC, x DESC)"),
    *("LISTAGG(DISTINCT x, '-') WITHIN GROUP (ORDER BY x)", "LISTAGG(x) FILTER (WHERE n = 1)"),
    *("SORT_ARRAY(COLLECT_UNION(ARRAY(x, x)))", "SORT_ARRAY(COLLECT_UNION(ARRAY(x, x)) RESPECT NULLS)"),
    "SORT_ARRAY(ARRAY_AGG(x) RESPECT NULLS)",
    "SORT_ARRAY(COLLECT_SET(x) RESPECT NULLS)",
)
_OVER = (
    *("COUNT(*)", "COUNT(x)", "SUM(n)", "AVG(d)", "MIN(x)", "MAX(d)", "STDDEV_SAMP(d)", "ARRAY_AGG(n)"),
    *("BOOL_AND(n > 1)", "BIT_OR(n)", "COUNT_IF(n > 1)"),
)
_DAYS = "VALUES (DATE '2024-03-09', 1), (DATE '2024-03-10', 2), (DATE '2024-03-12', 3), (NULL, 4) AS t(d, n)"
_DATED = f"VALUES {', '.join(f'({time})' for time in _TIMES)} AS t(x)"
_NULL_SUMS = (
    "x + NULL AS a, NULL + x AS b, x - NULL AS c, NULL - x AS d, TRY_ADD(x, NULL) AS e, TRY_ADD(NULL, x) AS f, "
    "TRY_SUBTRACT(x, NULL) AS g, TRY_SUBTRACT(NULL, x) AS h"
)
_OF_TIMES = {
    "date": "VALUES (DATE '2024-02-29'), (NULL) AS t(x)",
    "time": _DATED,
    "time with a zone": "VALUES (TIMESTAMP_LTZ '2024-02-29 00:00:00Z'), (NULL) AS t(x)",
}
CASES: dict[str, str] = {
    **{f"bucket {length}": f"SELECT TIME_BUCKET(INTERVAL {length}, x) AS v FROM {_DATED}" for length in _LENGTHS},
    "bucket with origin": f"SELECT TIME_BUCKET(INTERVAL '5' HOUR, x, {_ORIGIN}) AS v FROM {_DATED}",
    **{
        f"floor {unit}": f"SELECT FLOOR(x TO {unit}) AS v FROM {_DATED}"
        for unit in ("SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH", "QUARTER", "YEAR")
    },
    **{
        f"instant {length}": f"SELECT TIME_BUCKET(INTERVAL {length}, TIMESTAMP_LTZ '1969-12-31 23:59:59.000001Z') AS v"
        for length in ("'7' SECOND", "'15' MINUTE", "'5' HOUR")
    },
    **{
        f"name of {date}": f"SELECT DAYNAME({date}) AS d, MONTHNAME({date}) AS m"
        for date in ("DATE '2024-03-10'", "DATE '1582-10-04'", "CAST(NULL AS DATE)")
    },
    **{
        f"{bounds} around dates": "SELECT n, SUM(n) OVER "
        f"(ORDER BY d {order} RANGE BETWEEN {bounds}) AS v FROM {_DAYS} ORDER BY n"
        for order in ("ASC", "DESC")
        for bounds in (
            "INTERVAL '2' DAY PRECEDING AND CURRENT ROW",
            "UNBOUNDED PRECEDING AND INTERVAL '1' DAY FOLLOWING",
            "INTERVAL '1' MONTH PRECEDING AND INTERVAL '1' MONTH FOLLOWING",
        )
    },
    "structs": "SELECT NAMED_STRUCT('x', 1, 'y', x) = NAMED_STRUCT('a', 1, 'b', 'v') AS e "
    "FROM VALUES ('v'), ('w') AS t(x)",
    "ranges of structs": "SELECT NAMED_STRUCT('x', x) BETWEEN NAMED_STRUCT('a', 1) AND NAMED_STRUCT('b', 2) AS i, "
    "NAMED_STRUCT('x', x) NOT BETWEEN NAMED_STRUCT('x', 1) AND NAMED_STRUCT('b', y) AS o "
    "FROM VALUES (1, 1), (2, 1), (3, 4), (NULL, 2), (2, NULL) AS t(x, y)",
    "exists of an aggregate": "SELECT x FROM VALUES (1), (2) AS t(x) "
    "WHERE EXISTS (SELECT MAX(y) FROM VALUES (1) AS u(y) WHERE u.y = t.x)",
    "try to date": "SELECT TRY_TO_DATE(x) AS a, TRY_TO_DATE(x, 'dd/MM/yyyy') AS b "
    "FROM VALUES ('2024-02-29'), ('2024-02-30'), ('29/02/2024'), ('x'), (NULL) AS t(x)",
    "try mod": "SELECT TRY_MOD(a, b) AS i, TRY_MOD(CAST(a AS DOUBLE), b) AS d "
    "FROM VALUES (7, 3), (-7, 3), (7, 0), (NULL, 0), (7, NULL) AS t(a, b)",
    "to char": f"SELECT TO_CHAR(x, 'yyyy-MM HH:mm') AS v, TO_CHAR(CAST(x AS DATE), 'EEE') AS d FROM {_DATED}",
    # Of each group, one value is the most frequent; another one would be an arbitrary choice.
    "any mode": "SELECT g, MODE(x, FALSE) AS m, MODE(x, FALSE) FILTER (WHERE x <> 'a') AS f "
    "FROM VALUES (1, 'a'), (1, 'a'), (1, 'b'), (2, NULL) AS t(g, x) GROUP BY g ORDER BY g",
    **{f"untyped NULL and a {kind}": f"SELECT {_NULL_SUMS} FROM {rows}" for kind, rows in _OF_TIMES.items()},
    "quote": "SELECT QUOTE(x) AS q FROM VALUES ('a'), ('it''s'), (''), (NULL) AS t(x)",
    **{f"{call}": f"SELECT g, {call} AS v FROM {_ROWS} GROUP BY g ORDER BY g" for call in _AGGREGATES},
    **{
        f"{call} filtered over a window": f"SELECT g, {call} FILTER (WHERE n <= 2) OVER (PARTITION BY g ORDER BY d, x) "
        f"AS v FROM {_ROWS} ORDER BY g, d, x"
        for call in _OVER
    },
}


@pytest.fixture(scope="module")
def environment(spark: SparkSession) -> TableEnvironment:
    session = spark.newSession()
    session.conf.set("spark.sql.session.timeZone", "America/New_York")
    return TableEnvironment.create(spark=session)


def _rows(environment: TableEnvironment, text: str) -> tuple[list[Any], str]:
    frame = environment.spark.sql(text)
    return [tuple(row) for row in frame.collect()], frame.schema.simpleString()


@pytest.mark.parametrize("name", CASES)
def test_equivalent_has_the_same_rows_and_type(environment: TableEnvironment, name: str) -> None:
    table = environment.sql_query(CASES[name])
    newest, oldest = (
        table.as_serializable_string(layout="MERGED", target=t) for t in (Target.NEWEST.name, "spark-3.5")
    )
    assert newest != oldest
    if not ANSWERS.know(oldest, newest):
        assert _rows(environment, oldest) == _rows(environment, newest)
        ANSWERS.keep(oldest, newest)


def test_times_of_two_precisions_are_cast_to_the_widest(environment: TableEnvironment) -> None:
    table = environment.sql_query(
        "SELECT CAST(x AS TIME(3)) > CAST(x AS TIME(0)) AS a, COALESCE(CAST(x AS TIME(2)), CAST(x AS TIME(6))) AS b, "
        "CAST(x AS TIME(1)) BETWEEN CAST(x AS TIME(0)) AND CAST(x AS TIME(6)) AS c "
        "FROM VALUES ('01:02:03.123456'), ('01:02:03'), (NULL) AS t(x)"
    )
    newest, older = (table.as_serializable_string(layout="MERGED", target=t) for t in (Target.NEWEST.name, "spark-4.1"))
    assert newest != older
    assert _rows(environment, older) == _rows(environment, newest)


def test_strings_are_cast_to_times_of_all_digits_first(environment: TableEnvironment) -> None:
    """Spark 4.1 and 4.2 keep the digits of the string."""
    table = environment.sql_query(
        "SELECT TRY_CAST(x AS TIME(0)) AS a, TRY_CAST(x AS TIME(3)) AS b, CAST(NULLIF(x, 'x') AS TIME(1)) AS c "
        "FROM VALUES ('01:02:03.123456'), ('23:59:59.999999'), ('1:2:3'), ('x'), (NULL) AS t(x)"
    )
    newest, older = (table.as_serializable_string(layout="MERGED", target=t) for t in (Target.NEWEST.name, "spark-4.2"))
    assert older.count("AS TIME(6))") == 3
    assert _rows(environment, older) == _rows(environment, newest)


def test_seconds_of_a_time_keep_their_type(environment: TableEnvironment) -> None:
    """Spark 4.1 and 4.2 give six digits for every TIME."""
    table = environment.sql_query(
        "SELECT EXTRACT(SECOND FROM CAST(x AS TIME(0))) AS a, DATE_PART('s', CAST(x AS TIME(3))) AS b, "
        "EXTRACT(SECOND FROM CAST(x AS TIME(6))) AS c FROM VALUES ('01:02:03.123456'), ('01:02:59'), (NULL) AS t(x)"
    )
    newest, older = (table.as_serializable_string(layout="MERGED", target=t) for t in (Target.NEWEST.name, "spark-4.2"))
    # Two of five are around strings.
    assert older.count("AS TIME(6))") == 5
    assert "AS DECIMAL(5, 3))" in older
    assert _rows(environment, older) == _rows(environment, newest)


@pytest.mark.parametrize("collation", ["UTF8_LCASE", "UNICODE_CI", "de_AI"])
def test_text_of_any_collation_is_quoted(collation: str) -> None:
    """Some collations have no REPLACE."""
    query = TableEnvironment.create().sql_query(f"SELECT QUOTE('a' COLLATE {collation}) AS q")
    written = query.as_serializable_string(target="spark-4.0", layout="MERGED")
    assert written.startswith(f"SELECT CONCAT('\\'', REPLACE(CAST('a' COLLATE {collation} AS STRING), ")


def test_bytes_are_not_reversed_as_text() -> None:
    """Up to Spark 4.1, REVERSE takes bytes for a string."""
    query = TableEnvironment.create().sql_query("SELECT REVERSE(X'6162') AS b, REVERSE('ab') AS s")
    assert "REVERSE(X'6162')" in query.as_serializable_string(target="spark-4.2")
    with pytest.raises(TableException, match=r"REVERSE\(X'6162'\) .* needs Spark 4\.2; the target is Spark 4\.1"):
        query.as_serializable_string(target="spark-4.1")


def test_every_form_has_a_case() -> None:
    texts = " ".join(CASES.values())
    assert [function.sql_name for function in FORMS if function.sql_name not in texts] == []
    # Gaps without a form are refused, and need no case.
    lacked = {gap.feature for gap in GAPS for target in targets() if target.lacks_feature(gap.feature)}
    assert [gap.feature for gap in GAPS if gap.feature not in lacked] == []
