WITH `events_windowed` AS (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, ROW_NUMBER() OVER (ORDER BY `day`) AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`events`
    WHERE `day` IS NOT NULL
)
SELECT MAX(`e`) AS `e`, MAX(`k`) AS `key`
FROM `events_windowed`
GROUP BY `EXPR$0` - 1 - (`EXPR$0` - 1) % 1
HAVING COUNT(1) = 1L
    AND MAX(`e`) < 4
