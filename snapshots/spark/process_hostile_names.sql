SELECT `Partition By`, `count`, `a``b`, `count0`
FROM `by*set`(
    `r` => TABLE(
        SELECT `x` AS `a``b`, `y` AS `Partition By`, `y` AS `count`
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
    ) PARTITION BY (`Partition By`, `count`, `a``b`),
    `i` => 1L,
    `uid` => 'by-set'
)
