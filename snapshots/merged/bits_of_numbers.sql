SELECT
    BIT_AND(`n`) AS `both`,
    BIT_OR(`n`) AS `either`,
    BIT_XOR(`n`) AS `odd`,
    BIT_OR(`small`) FILTER (WHERE `n` = 1) AS `ten`
FROM `spark_catalog`.`programs`.`readings`
