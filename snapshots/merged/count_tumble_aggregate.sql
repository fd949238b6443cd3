WITH `events_windowed` AS (
    SELECT
        `e`,
        `k`,
        `v`,
        `ts`,
        `instant`,
        `day`,
        ROW_NUMBER() OVER (PARTITION BY `k` ORDER BY `ts`) AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`events`
    WHERE `ts` IS NOT NULL
)
SELECT SUM(`v`) + 1 AS `_c0`, `k`
FROM `events_windowed`
GROUP BY `EXPR$0` - 1 - (`EXPR$0` - 1) % 2, `k`
HAVING COUNT(1) = 2L
