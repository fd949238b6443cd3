SELECT `events`.`e`, `events_2`.`e` AS `before`
FROM `spark_catalog`.`programs`.`events`
INNER ASOF JOIN `spark_catalog`.`programs`.`events` AS `events_2`
MATCH_CONDITION (`events`.`ts` > `events_2`.`ts`)
ON `events`.`k` = `events_2`.`k`
