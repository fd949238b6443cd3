WITH `events_windowed` AS (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`, ROW_NUMBER() OVER (ORDER BY `ts`) AS `EXPR$0`
    FROM `spark_catalog`.`programs`.`events`
    WHERE `ts` IS NOT NULL
)
SELECT SUM(`events_windowed`.`v`) AS `s`, COUNT(DISTINCT `events_windowed`.`e`) AS `n`
FROM `events_windowed`
INNER JOIN VALUES
    (0),
    (2)
AS `values`(`EXPR$1`)
ON (`events_windowed`.`EXPR$0` - 1) % 2 + `values`.`EXPR$1` < 3
    AND `events_windowed`.`EXPR$0` - 1 - (`events_windowed`.`EXPR$0` - 1) % 2 - `values`.`EXPR$1` >= 0
GROUP BY `events_windowed`.`EXPR$0` - 1 - (`events_windowed`.`EXPR$0` - 1) % 2 - `values`.`EXPR$1`
HAVING COUNT(1) = 3L
