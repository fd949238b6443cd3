SELECT x, row_number() OVER (ORDER BY x, y) AS n FROM left_bag

SELECT x, sum(x) OVER () AS s FROM left_bag

SELECT x, sum(x) OVER (PARTITION BY y) AS s FROM left_bag

SELECT x, sum(x) OVER (PARTITION BY y ORDER BY x) AS s FROM left_bag

SELECT e, sum(v) OVER (ORDER BY e ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS s FROM events

SELECT e, sum(v) OVER (ORDER BY e ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS s FROM events

SELECT e, sum(v) OVER (ORDER BY e ROWS 2 PRECEDING) AS s FROM events

SELECT e, sum(v) OVER (ORDER BY v RANGE BETWEEN 2 PRECEDING AND CURRENT ROW) AS s FROM events

SELECT e, sum(v) OVER (ORDER BY v RANGE UNBOUNDED PRECEDING) AS s FROM events

SELECT e, sum(v) OVER (ORDER BY e ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) AS s FROM events

SELECT e, sum(v) OVER (ORDER BY e ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS s FROM events

SELECT e, sum(v) OVER (ORDER BY e DESC ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING) AS s FROM events

SELECT e, count(*) OVER (ORDER BY ts RANGE BETWEEN INTERVAL '5' MINUTE PRECEDING AND CURRENT ROW) AS n FROM events WHERE ts IS NOT NULL

SELECT e, sum(v) OVER w AS s, avg(v) OVER w AS a FROM events WINDOW w AS (PARTITION BY k ORDER BY e)

SELECT e, sum(v) OVER (w) AS s FROM events WINDOW w AS (PARTITION BY k ORDER BY e)

SELECT e, sum(v) OVER a AS s, max(v) OVER b AS m FROM events WINDOW a AS (ORDER BY e), b AS (PARTITION BY k)

SELECT e, rank() OVER (PARTITION BY k ORDER BY v DESC) AS r, dense_rank() OVER (PARTITION BY k ORDER BY v DESC) AS d FROM events

SELECT e, lag(v) OVER (ORDER BY e) AS l, lead(v, 2) OVER (ORDER BY e) AS d, lag(v, 1, 0) OVER (ORDER BY e) AS z FROM events

SELECT e, ntile(3) OVER (ORDER BY e) AS t, cume_dist() OVER (ORDER BY e) AS c, percent_rank() OVER (ORDER BY e) AS p FROM events

SELECT e, first_value(v) OVER (ORDER BY e) AS f, last_value(v) OVER (ORDER BY e) AS l, nth_value(v, 2) OVER (ORDER BY e) AS n FROM events

SELECT e, first_value(v) IGNORE NULLS OVER (ORDER BY e) AS f FROM events

SELECT k, sum(sum(v)) OVER (ORDER BY k) AS running FROM events GROUP BY k

SELECT k, sum(v) AS s, rank() OVER (ORDER BY sum(v) DESC) AS r FROM events GROUP BY k

SELECT k, sum(v) * 100 / sum(sum(v)) OVER () AS share FROM events GROUP BY k

SELECT e, v FROM events QUALIFY row_number() OVER (PARTITION BY k ORDER BY v DESC) = 1

SELECT e, row_number() OVER (PARTITION BY k ORDER BY e) AS n FROM events QUALIFY n = 1

SELECT k, sum(v) AS s FROM events GROUP BY k HAVING sum(v) > 3 QUALIFY rank() OVER (ORDER BY s DESC) = 1

SELECT e, v FROM events QUALIFY max(v) OVER w = v WINDOW w AS (PARTITION BY k)

SELECT e, sum(v) OVER (DISTRIBUTE BY k SORT BY e) AS s FROM events

SELECT e, 1 + sum(v) OVER (ORDER BY e) AS s FROM events

SELECT e, CASE WHEN row_number() OVER (ORDER BY e) > 3 THEN 'late' ELSE 'early' END AS c FROM events

SELECT e, count(*) FILTER (WHERE v > 2) OVER (ORDER BY e) AS c FROM events

SELECT e, sum(v) OVER (ORDER BY e) - lag(v) OVER (ORDER BY e) AS d FROM events ORDER BY e DESC

SELECT DISTINCT k, count(*) OVER (PARTITION BY k) AS n FROM events

SELECT e, row_number() OVER (ORDER BY v + 1 DESC NULLS LAST) AS n FROM events ORDER BY n

SELECT e FROM (SELECT e, row_number() OVER (ORDER BY e) AS n FROM events) WHERE n <= 2

SELECT count(*) OVER () AS n, e FROM events LIMIT 1

SELECT e, sum(v) OVER (PARTITION BY k, day ORDER BY e, v) AS s FROM events

SELECT sum(v) AS total, row_number() OVER (ORDER BY sum(v)) AS n FROM events

SELECT e, max(v) OVER (ORDER BY e ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS m FROM events

SELECT e, sum(v) OVER (ORDER BY v DESC RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS s FROM events

SELECT e, count(*) OVER (ORDER BY day RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS n FROM events

SELECT window.start, window.end, count(*) AS c FROM events GROUP BY window(ts, '10 minutes')

SELECT window, count(*) AS c FROM events GROUP BY window(ts, '10 minutes') ORDER BY window.start

SELECT k, window.start, sum(v) FROM events GROUP BY k, window(ts, '10 minutes', '5 minutes') HAVING window.end IS NOT NULL

SELECT session_window.start, session_window.end, count(*) AS c FROM events GROUP BY session_window(ts, '5 minutes')

SELECT sum(v) FROM events GROUP BY window(ts, '5 minutes') ORDER BY window.start DESC LIMIT 2

SELECT window(ts, '10 minutes').start, count(*) FROM events GROUP BY window(ts, '10 minutes')

SELECT window, count(*) FROM (SELECT ts, k AS window FROM events) GROUP BY window(ts, '5 minutes'), window

SELECT max(window.start) AS latest, count(window) FROM events GROUP BY window(ts, '10 minutes')

SELECT window.start, count(*) FROM events GROUP BY window(ts, '5 minutes').start

SELECT window(ts, '5 minutes').end AS t, k, sum(v) FROM events GROUP BY ALL HAVING max(window.start) IS NOT NULL

SELECT date_trunc('HOUR', window(instant, '5 minutes').start) AS h, count(*) FROM events GROUP BY h ORDER BY h

SELECT k, count(*) FROM events GROUP BY ROLLUP (window(ts, '10 minutes', '5 minutes').start, k)

SELECT count(*) FILTER (WHERE window.start > TIMESTAMP_NTZ '2024-1-1 10:02') FROM events GROUP BY window(ts, '10 minutes')

SELECT window(w.window, '20 minutes'), sum(c) FROM (SELECT window, count(*) c FROM events GROUP BY window(ts, '10 minutes')) w GROUP BY window(w.window, '20 minutes')

SELECT window_time(window(ts, '5 minutes')), count(*) FROM events GROUP BY 1

SELECT window(window(ts, '5 minutes'), '10 minutes') AS outer_window FROM events

SELECT window(ts, '5 minutes') AS w, window.start, upper(string(window.end)) FROM events

FROM events |> AGGREGATE count(*) AS c GROUP BY window(ts, '10 minutes').start AS s |> WHERE c > 1

SELECT window.start + INTERVAL '1' HOUR, (window).end FROM events GROUP BY window(ts, '10 minutes')

SELECT window.start AS w, e FROM events WHERE window(ts, '10 minutes').start > TIMESTAMP_NTZ '2024-01-01 10:00:00'

SELECT * FROM events WHERE window(ts, '10 minutes').end IS NOT NULL

SELECT k, session_window.end AS until, count(*) AS n FROM events GROUP BY k, session_window(ts, CASE WHEN k = 'a' THEN '5 minutes' ELSE '20 minutes' END)

SELECT e, rank(v) OVER (ORDER BY e) AS r, dense_rank(v, k) OVER (ORDER BY e) AS d, percent_rank(k) OVER (ORDER BY e) AS p FROM events

SELECT e, nth_value(v, '2') OVER (ORDER BY e) AS n FROM events

SELECT e, nth_value(v, 1.9) OVER (ORDER BY e) AS n FROM events

SELECT sum(order_id) OVER (ORDER BY order_id RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM orders

SELECT first(n) OVER w FROM readings WINDOW w AS (ORDER BY level RANGE BETWEEN 1.5 PRECEDING AND CURRENT ROW)

SELECT x, count(*) OVER (ORDER BY x RANGE BETWEEN 1.7 PRECEDING AND '1' FOLLOWING) AS n FROM left_bag

SELECT x, sum(x) OVER (ORDER BY x RANGE BETWEEN INTERVAL 1 DAY PRECEDING AND true FOLLOWING) FROM left_bag

SELECT i, count(*) OVER (ORDER BY i RANGE BETWEEN INTERVAL 36 HOURS PRECEDING AND 1 FOLLOWING) AS n FROM (SELECT x::INTERVAL DAY AS i FROM left_bag)

SELECT i, count(*) OVER (ORDER BY i RANGE BETWEEN 1.5 PRECEDING AND INTERVAL 13 MONTHS FOLLOWING) AS n FROM (SELECT x::INTERVAL YEAR TO MONTH AS i FROM left_bag)

SELECT x, count(*) OVER (ORDER BY x DESC RANGE BETWEEN 0.4 PRECEDING AND 1.5D FOLLOWING) AS n FROM left_bag

SELECT x, rank() OVER (ORDER BY x) AS r FROM left_bag QUALIFY x > 1

SELECT x, sum(sum(x) OVER (PARTITION BY y)) OVER (ORDER BY x) + 1 AS s FROM left_bag

SELECT x, max(x) OVER (PARTITION BY rank() OVER (ORDER BY y)) AS m FROM left_bag QUALIFY sum(rank() OVER (ORDER BY x)) OVER () > 1

SELECT x, rank() OVER w AS r FROM left_bag WINDOW w AS (ORDER BY x) QUALIFY r <= 2

SELECT x, rank() OVER w AS r FROM left_bag QUALIFY r <= 2 WINDOW w AS (ORDER BY x)

SELECT x, count(*) AS n FROM left_bag GROUP BY x QUALIFY rank() OVER (ORDER BY n, x) = 1

SELECT sum(rank() OVER (ORDER BY sum(x))) OVER () FROM left_bag GROUP BY y

SELECT rank() OVER (ORDER BY rank() OVER (ORDER BY sum(x)), y) AS a, y FROM left_bag GROUP BY y

SELECT sum(max(x) OVER (ORDER BY x)) OVER () AS a, x FROM left_bag GROUP BY x, y ORDER BY x

SELECT sum(sum(sum(x)) OVER ()) OVER () AS a FROM left_bag

SELECT sum(x) + 1 AS s, y, count(*) OVER (PARTITION BY rank() OVER (ORDER BY sum(x), y)) AS a FROM left_bag GROUP BY y QUALIFY a = 1

SELECT ts FROM (SELECT timestamp_seconds(x) AS ts FROM left_bag) WHERE window(ts, '2 seconds').start > TIMESTAMP '1970-01-01 00:00:00'

SELECT x, count(*) OVER (ORDER BY x ROWS BETWEEN CURRENT ROW AND 1 PRECEDING) AS a, sum(x) OVER (ORDER BY x ROWS 1 FOLLOWING) AS b, collect_list(x) OVER (ORDER BY x RANGE BETWEEN 1 FOLLOWING AND CURRENT ROW) AS c FROM left_bag

SELECT x, lag(x, 2) OVER (ORDER BY x ROWS BETWEEN -2 FOLLOWING AND -2 FOLLOWING) AS a, lead(x, 1, 0) OVER (ORDER BY x ROWS BETWEEN 1 FOLLOWING AND 1 FOLLOWING) AS b FROM left_bag

SELECT n, count(*) OVER (ORDER BY level RANGE BETWEEN NULL PRECEDING AND CURRENT ROW) AS a, count(*) OVER (ORDER BY level RANGE BETWEEN UNBOUNDED PRECEDING AND NULL FOLLOWING) AS b, count(*) OVER (ORDER BY level DESC RANGE BETWEEN 1 PRECEDING AND CAST(NULL AS INT) FOLLOWING) AS c, count(*) OVER (ORDER BY n RANGE BETWEEN NULL FOLLOWING AND 1 FOLLOWING) AS d FROM readings

SELECT n, count(*) OVER (ORDER BY level RANGE BETWEEN CAST('infinity' AS DOUBLE) PRECEDING AND CURRENT ROW) AS a, count(*) OVER (ORDER BY level RANGE BETWEEN -CAST('inf' AS FLOAT) PRECEDING AND CAST('NaN' AS DOUBLE) FOLLOWING) AS b, count(*) OVER (ORDER BY ratio RANGE BETWEEN CAST('NaN' AS DOUBLE) PRECEDING AND CURRENT ROW) AS c FROM readings

SELECT n, count(*) OVER (ORDER BY day RANGE BETWEEN CAST(NULL AS INTERVAL DAY) PRECEDING AND INTERVAL '2' DAY FOLLOWING) AS a, count(*) OVER (ORDER BY day RANGE BETWEEN CAST(NULL AS INT) PRECEDING AND CURRENT ROW) AS b, count(*) OVER (ORDER BY at RANGE BETWEEN CURRENT ROW AND CAST(NULL AS INTERVAL MONTH) FOLLOWING) AS c, count(*) OVER (ORDER BY fine RANGE BETWEEN NULL PRECEDING AND 1 FOLLOWING) AS d FROM readings

SELECT count(*) OVER (ORDER BY x RANGE NULL PRECEDING), count(*) OVER (ORDER BY CAST(x AS DOUBLE) RANGE NULL PRECEDING) FROM left_bag

SELECT session_window.start, k, count(*) FROM events GROUP BY session_window(ts, '1 hour'), ROLLUP(k)

SELECT e AS v, v AS e FROM events QUALIFY row_number() OVER (ORDER BY v, e) = 1

SELECT -e AS v FROM events QUALIFY row_number() OVER (ORDER BY ts, e) > 0 AND v > 1

SELECT -e AS v, rank() OVER (ORDER BY ts) AS n FROM events QUALIFY n > 0 AND v > -3

SELECT -sum(v) AS v, -e AS e FROM events GROUP BY e QUALIFY row_number() OVER (ORDER BY e) = 1

SELECT DISTINCT -e AS v FROM events QUALIFY max(v) OVER () > 1 AND v IN (SELECT x FROM left_bag)

SELECT -e AS v FROM events o QUALIFY max(v) OVER () > 1 AND EXISTS (SELECT 1 FROM left_bag WHERE x = v)

SELECT -e AS v, rank() OVER (ORDER BY ts) AS n FROM events QUALIFY row_number() OVER (ORDER BY ts, e) > 0 AND v > 1

SELECT -e AS v, rank() OVER (ORDER BY ts) AS n FROM events QUALIFY row_number() OVER (ORDER BY ts, e) > 0 AND v > -3

SELECT y, first(x) IGNORE NULLS + 1 AS f FROM (SELECT DISTINCT * FROM left_bag) GROUP BY y QUALIFY rank() OVER (ORDER BY f DESC NULLS LAST) < 3 AND sum(f) OVER () > 1
