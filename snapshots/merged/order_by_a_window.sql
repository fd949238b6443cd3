SELECT
    `line_order`,
    `sku`,
    `quantity`,
    ROW_NUMBER() OVER (ORDER BY `quantity` DESC, `sku`) AS `place`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` <> 'pen'
ORDER BY `place`
