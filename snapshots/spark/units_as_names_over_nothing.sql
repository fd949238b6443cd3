SELECT ADD_MONTHS(TRUNC(DATE_SUB(`month`, 1), 'YEAR'), 12) AS `hour`, `DAY`, `WEEK`
FROM (
    SELECT
        TRUNC(`month`, 'MONTH') AS `month`,
        TIMESTAMP_SECONDS(`YEAR`) AS `DAY`,
        CAST(CONVERT_TIMEZONE('UTC', 'UTC', TRY_CAST(SUBSTRING(`T``O` FROM 1 FOR 19) AS TIMESTAMP_NTZ)) AS STRING) AS `WEEK`
    FROM (
        SELECT DATE_FROM_UNIX_DATE(`a`) AS `month`, `a` AS `YEAR`, `b` AS `T``O`
        FROM (
            SELECT `a`, `b`
            FROM `spark_catalog`.`programs`.`nothing`
        )
    )
)
