SELECT
    `product`,
    `size`.`width` AS `size$width`,
    `size`.`box` AS `size$box`,
    CAST(ROW(1, 'a') AS ROW<`f0` INT NOT NULL, `f1` STRING NOT NULL>).`f0` AS `_c3`,
    CAST(ROW(1, 'a') AS ROW<`f0` INT NOT NULL, `f1` STRING NOT NULL>).`f1` AS `_c4`,
    `size`.`box`.`depth` AS `size$box$depth`
FROM (
    SELECT `product`, `price`, `tags`, `attributes`, `size`
    FROM (
        SELECT `product`, `price`, `tags`, `attributes`, `size`
        FROM `spark_catalog`.`programs`.`products`
    )
    WHERE `product` = 'pen'
)
