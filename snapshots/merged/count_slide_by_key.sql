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
SELECT `events_windowed`.`k`, SUM(`events_windowed`.`v`) AS `s`
FROM `events_windowed`
INNER JOIN VALUES
    (0),
    (1),
    (2)
AS `values`(`EXPR$1`)
ON (`events_windowed`.`EXPR$0` - 1) % 1 + `values`.`EXPR$1` < 3
    AND `events_windowed`.`EXPR$0` - 1 - (`events_windowed`.`EXPR$0` - 1) % 1 - `values`.`EXPR$1` >= 0
GROUP BY
    `events_windowed`.`EXPR$0` - 1 - (`events_windowed`.`EXPR$0` - 1) % 1 - `values`.`EXPR$1`,
    `events_windowed`.`k`
HAVING COUNT(1) = 3L
