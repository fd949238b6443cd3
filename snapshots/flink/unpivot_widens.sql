SELECT
    `n`,
    `label0` AS `name`,
    CASE
        WHEN `label0` = 'tiny' THEN ((CAST(`tiny` AS DOUBLE)))
        WHEN `label0` = 'big' THEN ((CAST(`big` AS DOUBLE)))
        ELSE `level`
    END AS `value`
FROM (
    SELECT `n`, `tiny`, `big`, `level`, `label0`
    FROM (
        SELECT `n`, `tiny`, `big`, `level`
        FROM (
            SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
            FROM (
                SELECT `n`, `tiny`, `small`, `big`, `ratio`, `level`, `fine`, `raw`, `day`, `at`, `instant`
                FROM `spark_catalog`.`programs`.`readings`
            )
            WHERE `n` = 1
        )
    )
    CROSS JOIN (
        SELECT `label0`
        FROM (VALUES
            ('tiny'),
            ('big'),
            ('level')
        ) AS `values`(`label0`)
    )
) AS `unpivot`
