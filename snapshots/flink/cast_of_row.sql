SELECT `r`.`n` AS `r$n`, `r`.`t x` AS `t`
FROM (
    SELECT
        CAST(CAST(ROW(`quantity`, `sku`) AS ROW<`f0` INT, `f1` STRING>) AS ROW<`n` BIGINT, `t x` STRING>) AS `r`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        WHERE `sku` = 'pad'
    )
)
