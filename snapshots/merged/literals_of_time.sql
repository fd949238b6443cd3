SELECT
    DATE '2024-02-29' AS `d`,
    TIME '12:34:56.789' AS `t`,
    TIMESTAMP_NTZ '1969-12-31 23:59:59.000001' AS `ts`,
    TIMESTAMP_LTZ '2024-07-01 10:00:00Z' AS `z`,
    INTERVAL '-1 00:00:00.005' DAY TO SECOND AS `i`,
    INTERVAL '-1-2' YEAR TO MONTH AS `m`
FROM `spark_catalog`.`programs`.`lines`
WHERE `sku` = 'cap'
