SELECT
    `quantity` + 1 AS `p`,
    `quantity` - 11 AS `m`,
    `quantity` * 2 AS `t`,
    `quantity` / 4 AS `d`,
    `quantity` % 4 AS `r`,
    -`quantity` AS `n`,
    -7 % 3 AS `s`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` = 'pad'
