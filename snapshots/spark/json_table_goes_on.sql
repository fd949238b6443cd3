SELECT `k`, `s`
FROM (
    SELECT `k.k` AS `k`, SUM(`v`) AS `s`
    FROM (
        SELECT `v`, `k.k`
        FROM (
            SELECT `v`, `k.k`
            FROM JSON_TABLE(
                '{"a b": [[1, "x"], [2, "y"], [3, "x"]]}',
                '$.a b[*]' COLUMNS (`v` BIGINT PATH '$[0]', `k.k` STRING PATH '$[1]') ERROR ON ERROR
            ) AS `lateral`(`v`, `k.k`)
        )
        WHERE `v` < 9
    )
    GROUP BY `k.k`
)
ORDER BY `s` DESC
