SELECT
    `line_order`,
    `EXPR$0` AS `object`,
    `EXPR$1` AS `less`,
    `EXPR$2` AS `array`,
    `EXPR$3` AS `shorter`
FROM (
    SELECT
        `line_order`,
        `sku`,
        JSON_OBJECTAGG(KEY `sku` VALUE `quantity` NULL ON NULL) AS `EXPR$0`,
        JSON_OBJECTAGG(KEY `sku` VALUE `quantity` ABSENT ON NULL) AS `EXPR$1`,
        JSON_ARRAYAGG(`quantity` NULL ON NULL) AS `EXPR$2`,
        JSON_ARRAYAGG(`quantity` ABSENT ON NULL) AS `EXPR$3`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    GROUP BY `line_order`, `sku`
)
