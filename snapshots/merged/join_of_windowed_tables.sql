WITH `events_grouped` AS (
    SELECT WINDOW(`ts`, '10 minutes').`start` AS `ws_a`, SUM(`v`) AS `s_a`
    FROM `spark_catalog`.`programs`.`events`
    WHERE `k` = 'a'
    GROUP BY WINDOW(`ts`, '10 minutes')
),
`events_grouped_2` AS (
    SELECT WINDOW(`ts`, '10 minutes').`start` AS `ws_b`, SUM(`v`) AS `s_b`
    FROM `spark_catalog`.`programs`.`events`
    WHERE `k` = 'b'
    GROUP BY WINDOW(`ts`, '10 minutes')
)
SELECT
    `events_grouped`.`ws_a`,
    `events_grouped`.`s_a`,
    `events_grouped_2`.`ws_b`,
    `events_grouped_2`.`s_b`
FROM `events_grouped`
INNER JOIN `events_grouped_2`
ON `events_grouped`.`ws_a` = `events_grouped_2`.`ws_b`
