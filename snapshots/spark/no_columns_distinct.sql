WITH `left_bag_rows` AS (
    SELECT `s`.*
    FROM (
        SELECT NAMED_STRUCT() AS `s`
        FROM (
            SELECT `x`, `y`
            FROM (
                SELECT `x`, `y`
                FROM `spark_catalog`.`programs`.`left_bag`
            )
            WHERE TRUE
        )
    )
)
(
    SELECT DISTINCT *
    FROM `left_bag_rows`
) UNION ALL (
    (
        SELECT *
        FROM `left_bag_rows`
    ) INTERSECT ALL (
        SELECT `s`.*
        FROM (
            SELECT NAMED_STRUCT() AS `s`
            FROM (
                SELECT `x`, `y`
                FROM (
                    SELECT `x`, `y`
                    FROM `spark_catalog`.`programs`.`left_bag`
                )
                WHERE `x` = 1
            )
        )
    )
)
