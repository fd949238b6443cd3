SELECT `left_bag`.`x`, `left_bag`.`y`, `lateral`.`a`, `lateral`.`b`
FROM `spark_catalog`.`programs`.`left_bag`
INNER JOIN LATERAL INLINE(ARRAY(NAMED_STRUCT('a', `left_bag`.`x`, 'b', 'p'), NAMED_STRUCT('a', 5, 'b', `left_bag`.`y`))) AS `lateral`(`a`, `b`)
WHERE `left_bag`.`x` = 2
