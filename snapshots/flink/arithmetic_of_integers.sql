SELECT
    `quantity` + 1 AS `p`,
    `quantity` - 11 AS `m`,
    `quantity` * 2 AS `t`,
    CAST(`quantity` AS DOUBLE) / CAST(4 AS DOUBLE) AS `d`,
    `quantity` % 4 AS `r`,
    -`quantity` AS `n`,
    -7 % 3 AS `s`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `sku` = 'pad'
)
