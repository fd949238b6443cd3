from tableapi.expressions import col

result = (
    env.sql_query(
        "SELECT `v`, `k.k`\nFROM JSON_TABLE(\n    '{\"a b\": [[1, \"x\"], [2, \"y\"], [3, \"x\"]]}',\n    '$.a b[*]' COLUMNS (`v` BIGINT PATH '$[0]', `k.k` STRING PATH '$[1]') ERROR ON ERROR\n) AS `lateral`(`v`, `k.k`)",
    )
    .filter(col("v") < 9)
    .group_by(col("k.k"))
    .select(col("k.k").alias("k"), col("v").sum.alias("s"))
    .order_by(col("s").desc)
)
