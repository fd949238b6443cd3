WITH `left_bag_computed` AS (
    SELECT
        FROM_JSON(
            TO_JSON(NAMED_STRUCT('x', `x`, 'y', `y`), MAP('ignoreNullFields', 'false')),
            'x INT, y STRING NOT NULL, z ARRAY<INT>'
        ) AS `r`
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE `x` >= 2
)
SELECT `r`.`x` AS `r$x`, `r`.`y` AS `text`, `r`.`z` AS `r$z`
FROM `left_bag_computed`
