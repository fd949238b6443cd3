SELECT `COLLATE ``as```, UPPER(`COLLATE ``as``` COLLATE `as`) AS `collation`
FROM (
    SELECT `COLLATE ``as```
    FROM (
        SELECT CAST(`y` AS STRING COLLATE UTF8_LCASE) AS `COLLATE ``as```
        FROM (
            SELECT `x`, `y`
            FROM `spark_catalog`.`programs`.`left_bag`
        )
    )
    WHERE `COLLATE ``as``` = 'B'
)
