SELECT `pos`, `key`, TO_JSON(`value`) AS `v`
FROM (
    SELECT `j`, `pos`, `key`, `value`
    FROM (
        SELECT `j`
        FROM VALUES
            ('[1, "x"]'),
            ('3')
        AS `values`(`j`)
    )
    INNER JOIN LATERAL VARIANT_EXPLODE(PARSE_JSON(`j`)) AS `lateral`(`pos`, `key`, `value`)
)
