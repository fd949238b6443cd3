SELECT
    `e`,
    NOT (CASE
        WHEN `day` <= `day` + INTERVAL '1' DAY THEN `day` + INTERVAL '1' DAY
        ELSE `day`
    END < CASE
        WHEN `day` <= DATE '2024-01-01' THEN `day`
        ELSE DATE '2024-01-01'
    END OR CASE
        WHEN `day` <= DATE '2024-01-01' THEN DATE '2024-01-01'
        ELSE `day`
    END < CASE
        WHEN `day` <= `day` + INTERVAL '1' DAY THEN `day`
        ELSE `day` + INTERVAL '1' DAY
    END) AS `o`
FROM (
    SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
    FROM (
        SELECT `e`, `k`, `v`, `ts`, `instant`, `day`
        FROM `spark_catalog`.`programs`.`events`
    )
    WHERE NOT (CASE
        WHEN `ts` <= `ts` + INTERVAL '10' MINUTE THEN `ts` + INTERVAL '10' MINUTE
        ELSE `ts`
    END < CASE
        WHEN TIMESTAMP_NTZ '2024-01-01 10:12:00' <= TIMESTAMP_NTZ '2024-01-01 10:31:00' THEN TIMESTAMP_NTZ '2024-01-01 10:12:00'
        ELSE TIMESTAMP_NTZ '2024-01-01 10:31:00'
    END OR CASE
        WHEN TIMESTAMP_NTZ '2024-01-01 10:12:00' <= TIMESTAMP_NTZ '2024-01-01 10:31:00' THEN TIMESTAMP_NTZ '2024-01-01 10:31:00'
        ELSE TIMESTAMP_NTZ '2024-01-01 10:12:00'
    END < CASE
        WHEN `ts` <= `ts` + INTERVAL '10' MINUTE THEN `ts`
        ELSE `ts` + INTERVAL '10' MINUTE
    END)
        AND `e` > 2
)
