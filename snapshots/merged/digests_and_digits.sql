WITH `left_bag_distinct` AS (
    SELECT DISTINCT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
    WHERE `x` < 3
)
SELECT
    `x`,
    MD5(`y`) AS `md5`,
    SHA2(`y`, 224) AS `sha2`,
    HEX(`y`) AS `hex`,
    BIN(`x` + 9) AS `bin`,
    CAST(UNHEX(HEX(`y`)) AS STRING) AS `y`
FROM `left_bag_distinct`
