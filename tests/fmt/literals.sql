select 1.5e3bd, 'it''s', r'raw', x'0F', interval 1 day 2 hours, interval '1-2' year to month, timestamp '2020-01-01 00:00:00', null, true from t
==== becomes
SELECT
    1.5e3bd,
    'it''s',
    r'raw',
    X'0F',
    INTERVAL 1 DAY 2 HOURS,
    INTERVAL '1-2' YEAR TO MONTH,
    TIMESTAMP '2020-01-01 00:00:00',
    NULL,
    TRUE
FROM t
