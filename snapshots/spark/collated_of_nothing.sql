SELECT `b`, MAX(`a`) AS `most`
FROM (
    SELECT `b` COLLATE UNICODE_CI AS `b`, `a`
    FROM (
        SELECT `a`, `b`
        FROM `spark_catalog`.`programs`.`nothing`
    )
)
GROUP BY `b`
