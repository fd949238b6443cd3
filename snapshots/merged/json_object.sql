SELECT
    TO_JSON(NAMED_STRUCT('x', `x`, 'y', `y`), MAP('ignoreNullFields', 'false')) AS `kept`,
    TO_JSON(NAMED_STRUCT('x', `x`, 'y', `y`)) AS `left_out`,
    TO_JSON(NAMED_STRUCT(), MAP('ignoreNullFields', 'false')) AS `empty`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` >= 2
