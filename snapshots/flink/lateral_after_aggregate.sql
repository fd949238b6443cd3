SELECT `line_order`, `n`
FROM (
    SELECT `line_order`, `most`, `least`, `n`
    FROM (
        SELECT `line_order`, `most`, `least`, `n`
        FROM (
            SELECT `line_order`, MAX(`quantity`) AS `most`, MIN(`quantity`) AS `least`
            FROM (
                SELECT `line_order`, `sku`, `quantity`
                FROM `spark_catalog`.`programs`.`lines`
            )
            GROUP BY `line_order`
        )
        CROSS JOIN UNNEST(ARRAY[`most`, `least`]) AS `lateral`(`n`)
    )
    WHERE `n` > 2
)
