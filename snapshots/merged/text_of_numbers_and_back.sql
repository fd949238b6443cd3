SELECT
    `order_id`,
    TO_CHAR(`amount`, 'S000D00') AS `written`,
    TO_NUMBER(TO_CHAR(`amount`, 'S000D00'), 'S000D00') AS `amount`,
    FORMAT_NUMBER(`amount`, 1) AS `rounded`,
    TO_CHAR(`ordered_at`, 'yyyy-MM') AS `month`
FROM `spark_catalog`.`programs`.`orders`
WHERE `amount` IS NOT NULL
