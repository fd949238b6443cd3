"""What is somewhere within an expression, as the bits of a number that every expression knows of itself.

Most expressions hold neither aggregates nor subqueries. Whoever looks for them asks these bits first, so that building
a query does not walk through each of its expressions again and again.
"""

from __future__ import annotations

from typing import Final

NOTHING: Final = 0
AGGREGATE: Final = 1
"""A call of an aggregate that is not over a window."""
OVER: Final = 2
"""A call over a window."""
TIME_WINDOW: Final = 4
"""What puts rows into windows over time."""
QUERY: Final = 8
"""A query as an argument; what is within that does not count, but for ``CHANGING`` and ``PROCESS``."""
OUTER: Final = 16
"""A reference to a column of the query around."""
CHANGING: Final = 32
"""A call that has another value each time that it is evaluated, also one within a query."""
PROCESS: Final = 64
"""A query with a call of a process table function."""
SQL_FUNCTION: Final = 128
"""A call of a function of SQL whose body may be a query."""
EQUAL_NAMES: Final = 256
"""A query with columns of equal names."""
CODE: Final = 512
"""A call that runs code which its arguments name."""
COLUMN: Final = 1024
"""A reference to a column of an input."""
LAMBDA: Final = 2048
"""A function without a name."""
