WITH `lines_computed` AS (
    SELECT
        CAST(NAMED_STRUCT('f0', `quantity`, 'f1', `sku`) AS STRUCT<`n`: BIGINT, `t x`: STRING>) AS `r`
    FROM `spark_catalog`.`programs`.`lines`
    WHERE `sku` = 'pad'
)
SELECT `r`.`n` AS `r$n`, `r`.`t x` AS `t`
FROM `lines_computed`
