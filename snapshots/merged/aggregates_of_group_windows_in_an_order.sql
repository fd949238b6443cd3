WITH `events_grouped` AS (
    SELECT
        WINDOW(`ts`, '10 minutes').`start` AS `start`,
        LISTAGG(`k`, '') WITHIN GROUP (ORDER BY `v` DESC) AS `ks`,
        MEDIAN(`v`) AS `middle`
    FROM `spark_catalog`.`programs`.`events`
    GROUP BY WINDOW(`ts`, '10 minutes')
)
SELECT *
FROM `events_grouped`
WHERE `start` IS NOT NULL
