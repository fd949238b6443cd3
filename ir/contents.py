"""Contents of an expression: bits that say what it contains, computed with each expression.

Most expressions contain neither aggregates nor subqueries. A search for them tests these bits first, so that building a
query does not walk through each of its expressions repeatedly.
"""

from __future__ import annotations

from ir.light_typing import Final

NOTHING: Final = 0
AGGREGATE: Final = 1
"""A call of an aggregate without OVER."""
OVER: Final = 2
"""An OVER call."""
TIME_WINDOW: Final = 4
"""A time window."""
QUERY: Final = 8
"""A query as an argument; of its contents, only those of ``OF_QUERIES`` count."""
OUTER: Final = 16
"""A reference to a column of the enclosing query."""
CHANGING: Final = 32
"""A nondeterministic call, also inside a query."""
PROCESS: Final = 64
"""A query with a call of a process table function."""
SQL_FUNCTION: Final = 128
"""A call of a SQL function, whose body may be a query."""
EQUAL_NAMES: Final = 256
"""A query with columns of equal names."""
CODE: Final = 512
"""A call that runs code which its arguments name."""
COLUMN: Final = 1024
"""A reference to a column of an input."""
LAMBDA: Final = 2048
"""A lambda."""
UNBOUNDED: Final = 4096
"""A query whose rows do not end, because it reads a stream."""
WINDOW_TIME: Final = 8192
"""A call of WINDOW_TIME, which Spark computes before it groups the rows of a SELECT."""

CHANGES: Final = 16384
"""A query that may hold changes: a call of a function that yields changes, or of RAISE_ERROR, as FROM_CHANGELOG has."""

OF_QUERIES: Final = CHANGING | PROCESS | EQUAL_NAMES | UNBOUNDED | CHANGES
"""The contents of a query that count for an expression around it, too."""
