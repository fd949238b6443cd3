SELECT `x`, `y`, `a`, `b`
FROM (
    SELECT `x`, `y`
    FROM (
        SELECT `x`, `y`
        FROM `spark_catalog`.`programs`.`left_bag`
    )
    WHERE `x` = 2
)
INNER JOIN LATERAL INLINE(ARRAY(NAMED_STRUCT('a', `x`, 'b', 'p'), NAMED_STRUCT('a', 5, 'b', `y`))) AS `lateral`(`a`, `b`)
