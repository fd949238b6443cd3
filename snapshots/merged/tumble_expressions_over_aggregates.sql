SELECT
    SUM(`v`) / COUNT(`v`) AS `mean`,
    EXTRACT(HOUR FROM WINDOW(`ts`, '1 hour').`start`) AS `hour`,
    MAX(`v`) - MIN(`v`) AS `spread`
FROM `spark_catalog`.`programs`.`events`
GROUP BY WINDOW(`ts`, '1 hour')
