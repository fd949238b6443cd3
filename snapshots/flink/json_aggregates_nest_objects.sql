SELECT `EXPR$0` AS `kept`, `EXPR$1` AS `left_out`, `EXPR$2` AS `in`
FROM (
    SELECT
        `sku`,
        JSON_ARRAYAGG(JSON_OBJECT(KEY 'q' VALUE `quantity` NULL ON NULL) NULL ON NULL) AS `EXPR$0`,
        JSON_ARRAYAGG(JSON_OBJECT(KEY 'q' VALUE `quantity` ABSENT ON NULL) ABSENT ON NULL) AS `EXPR$1`,
        JSON_OBJECTAGG(KEY `sku` VALUE JSON_OBJECT(KEY 'q' VALUE `quantity` NULL ON NULL) ABSENT ON NULL) AS `EXPR$2`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM (
            SELECT `line_order`, `sku`, `quantity`
            FROM `spark_catalog`.`programs`.`lines`
        )
        WHERE `line_order` = 102
    )
    GROUP BY `sku`
)
