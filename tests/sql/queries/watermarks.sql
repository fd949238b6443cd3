SELECT * FROM events WATERMARK ts DELAY OF INTERVAL 1 MINUTE

SELECT x.e FROM events WATERMARK x.ts DELAY OF INTERVAL '1' MINUTE AS x WHERE x.v > 1

SELECT * FROM events WATERMARK ts + INTERVAL 1 DAY AS late DELAY OF INTERVAL 0 SECONDS AS x

SELECT late, x.ts FROM events WATERMARK date_trunc('HOUR', ts) late DELAY OF INTERVAL 1 MONTH x ORDER BY late, x.ts

SELECT * FROM (SELECT day, v FROM events) WATERMARK day DELAY OF INTERVAL 1 HOUR q

SELECT k, max(late) AS m FROM (events CROSS JOIN range(1) AS r) WATERMARK id + v AS late DELAY OF INTERVAL 1 HOUR GROUP BY k

SELECT t.*, ts2 FROM events TABLESAMPLE (100 PERCENT) WATERMARK t.ts AS ts2 DELAY OF INTERVAL 1 HOUR AS t

SELECT * FROM explode(array(1, 2)) WATERMARK n DELAY OF INTERVAL 1 MINUTE AS t(n)

SELECT watermark.e, delay FROM (SELECT e, v AS delay FROM events) watermark WHERE watermark.delay > 1

SELECT watermark.e AS delay FROM events watermark JOIN left_bag AS delay ON delay.x = watermark.e

SELECT e delay, v approx FROM events exact WHERE exact.v > 1

SELECT k FROM events o WHERE EXISTS (SELECT 1 FROM (SELECT * FROM events i WHERE i.k = o.k AND i.v > o.v) WATERMARK ts DELAY OF INTERVAL 1 MINUTE)

SELECT * FROM (SELECT e, ts FROM events WATERMARK ts DELAY OF INTERVAL 1 MINUTE) WATERMARK ts DELAY OF INTERVAL 2 MINUTES

SELECT window.start AS s, count(*) AS n FROM events WATERMARK ts DELAY OF INTERVAL 1 MINUTE GROUP BY window(ts, '1 hour')

SELECT a.e, b.v FROM events WATERMARK ts DELAY OF INTERVAL 1 MINUTE AS a JOIN events WATERMARK ts DELAY OF INTERVAL 1 MINUTE AS b ON a.e = b.e AND b.ts > a.ts
