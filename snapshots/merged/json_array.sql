SELECT
    TO_JSON(
        ARRAY_COMPACT(ARRAY(CAST(`x` AS VARIANT), CAST(`y` AS VARIANT))),
        MAP('ignoreNullFields', 'false')
    ) AS `left_out`,
    TO_JSON(ARRAY(CAST(`x` AS VARIANT), CAST(`y` AS VARIANT)), MAP('ignoreNullFields', 'false')) AS `kept`,
    TO_JSON(ARRAY(`y`, `y`), MAP('ignoreNullFields', 'false')) AS `alike`,
    TO_JSON(ARRAY(), MAP('ignoreNullFields', 'false')) AS `empty`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` >= 2
