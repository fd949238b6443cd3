"""What a call of Spark's meaning is in Flink's SQL: the same call, one with explicit casts, others, or none.

A query means what Spark says. Flink gives some of the same operators other types or other results, so that its text
gets the casts which Spark makes silently, or calls that come to the same, and is refused where nothing of Flink's does.

Not refused is what differs at the edges alone. An OVERLAY that begins beyond the text leaves it as it is in Flink, and
the fields of a timestamp with a fraction before 1970 are off by one there. CEIL to a unit passes over what is finer
than a millisecond, and TO_TIMESTAMP cuts it off. Nor is what differs only where Spark fails: Flink's arithmetic and its
sums wrap around where Spark reports an overflow, a decimal that does not fit becomes NULL, a DOUBLE divided by 0 is
infinite, text that shows no date becomes NULL, and a CAST reads some text that Spark rejects. Flink holds times of day
and intervals in milliseconds.
"""
