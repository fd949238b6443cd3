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
            WHERE `x` = 1
        )
    )
)
SELECT `x`, `y`
FROM (
    SELECT `x`, `y`
    FROM `left_bag_rows`
    INNER JOIN (
        SELECT `x`, `y`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`right_bag`
        )
        WHERE `x` = 1
    )
)
INNER JOIN `left_bag_rows`
