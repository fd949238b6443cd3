SELECT
    `n`,
    ABS(`level`) AS `size`,
    ROUND(SQRT(ABS(CAST(`tiny` AS INT))), 2) AS `root`,
    POWER(`n`, 3) AS `cube`,
    POWER(`n`, -1) AS `inverse`,
    ABS(INTERVAL '5' DAY * -1) AS `length`
FROM `spark_catalog`.`programs`.`readings`
WHERE `n` < 3
