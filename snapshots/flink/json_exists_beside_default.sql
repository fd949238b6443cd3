SELECT DISTINCT `y`, `exists`, `v`
FROM (
    SELECT `y`, `exists`, `v`
    FROM (
        SELECT
            `y`,
            JSON_EXISTS('[1]', '$[0]') AS `exists`,
            JSON_VALUE('[1]', '$[1]' RETURNING INT DEFAULT 0 ON ERROR) AS `v`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
    )
    WHERE `y` = 'b'
)
