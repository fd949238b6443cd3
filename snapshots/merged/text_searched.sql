SELECT DISTINCT
    STARTSWITH(`city`, 'B') AS `b`,
    ENDSWITH(`city`, 's') AS `s`,
    INSTR(`city`, 'r') AS `r`,
    LOCATE('i', `city`) AS `i`,
    TRANSLATE(`city`, 'ai', '41') AS `leet`,
    REPEAT(`city`, 2) AS `twice`
FROM `spark_catalog`.`programs`.`customers`
