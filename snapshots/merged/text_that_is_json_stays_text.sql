SELECT
    TO_JSON(NAMED_STRUCT('t', CONCAT('{"x":', `x`, '}')), MAP('ignoreNullFields', 'false')) AS `j`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` = 2
