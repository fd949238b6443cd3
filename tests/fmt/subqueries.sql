select * from (select * from (select 1 as a) as t) where a in (select b from u) and exists (select 1 from v) and c = (select max(c) from w)
==== becomes
SELECT *
FROM (
    SELECT *
    FROM (
        SELECT 1 AS a
    ) AS t
)
WHERE a IN (
        SELECT b
        FROM u
    )
    AND EXISTS (
        SELECT 1
        FROM v
    )
    AND c = (
        SELECT max(c)
        FROM w
    )
