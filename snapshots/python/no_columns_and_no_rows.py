result = env.sql_query(
    """WITH `values_rows` AS (
    SELECT CAST(NULL AS INT) AS `value`
    WHERE FALSE
)
SELECT `s`.*
FROM (
    SELECT NAMED_STRUCT() AS `s`
    FROM `values_rows`
)""",
)
