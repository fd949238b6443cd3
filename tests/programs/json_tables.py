"""Programs with JSON_TABLE."""

from __future__ import annotations

from tableapi.expressions import col
from tests.programs.program import program
from tests.programs.tables import DATABASE

_NO_FLINK = "it has no table function JSON_TABLE"

program(
    "json_table_of_a_constant",
    lambda t: t.env.sql_query(
        """SELECT * FROM JSON_TABLE('[{"a": 1, "b": {"c": "x"}}, {"a": null}, {"b": {}}]', '$[*]' COLUMNS (
            n FOR ORDINALITY, a INT, c STRING PATH '$.b.c', b STRING, has_a BOOLEAN EXISTS PATH '$.a'))"""
    ),
    rows=[(1, 1, "x", '{"c":"x"}', True), (2, None, None, None, True), (3, None, None, "{}", False)],
    no_flink=_NO_FLINK,
)
program(
    "json_table_of_each_row",
    lambda t: t.env.sql_query(
        f"SELECT x, v, n FROM {DATABASE}.left_bag, "
        "LATERAL JSON_TABLE(CONCAT('[', x, ', ', x * 10, ']'), '$[*]' COLUMNS (v INT PATH '$', n FOR ORDINALITY)) AS j "
        "WHERE x > 1 AND v <> 3"
    ),
    rows=[(2, 2, 1), (2, 20, 2), (3, 30, 2)],
    no_flink=_NO_FLINK,
)
program(
    "json_table_kept_without_rows",
    lambda t: t.env.sql_query(
        """SELECT id, v FROM VALUES (1, '{"k": [5, 6]}'), (2, '{"k": []}'), (3, 'no JSON'), (4, NULL) AS d(id, doc)
        LEFT JOIN LATERAL JSON_TABLE(doc, '$.k[*]' COLUMNS (v INT PATH '$')) AS j ON v > 5"""
    ),
    rows=[(1, 6), (2, None), (3, None), (4, None)],
    no_flink="it plans no lateral join with a predicate",
)
program(
    "json_table_goes_on",
    lambda t: (
        t.env.sql_query(
            """SELECT * FROM JSON_TABLE('{"a b": [[1, "x"], [2, "y"], [3, "x"]]}', '$.a b[*]' COLUMNS (
                v BIGINT PATH '$[0]', `k.k` VARCHAR(5) PATH '$[1]') ERROR ON ERROR)"""
        )
        .filter(col("v") < 9)
        .group_by(col("k.k"))
        .select(col("k.k").alias("k"), col("v").sum.alias("s"))
        .order_by(col("s").desc)
    ),
    rows=[("x", 4), ("y", 2)],
    ordered=True,
    no_flink=_NO_FLINK,
)
