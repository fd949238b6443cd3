WITH `events_grouped` AS (
    SELECT
        WINDOW(`ts`, '10 minutes') AS `w`,
        LISTAGG(`k`, '') WITHIN GROUP (ORDER BY `v` DESC) AS `EXPR$1`,
        MEDIAN(`v`) AS `EXPR$2`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '10 minutes')
)
SELECT `w`.`start` AS `start`, `EXPR$1` AS `ks`, `EXPR$2` AS `middle`
FROM `events_grouped`
WHERE `w`.`start` IS NOT NULL
