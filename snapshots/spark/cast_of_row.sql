SELECT `r`.`n` AS `r$n`, `r`.`t x` AS `t`
FROM (
    SELECT
        CAST(NAMED_STRUCT('f0', `quantity`, 'f1', `sku`) AS STRUCT<`n`: BIGINT, `t x`: STRING>) AS `r`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        WHERE `sku` = 'pad'
    )
)
