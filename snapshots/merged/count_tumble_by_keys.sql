WITH `events_windowed` AS (
    SELECT
        `e`,
        `k`,
        `v`,
        `ts`,
        `instant`,
        `day`,
        ROW_NUMBER() OVER (PARTITION BY UPPER(`k`) ORDER BY `instant`) AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`events`
    WHERE `instant` IS NOT NULL
)
SELECT UPPER(`k`) AS `upper`, SUM(`v`) AS `s`, COUNT(1) AS `n`
FROM `events_windowed`
GROUP BY UPPER(`k`), `EXPR$0` - 1 - (`EXPR$0` - 1) % 2
HAVING COUNT(1) = 2L
