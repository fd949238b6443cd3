SELECT `e`, (`day`, INTERVAL '1' DAY) OVERLAPS (`day`, DATE '2024-01-01') AS `o`
FROM (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    WHERE (`ts`, INTERVAL '10' MINUTE) OVERLAPS (TIMESTAMP '2024-01-01 10:12:00', TIMESTAMP '2024-01-01 10:31:00')
        AND `e` > 2
)
