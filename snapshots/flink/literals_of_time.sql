SELECT
    DATE '2024-02-29' AS `d`,
    TIME '12:34:56.789000' AS `t`,
    TIMESTAMP '1969-12-31 23:59:59.000001' AS `ts`,
    TO_TIMESTAMP_LTZ(1719828000000, 3) AS `z`,
    INTERVAL -'1 00:00:00.005' DAY TO SECOND(3) AS `i`,
    INTERVAL -'1-2' YEAR TO MONTH AS `m`
FROM (
    SELECT `line_order`, `sku`, `quantity`
    FROM (
        SELECT `line_order`, `sku`, `quantity`
        FROM `spark_catalog`.`programs`.`lines`
    )
    WHERE `sku` = 'cap'
)
