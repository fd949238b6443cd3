SELECT
    `x`,
    CAST(RANK() OVER (ORDER BY `x`) AS INT) AS `asc`,
    CAST(RANK() OVER (ORDER BY `x` NULLS LAST) AS INT) AS `asc_last`,
    CAST(RANK() OVER (ORDER BY `x` DESC) AS INT) AS `desc`,
    CAST(RANK() OVER (ORDER BY `x` DESC NULLS FIRST) AS INT) AS `desc_first`
FROM (
    SELECT `x`, `y`
    FROM `spark_catalog`.`programs`.`left_bag`
)
