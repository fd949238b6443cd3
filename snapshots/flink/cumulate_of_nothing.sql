SELECT `w`, SUM(CAST(`a` AS BIGINT)) AS `s`
FROM (
    SELECT
        `a`,
        `b`,
        `ts`,
        CAST(ROW(`window_start`, `window_end`) AS ROW<`start` TIMESTAMP(6), `end` TIMESTAMP(6) NOT NULL>) AS `w`
    FROM TABLE(
        CUMULATE((
            SELECT `a`, `b`, CAST(`b` AS TIMESTAMP(6)) AS `ts`
            FROM (
                SELECT `a`, `b`
                FROM `spark_catalog`.`programs`.`nothing`
            )
        ), DESCRIPTOR(`ts`), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE)
    )
)
GROUP BY `w`
