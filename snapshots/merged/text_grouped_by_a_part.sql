WITH `customers_grouped` AS (
    SELECT LEFT(`zip_code`, 2) AS `area`, COUNT(`id`) AS `customers`
    FROM `spark_catalog`.`programs`.`customers`
    GROUP BY LEFT(`zip_code`, 2)
    HAVING LEFT(`zip_code`, 2) IS NOT NULL
)
SELECT RPAD(`area`, 5, 'x') AS `_c0`, `customers`
FROM `customers_grouped`
