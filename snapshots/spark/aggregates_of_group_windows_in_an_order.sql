SELECT `start`, `ks`, `middle`
FROM (
    SELECT `w`.`start` AS `start`, `EXPR$1` AS `ks`, `EXPR$2` AS `middle`
    FROM (
        SELECT
            WINDOW(`ts`, '10 minutes') AS `w`,
            LISTAGG(`k`, '') WITHIN GROUP (ORDER BY `v` DESC) AS `EXPR$1`,
            MEDIAN(`v`) AS `EXPR$2`
        FROM (
            SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
            FROM `spark_catalog`.`programs`.`events`
        )
        GROUP BY WINDOW(`ts`, '10 minutes')
    )
)
WHERE `start` IS NOT NULL
