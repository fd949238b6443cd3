WITH `customers_by_city` AS (
    SELECT `city`, MAX(`city`) COLLATE UTF8_LCASE AS `most`
    FROM `spark_catalog`.`programs`.`customers`
    GROUP BY `city`
)
SELECT *
FROM `customers_by_city`
WHERE `most` <> UPPER(`city`) COLLATE UTF8_BINARY
ORDER BY `most` = UPPER(`city`) COLLATE UNICODE_CI DESC, `city`
