WITH `left_bag_computed` AS (
    SELECT CAST(`y` AS STRING COLLATE UTF8_LCASE) AS `COLLATE ``as```
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE CAST(`y` AS STRING COLLATE UTF8_LCASE) = 'B'
)
SELECT *, UPPER(`COLLATE ``as``` COLLATE `as`) AS `collation`
FROM `left_bag_computed`
