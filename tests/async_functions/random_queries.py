"""Random queries with async calls in every valid place, in which each row has its own number.

No two rows make the same call, if its argument is the row's number or is computed only from it. So if such a call is
made twice, it was made twice for one row.
"""

from __future__ import annotations

import itertools
import random
from typing import NamedTuple

FUNCTIONS = {
    "f": lambda x: x * 3 + 7_000_000_000_000,
    "g": lambda x: x * 3 + 50_000_000_000_001,
    "even": lambda x: x // 10 % 2 == 0,
}
"""The functions, whose results are all different."""


class Relation(NamedTuple):
    """A query with the columns id, k and v; the id is different in each row.

    Attributes:
        text: the query.
        offset: the ids are offset + 10, offset + 20, …; None if they no longer have this form.
        calls_on_v: whether v is also a number that is different in each row.
    """

    text: str
    offset: int | None
    calls_on_v: bool


class Queries:
    """Generate queries.

    Args:
        seed: the same seed gives the same queries.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._numbers = itertools.count(1)
        self._steps = itertools.count()

    def query(self) -> str:
        """Return the text of a query."""
        made = self._relation(self._random.randint(1, 6))
        return self._projected(made).text if self._random.random() < 0.7 else made.text

    # --- relations ---------------------------------------------------------------------------------------------------

    def _relation(self, depth: int) -> Relation:
        if depth == 0:
            return self._table()
        below = self._relation(depth - 1)
        step = self._random.choice(
            (
                self._filtered,
                self._filtered,
                self._filtered,
                self._projected,
                self._with_window,
                self._with_window,
                self._ordered,
                self._limited,
                self._with_correlated_column,
                self._exploded,
                self._grouped,
                self._distinct,
                lambda below: self._united(below, depth - 1),
                lambda below: self._joined(below, depth - 1),
                lambda below: self._joined(below, depth - 1),
                lambda below: self._joined(below, depth - 1),
            )
        )
        return step(below)

    def _table(self) -> Relation:
        offset = 1000 * next(self._numbers)
        ids = sorted(self._random.sample(range(1, 7), self._random.randint(3, 5)))
        rows = [(i * 10 + offset, i % 2, self._random.choice(("NULL", i))) for i in ids]
        values = ", ".join(f"(CAST({i} AS BIGINT), CAST({k} AS BIGINT), CAST({v} AS BIGINT))" for i, k, v in rows)
        return Relation(f"SELECT id, k, v FROM VALUES {values} AS t(id, k, v)", offset, False)

    def _filtered(self, below: Relation) -> Relation:
        return below._replace(text=f"SELECT * FROM ({below.text}) WHERE {self._condition(below)}")

    def _projected(self, below: Relation) -> Relation:
        is_call = self._random.random() < 0.5
        v = self._call(below) if is_call else self._number(below)
        text = f"SELECT id, k, {v} AS v FROM ({below.text})"
        if self._random.random() < 0.2:
            text = f"SELECT id, k, v FROM (SELECT id, k, {v} AS v, {self._call(below)} AS unused FROM ({below.text}))"
        return below._replace(text=text, calls_on_v=False)

    def _with_window(self, below: Relation) -> Relation:
        partition = self._random.choice(("k", f"{self._call(below)} % 2", "1"))
        order = self._random.choice(("id", self._call(below)))
        window = self._random.choice(
            (
                f"ROW_NUMBER() OVER (PARTITION BY {partition} ORDER BY {order})",
                f"SUM({self._number(below)}) OVER (PARTITION BY {partition})",
                f"COUNT({self._number(below)}) OVER (PARTITION BY {partition} ORDER BY {order})",
            )
        )
        found = f"(SELECT MAX(oid) FROM {self._others(below)} WHERE oid = id)"
        k = self._random.choice(("k", "k", f"{self._number(below)} % 2", found))
        v = self._random.choice((window, f"{window} + {self._number(below)}"))
        return below._replace(text=f"SELECT id, {k} AS k, {v} AS v FROM ({below.text})", calls_on_v=False)

    def _ordered(self, below: Relation) -> Relation:
        key = self._random.choice(("id", self._call(below)))
        clause = self._random.choice((f"ORDER BY {key}", f"SORT BY {key}", f"DISTRIBUTE BY {key}"))
        return below._replace(text=f"SELECT * FROM ({below.text}) {clause}")

    def _limited(self, below: Relation) -> Relation:
        key = self._random.choice(("id", "f(id)", "g(id) DESC"))
        return below._replace(text=f"SELECT * FROM ({below.text}) ORDER BY {key} LIMIT {self._random.randint(1, 4)}")

    def _with_correlated_column(self, below: Relation) -> Relation:
        found = f"SELECT id, k, (SELECT MAX(oid) FROM {self._others(below)} WHERE oid = id) AS v FROM ({below.text})"
        text = self._random.choice((found, f"SELECT id, k, v + v AS v FROM ({found})"))
        return below._replace(text=text, calls_on_v=False)

    def _exploded(self, below: Relation) -> Relation:
        step, other = (self._step() for _ in range(2))
        first = self._random.choice(("0", "f(id) - f(id)", "IF(k = 1, g(id) - g(id), 0)"))
        text = (
            f"SELECT id + e AS id, k, v FROM ({below.text}), LATERAL EXPLODE(ARRAY({first} + {step}, {other})) AS x(e)"
        )
        return Relation(text, None, False)

    def _grouped(self, below: Relation) -> Relation:
        step = self._step()
        # A group is not one of its rows, so it gets a new number.
        number = f"(MAX(id) + {step})"
        argument = self._number(below)
        guard = self._random.choice(("", f" FILTER (WHERE {self._condition(below, 1)})"))
        key = self._random.choice(("k", f"({self._call(below)} % 2)"))
        having = self._random.choice(("", f" HAVING f({number}) % 4 > 0"))
        text = (
            f"SELECT {number} AS id, {key} AS k, SUM({argument}){guard} AS v FROM ({below.text}) GROUP BY {key}{having}"
        )
        return Relation(text, None, False)

    def _distinct(self, below: Relation) -> Relation:
        step = self._step()
        columns = self._random.choice(("id, k, v", f"id, k, {self._call(below)} AS v"))
        text = f"SELECT id + {step} AS id, k, v FROM (SELECT DISTINCT {columns} FROM ({below.text}))"
        return Relation(text, None, False)

    def _united(self, below: Relation, depth: int) -> Relation:
        other = self._relation(self._random.randint(0, depth))
        return Relation(f"SELECT * FROM ({below.text}) UNION ALL SELECT * FROM ({other.text})", None, False)

    def _joined(self, left: Relation, depth: int) -> Relation:
        right = self._relation(self._random.randint(0, depth))
        if left.offset is None or right.offset is None:
            return self._filtered(left)
        shift = right.offset - left.offset
        conditions = [
            self._random.choice(
                (
                    f"a.id + {shift} = b.id",
                    f"f(a.id) + {3 * shift} = f(b.id)",
                    f"f(a.id) + {3 * shift} = f(b.id)",
                    f"IF(a.k = 1, f(a.id), a.id * 3 + 7000000000000) + {3 * shift} = f(b.id)",
                    f"a.id + {shift} = b.id AND even(a.id * 7919 + b.id)",
                )
            )
        ]
        if self._random.random() < 0.5:
            conditions.append(
                self._random.choice(
                    ("a.k = 1", "b.k = 0", "f(a.id) % 4 > 1", "f(b.id) % 4 < 3", "g(a.id) % 4 > 0", "even(b.id)")
                )
            )
        condition = " AND ".join(conditions)
        kind = self._random.choice(("JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", ","))
        how = f", ({right.text}) AS b WHERE" if kind == "," else f" {kind} ({right.text}) AS b ON"
        # Take the number from a side that has every row, or make a new one.
        columns, offset = self._random.choice(
            {
                "LEFT JOIN": [("a.id, a.k, b.id AS v", left.offset)],
                "RIGHT JOIN": [("b.id, b.k, a.id AS v", right.offset)],
                "FULL JOIN": [(f"COALESCE(a.id, b.id) + {self._step()} AS id, a.k, b.id AS v", None)],
            }.get(kind, [("a.id, a.k, b.id AS v", left.offset), ("b.id, b.k, a.id AS v", right.offset)])
        )
        return Relation(f"SELECT {columns} FROM ({left.text}) AS a{how} {condition}", offset, True)

    def _step(self) -> int:
        """Return an offset for new numbers; sums of different offsets are different."""
        return 1_000_000_000 << next(self._steps)

    def _others(self, below: Relation) -> str:
        offset = below.offset or 0
        return f"VALUES ({offset + 10}), ({offset + 30}), ({offset + 40}) AS o(oid)"

    # --- expressions -------------------------------------------------------------------------------------------------

    def _call(self, below: Relation) -> str:
        calls = ["f(id)", "f(id)", "f(id)", "g(id)", "f(id + 1)", "g(f(id))"]
        if below.calls_on_v:
            calls += ["f(v)", "f(v)", "g(v)"]
        return self._random.choice(calls)

    def _number(self, below: Relation, depth: int = 2) -> str:
        kind = self._random.randint(0, 6 if depth else 3)
        if kind < 3:
            return self._call(below)
        if kind == 3:
            return self._random.choice(("id", "k", "v"))
        one, other = self._number(below, depth - 1), self._number(below, depth - 1)
        if kind == 4:
            return f"({one} + {other})"
        if kind == 5:
            return f"COALESCE(v, {one}, {other})"
        return f"CASE WHEN {self._condition(below, depth - 1)} THEN {one} ELSE {other} END"

    def _condition(self, below: Relation, depth: int = 2) -> str:
        kind = self._random.randint(0, 8 if depth else 3)
        if kind < 2:
            return f"{self._call(below)} % 4 {self._random.choice(('> 0', '< 3', '> 1'))}"
        if kind < 4:
            return self._random.choice(("k = 1", "k = 0", "v > 2", "v IS NULL", "even(id)", "id % 30 > 0"))
        if kind == 4:
            also = self._random.choice(("", "", " AND f(id) > oid"))
            return f"EXISTS (SELECT 1 FROM {self._others(below)} WHERE oid = id{also})"
        if kind == 8:
            numbers = f"oid * 3 + {self._random.choice((7_000_000_000_000, 7_000_000_000_003))}"
            return f"{self._call(below)} IN (SELECT {numbers} FROM {self._others(below)})"
        one, other = self._condition(below, depth - 1), self._condition(below, depth - 1)
        return f"NOT ({one})" if kind == 7 else f"({one} {'AND' if kind == 5 else 'OR'} {other})"
