SELECT
    TO_JSON(
        NAMED_STRUCT(
            'a"`b',
            NAMED_STRUCT('y', `y`),
            'absent',
            PARSE_JSON(TO_JSON(NAMED_STRUCT('x', `x`, 'y', `y`)))
        ),
        MAP('ignoreNullFields', 'false')
    ) AS `j`,
    TO_JSON(NAMED_STRUCT(
        'o',
        PARSE_JSON(TO_JSON(NAMED_STRUCT('y', `y`), MAP('ignoreNullFields', 'false'))),
        'y',
        `y`
    )) AS `k`
FROM `spark_catalog`.`programs`.`left_bag`
WHERE `x` = 3
