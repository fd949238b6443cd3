WITH `events_windowed` AS (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, ROW_NUMBER() OVER (ORDER BY `ts`) AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`events`
    WHERE `ts` IS NOT NULL
)
SELECT SUM(`v`) AS `s`
FROM `events_windowed`
WHERE (`EXPR$0` - 1) % 3 < 2
GROUP BY `EXPR$0` - 1 - (`EXPR$0` - 1) % 3
HAVING COUNT(1) = 2L
