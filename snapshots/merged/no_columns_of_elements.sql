WITH `values_rows` AS (
    SELECT `s`.*
    FROM (
        SELECT NAMED_STRUCT() AS `s`
        FROM VALUES
            (1),
            (1),
            (1)
        AS `values`(`value`)
    )
)
(
    SELECT *
    FROM `values_rows`
    LIMIT 2
)
UNION ALL
SELECT *
