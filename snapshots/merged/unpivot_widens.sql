WITH `readings_filtered` AS (
    SELECT `n`, `tiny`, `big`, `level`
    FROM `spark_catalog`.`programs`.`readings`
    WHERE `n` = 1
)
SELECT `n`, `name`, `value`
FROM `readings_filtered`
UNPIVOT INCLUDE NULLS (
    `value` FOR `name` IN (`tiny`, `big`, `level`)
)
