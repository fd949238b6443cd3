"""Rewriting of Spark's calls to Flink's SQL: the same call, one with explicit casts, other calls, or an error.

A query has Spark's semantics. Flink gives some of the same operators other types or results, so that the text for Flink
contains the casts which Spark makes implicitly, or equivalent calls. A query without an equivalent in Flink is
rejected.

Differences in rare values are accepted. An OVERLAY that starts beyond the string leaves the string unchanged in Flink,
and the fields of a timestamp with a fraction before 1970 are off by one. CEIL to a unit ignores fractions of a
millisecond, and TO_TIMESTAMP truncates them. Differences where Spark raises an error are accepted, too: Flink's
arithmetic and sums wrap around where Spark reports an overflow, a decimal that does not fit becomes NULL, a DOUBLE
divided by 0 is infinite, an invalid date string becomes NULL, and CAST accepts some strings that Spark rejects. Flink
stores times of day and intervals in milliseconds.
"""
