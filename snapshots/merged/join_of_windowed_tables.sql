WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '10 minutes') AS `w`, SUM(`v`) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`events`
    WHERE `k` = 'a'
    GROUP BY WINDOW(`ts`, '10 minutes')
),
`events_computed` AS (
    SELECT `w`.`start` AS `ws_a`, `EXPR$1` AS `s_a`
    FROM `events_grouped`
),
`events_grouped_2` AS (
    SELECT WINDOW(`ts`, '10 minutes') AS `w`, SUM(`v`) AS `EXPR$1`
    FROM `spark_catalog`.`programs`.`events`
    WHERE `k` = 'b'
    GROUP BY WINDOW(`ts`, '10 minutes')
),
`events_computed_2` AS (
    SELECT `w`.`start` AS `ws_b`, `EXPR$1` AS `s_b`
    FROM `events_grouped_2`
)
SELECT
    `events_computed`.`ws_a`,
    `events_computed`.`s_a`,
    `events_computed_2`.`ws_b`,
    `events_computed_2`.`s_b`
FROM `events_computed`
INNER JOIN `events_computed_2`
ON `events_computed`.`ws_a` = `events_computed_2`.`ws_b`
