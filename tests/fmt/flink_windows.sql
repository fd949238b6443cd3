select window_start, sum(a) from table(tumble(table t, descriptor(ts), interval '10' minute)) group by window_start, window_end
==== becomes, FLINK
SELECT window_start, sum(a)
FROM TABLE(tumble(TABLE t, descriptor(ts), INTERVAL '10' MINUTE))
GROUP BY window_start, window_end
