SELECT `lines`.`sku` AS `q`, `sku`
FROM (
    SELECT `lines`, `sku`
    FROM (
        SELECT CAST(ROW(`quantity`) AS ROW<`sku` INT>) AS `lines`, `sku`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
    )
    WHERE `sku` = 'pad'
)
