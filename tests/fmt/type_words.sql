select cast(a as decimal(10,2)), a::array<struct<x: int, y:map<string,bigint>>>, date '2020-01-01', cast(b as timestamp with local time zone), try_cast(c as double) from t
==== becomes
SELECT
    CAST(a AS DECIMAL(10, 2)),
    a::ARRAY<STRUCT<x: INT, y: MAP<STRING, BIGINT>>>,
    DATE '2020-01-01',
    CAST(b AS TIMESTAMP WITH LOCAL TIME ZONE),
    TRY_CAST(c AS DOUBLE)
FROM t
