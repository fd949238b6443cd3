"""Forms of steps over streams in which Spark can run them.

Spark knows from the column that carries the watermark when a window has ended. The bounds of a window do not carry it,
and ROW_NUMBER needs all rows of a partition, of which a stream has no last one. So some steps over a stream are built
in another form with the same rows; over a table, they keep the usual form:

| the step | its form |
|---|---|
| a copy of each row for each window that contains it | a projection with WINDOW |
| groups by both bounds of a window | groups by the window; its bounds are taken above |
| joins by both bounds of windows | joins by the windows |
| windows of the times of windows | windows of the windows |
| the first rows of each partition, by ROW_NUMBER | MIN_BY or MAX_BY of rows, of which each becomes a row again |
"""
