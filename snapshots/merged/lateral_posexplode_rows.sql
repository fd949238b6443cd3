WITH `left_bag_computed` AS (
    SELECT `x`, `y`, ARRAY(NAMED_STRUCT('x', `x`, 'start', 'a')) AS `rows`
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE `x` >= 2
)
SELECT
    `left_bag_computed`.`x`,
    `lateral`.`field_0`,
    `lateral`.`r`.`start` AS `s`,
    `lateral_2`.`p`,
    `lateral_2`.`q`
FROM `left_bag_computed`
INNER JOIN LATERAL POSEXPLODE(`left_bag_computed`.`rows`) AS `lateral`(`field_0`, `r`)
INNER JOIN LATERAL POSEXPLODE_OUTER(`left_bag_computed`.`rows`) AS `lateral_2`(`p`, `q`)
