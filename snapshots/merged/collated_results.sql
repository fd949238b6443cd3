SELECT
    CONCAT(`y` COLLATE UTF8_LCASE, 'X') AS `joined`,
    COALESCE(`y` COLLATE UNICODE, 'none') AS `chosen`,
    REPLACE(`y` COLLATE UTF8_LCASE, 'B', 'c') AS `replaced`,
    COLLATION(`y`) AS `plain`,
    COLLATION(`y` COLLATE sr_Cyrl_SRB_AI) AS `full`,
    `y` COLLATE UTF8_LCASE IN ('A', 'B') AS `found`,
    STARTSWITH(`y` COLLATE UNICODE_CI, 'B') AS `begins`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` = 2
