"""Random queries of the fluent API, each with equivalent SQL in which all names are distinct.

The SQL gives every relation its own name and qualifies each column, so that no name can be captured. If the case asks
for it, the fluent query gives equal names to the tables of all levels.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from tableapi import Table, TableEnvironment
from tests.random_joins.cases import Case, choose_case
from tests.random_joins.choices import Choices
from tests.random_joins.relations import is_number
from tests.random_joins.tables import TEXTS, columns_of

DIMENSIONS: dict[str, tuple[str, ...]] = {
    "join": ("inner", "left", "right", "full", "cross", "semi", "anti", "lateral", "left lateral"),
    "condition": ("on", "several", "none"),
    "key": ("first", "middle", "last", "differs"),
    "selection": ("all", "left", "right", "drop", "swap", "rename", "replace", "add"),
    "correlation": ("none", "exists", "not exists", "in", "not in", "scalar", "lateral", "left lateral"),
    "depth": ("1", "2", "3"),
    "place": ("outside", "inside", "both"),
    "naming": ("equal", "different"),
    "around": (
        "nothing",
        "filter",
        "union all",
        "union",
        "intersect",
        "minus",
        "distinct",
        "group by",
        "having",
        "order by",
        "joined with itself",
    ),
}
_SUFFIXES = {"first": ("", ""), "middle": ("_m", "_m"), "last": ("_l", "_l"), "differs": ("", "_l")}


@frozen
class FluentQuery:
    """A fluent query as code, the equivalent SQL text, and its case."""

    code: str
    sql: str
    case: Case
    is_ordered: bool = False

    @property
    def text(self) -> str:
        """The text that Spark runs."""
        return self.sql

    def build(self, environment: TableEnvironment) -> Table:
        """Return the query."""
        scope: dict[str, Any] = {"te": environment}
        exec("from tableapi.expressions import col, exists, lit, scalar\n" + self.code, scope)
        table = scope["result"]
        assert isinstance(table, Table)
        return table


@frozen
class Piece:
    """A table of the program: its variable, the name and text of its relation in SQL, and its columns.

    A column is a pair of its name and the name of the kind of values that it holds.
    """

    variable: str
    relation: str
    sql: str
    columns: tuple[tuple[str, str], ...]

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [name for name, _ in self.columns]

    @property
    def numbers(self) -> list[str]:
        """The names of the numeric columns."""
        return [name for name, kind in self.columns if is_number(kind)]

    def kind(self, name: str) -> str:
        """Return the kind of values in a column."""
        return dict(self.columns)[name]

    def source(self) -> str:
        """Return the piece as a FROM relation."""
        return f"({self.sql}) AS {self.relation}"

    def items(self, names: list[str] | None = None) -> str:
        """Return columns as SELECT items."""
        return ", ".join(f"{self.relation}.{name}" for name in (self.names if names is None else names))


def write_fluent_query(at: Choices) -> FluentQuery:
    """Return a random query."""
    return _FluentWriter(at, choose_case(at, DIMENSIONS)).query()


class _FluentWriter:
    """Writes one program."""

    def __init__(self, at: Choices, case: Case) -> None:
        self.at = at
        self.case = case
        self.lines: list[str] = []
        self.depth = 0 if case["correlation"] == "none" else int(case["depth"])
        self.count = 0

    def query(self) -> FluentQuery:
        """Write the program."""
        piece = self._level(0, [])
        piece = self._selection(piece)
        piece, is_ordered = self._around(piece)
        self.lines.append(f"result = {piece.variable}")
        return FluentQuery("\n".join(self.lines), piece.sql, self.case, is_ordered)

    def _put(self, code: str, sql: str, columns: Any) -> Piece:
        """Add a line to the program, and return the piece that the line makes."""
        number = self.count
        self.count += 1
        self.lines.append(f"t{number} = {code}")
        return Piece(f"t{number}", f"x{number}", sql, tuple(columns))

    # --- tables -------------------------------------------------------------------------------------------------------

    def _base(self, side: int, level: int) -> Piece:
        """Write a table; if the case asks for it, its column names differ on each level."""
        with self.at.part(f"table {side}"):
            return self._parts_of_base(side, level)

    def _parts_of_base(self, side: int, level: int) -> Piece:
        at = self.at
        families = ("a", "c", "b", "d") if side == 0 else ("b", "c", "a", "d")
        family = families[0] if at.happens(50) else at.one(families)
        table = family + _SUFFIXES[self.case["key"]][min(side, 1)]
        columns = columns_of(table)
        piece = self._put(f"te.from_path('{table}')", f"SELECT * FROM {table}", [(name, name) for name in columns])
        if self.case["naming"] == "different":
            return self._renamed(piece, [f"{name}{level}" for name in columns], "alias")
        if at.happens(20) and len(piece.numbers) > 1:
            # The key takes the name of a numeric column, which takes the name of the key.
            one, other = piece.numbers[:2]
            swap = {one: other, other: one}
            return self._renamed(piece, [swap.get(name, name) for name in piece.names], "select")
        return piece

    def _renamed(self, piece: Piece, names: list[str], form: str) -> Piece:
        """Write a table with renamed columns."""
        items = ", ".join(f"{piece.relation}.{old} AS {new}" for old, new in zip(piece.names, names, strict=True))
        sql = f"SELECT {items} FROM {piece.source()}"
        columns = [(new, kind) for new, (_, kind) in zip(names, piece.columns, strict=True)]
        if form == "alias":
            code = f"{piece.variable}.alias({', '.join(map(repr, names))})"
        else:
            pairs = [(old, new) for old, new in zip(piece.names, names, strict=True) if form == "select" or old != new]
            written = ", ".join(f"col({old!r}).alias({new!r})" for old, new in pairs)
            code = f"{piece.variable}.{form}({written})"
        return self._put(code, sql, columns)

    def _apart(self, piece: Piece, others: list[str]) -> Piece:
        """Write a table whose column names differ from all other columns' names."""
        taken, names = set(others), []
        for name in piece.names:
            new = name
            while new in taken:
                new = f"{'r_' if self.case['naming'] == 'equal' else 'q_'}{new}"
            taken.add(new)
            names.append(new)
        if names == piece.names:
            return piece
        return self._renamed(piece, names, self.at.one(("rename_columns", "alias", "select")))

    # --- joins --------------------------------------------------------------------------------------------------------

    def _level(self, level: int, outers: list[Piece]) -> Piece:
        """Write the query of one correlation level: tables, conditions, and the subqueries below."""
        with self.at.part(f"level {level}"):
            return self._parts_of_level(level, outers)

    def _parts_of_level(self, level: int, outers: list[Piece]) -> Piece:
        place = self.case["place"]
        has_join = (level == 0 and (place != "inside" or not self.depth)) or (
            level == self.depth and place != "outside"
        )
        piece = self._base(0, level)
        if outers and self.at.happens(50):
            piece = self._correlated(piece, outers)
            outers = []
        if has_join:
            piece = self._join(piece, level, outers)
        if outers:
            piece = self._correlated(piece, outers)
        elif self.at.happens(25) and piece.numbers:
            name, number = self.at.one(piece.numbers), self.at.one((1, 12))
            piece = self._put(
                f"{piece.variable}.filter(col({name!r}) > {number})",
                f"SELECT * FROM {piece.source()} WHERE {piece.relation}.{name} > {number}",
                piece.columns,
            )
        if level < self.depth:
            kind = self.case["correlation"]
            if level and self.at.happens(40):
                kind = self.at.one(("exists", "in", "scalar", "lateral"))
            piece = self._with_subquery(piece, kind, level)
        return piece

    def _outer(self, piece: Piece, outers: list[Piece]) -> tuple[str, str] | None:
        """Choose an outer column, in code and in SQL, from the nearest outer query or from the only one that has it."""
        choices = []
        for depth, outer in enumerate(reversed(outers)):
            nearer = {name for other in list(reversed(outers))[:depth] for name in other.names}
            choices += [(outer, name) for name in outer.numbers if name not in nearer]
        if not choices:
            return None
        outer, name = self.at.one(choices)
        return f"{outer.variable}.outer({name!r})", f"{outer.relation}.{name}"

    def _correlated(self, piece: Piece, outers: list[Piece]) -> Piece:
        """Write a filter that compares a column with an outer column."""
        found = self._outer(piece, outers)
        if found is None or not piece.numbers:
            return piece
        name, operator = self.at.one(piece.numbers), self.at.one(("=", "<", ">="))
        code_operator = "==" if operator == "=" else operator
        return self._put(
            f"{piece.variable}.filter(col({name!r}) {code_operator} {found[0]})",
            f"SELECT * FROM {piece.source()} WHERE {piece.relation}.{name} {operator} {found[1]}",
            piece.columns,
        )

    def _condition(self, left: Piece, right: Piece) -> tuple[str, str]:
        """Return the condition of a join, in code and in SQL."""
        at = self.at
        pairs = [(self._key(left), self._key(right), "=")]
        texts = [[name for name, kind in piece.columns if kind in TEXTS] for piece in (left, right)]
        if self.case["condition"] == "several" and all(texts):
            pairs.append((at.one(texts[0]), at.one(texts[1]), "="))
        if at.happens(30) and left.numbers and right.numbers:
            pairs.append((at.one(left.numbers), at.one(right.numbers), at.one(("<", ">="))))
        code = " & ".join(f"(col({a!r}) {'==' if op == '=' else op} col({b!r}))" for a, b, op in pairs)
        return code, " AND ".join(f"{left.relation}.{a} {op} {right.relation}.{b}" for a, b, op in pairs)

    def _key(self, piece: Piece) -> str:
        keys = [name for name, kind in piece.columns if kind in ("k", "p")]
        return keys[0] if keys else (piece.numbers or piece.names)[0]

    def _join(self, left: Piece, level: int, outers: list[Piece]) -> Piece:
        """Write the join of the case."""
        at, kind = self.at, self.case["join"]
        right = self._base(1, level)
        if kind in ("semi", "anti"):
            inner = self._correlated(right, [*outers, left])
            found = f"exists({inner.variable})"
            word = "NOT " if kind == "anti" else ""
            return self._put(
                f"{left.variable}.filter({'~' if kind == 'anti' else ''}{found})",
                f"SELECT * FROM {left.source()} WHERE {word}EXISTS ({inner.sql})",
                left.columns,
            )
        if kind.endswith("lateral"):
            inner = self._apart(self._correlated(right, [*outers, left]), left.names)
            return self._lateral(left, inner, kind)
        if outers and at.happens(30):
            right = self._correlated(right, outers)
        right = self._apart(right, left.names)
        columns = left.columns + right.columns
        items = f"{left.items()}, {right.items()}"
        is_crossed = kind == "cross" or (self.case["condition"] == "none" and kind in ("inner", "left"))
        if is_crossed:
            method, word = ("left_outer_join", "LEFT JOIN") if kind == "left" else ("join", "CROSS JOIN")
            return self._put(
                f"{left.variable}.{method}({right.variable})",
                f"SELECT {items} FROM {left.source()} {word} {right.source()}",
                columns,
            )
        code, sql = ("lit(True)", "true") if self.case["condition"] == "none" else self._condition(left, right)
        method, word = {
            "inner": ("join", "JOIN"),
            "left": ("left_outer_join", "LEFT JOIN"),
            "right": ("right_outer_join", "RIGHT JOIN"),
            "full": ("full_outer_join", "FULL JOIN"),
        }[kind]
        if kind == "inner" and at.happens(30):
            code = f"{left.variable}.join({right.variable}).filter({code})"
        else:
            code = f"{left.variable}.{method}({right.variable}, {code})"
        return self._put(code, f"SELECT {items} FROM {left.source()} {word} {right.source()} ON {sql}", columns)

    def _lateral(self, left: Piece, inner: Piece, kind: str) -> Piece:
        """Write a lateral join of two tables whose columns have distinct names."""
        method, word = ("left_outer_join_lateral", "LEFT JOIN") if "left" in kind else ("join_lateral", "JOIN")
        return self._put(
            f"{left.variable}.{method}({inner.variable})",
            f"SELECT {left.items()}, {inner.items()} FROM {left.source()} {word} LATERAL {inner.source()}",
            left.columns + inner.columns,
        )

    def _with_subquery(self, piece: Piece, kind: str, level: int) -> Piece:
        """Write a table that a correlated subquery of a kind filters or extends."""
        at = self.at
        inner = self._level(level + 1, [piece])
        if kind in ("exists", "not exists"):
            negated = kind == "not exists"
            return self._put(
                f"{piece.variable}.filter({'~' * negated}exists({inner.variable}))",
                f"SELECT * FROM {piece.source()} WHERE {'NOT ' * negated}EXISTS ({inner.sql})",
                piece.columns,
            )
        value = at.one(inner.numbers or inner.names)
        if kind in ("in", "not in"):
            negated = kind == "not in"
            mine = at.one(piece.numbers or piece.names)
            one = self._put(
                f"{inner.variable}.select(col({value!r}))",
                f"SELECT {inner.relation}.{value} FROM {inner.source()}",
                [(value, inner.kind(value))],
            )
            return self._put(
                f"{piece.variable}.filter({'~' * negated}col({mine!r}).in_({one.variable}))",
                f"SELECT * FROM {piece.source()} WHERE {piece.relation}.{mine} {'NOT ' * negated}IN ({one.sql})",
                piece.columns,
            )
        new = self._new_name(piece)
        if kind == "scalar":
            function = at.one(("max", "count", "sum"))
            one = self._put(
                f"{inner.variable}.select(col({value!r}).{function}.alias('m'))",
                f"SELECT {function}({inner.relation}.{value}) AS m FROM {inner.source()}",
                [("m", "k")],
            )
            return self._put(
                f"{piece.variable}.add_columns(scalar({one.variable}).alias({new!r}))",
                f"SELECT {piece.items()}, ({one.sql}) AS {new} FROM {piece.source()}",
                (*piece.columns, (new, "k")),
            )
        if at.happens(50):
            inner = self._put(
                f"{inner.variable}.select(col({value!r}).max.alias({new!r}))",
                f"SELECT max({inner.relation}.{value}) AS {new} FROM {inner.source()}",
                [(new, inner.kind(value))],
            )
        return self._lateral(piece, self._apart(inner, piece.names), kind)

    @staticmethod
    def _new_name(piece: Piece) -> str:
        return next(name for name in ("w", "n", "m", "n2", "n3", "n4", "n5") if name not in piece.names)

    # --- SELECT lists, and the operations around ----------------------------------------------------------------------

    def _selection(self, piece: Piece) -> Piece:
        """Write the columns that the case asks for."""
        kind, at, names = self.case["selection"], self.at, piece.names
        if kind in ("left", "right"):
            chosen = names[:2] if kind == "left" else names[: -len(names) // 2 - 1 : -1]
            code = f"{piece.variable}.select({', '.join(f'col({name!r})' for name in chosen)})"
            sql = f"SELECT {piece.items(chosen)} FROM {piece.source()}"
            return self._put(code, sql, [(name, piece.kind(name)) for name in chosen])
        if kind == "drop" and len(names) > 1:
            gone = at.one(names)
            rest = [name for name in names if name != gone]
            sql = f"SELECT {piece.items(rest)} FROM {piece.source()}"
            code = f"{piece.variable}.drop_columns(col({gone!r}))"
            return self._put(code, sql, [(name, piece.kind(name)) for name in rest])
        if kind == "swap" and len(names) > 1:
            return self._renamed(piece, [names[-1], *names[1:-1], names[0]], at.one(("select", "alias")))
        if kind == "rename":
            gone = at.one(names)
            new = self._new_name(piece)
            return self._renamed(piece, [new if name == gone else name for name in names], "rename_columns")
        if kind in ("replace", "add") and piece.numbers:
            value = at.one(piece.numbers)
            name = at.one(names) if kind == "replace" else self._new_name(piece)
            items = [f"{piece.relation}.{value} + 1 AS {name}" if n == name else piece.items([n]) for n in names]
            columns = [(n, "k" if n == name else held) for n, held in piece.columns]
            if kind == "add":
                items.append(f"{piece.relation}.{value} + 1 AS {name}")
                columns.append((name, "k"))
            method = "add_or_replace_columns" if kind == "replace" else "add_columns"
            code = f"{piece.variable}.{method}((col({value!r}) + 1).alias({name!r}))"
            return self._put(code, f"SELECT {', '.join(items)} FROM {piece.source()}", columns)
        return piece

    def _around(self, piece: Piece) -> tuple[Piece, bool]:
        """Write the operations around the query, and whether they determine the order of the rows."""
        at, kind, v = self.at, self.case["around"], piece.variable
        key = at.one(piece.names)
        value = at.one(piece.numbers or piece.names)
        if kind == "filter" and piece.numbers:
            sql = f"SELECT * FROM {piece.source()} WHERE {piece.relation}.{value} > 1"
            return self._put(f"{v}.filter(col({value!r}) > 1)", sql, piece.columns), False
        if kind in ("union all", "union", "intersect", "minus"):
            other = piece
            if piece.numbers and at.happens(70):
                other = self._put(
                    f"{v}.filter(col({value!r}) > 2)",
                    f"SELECT * FROM {piece.source()} WHERE {piece.relation}.{value} > 2",
                    piece.columns,
                )
            sql = f"({piece.sql}) {kind.upper()} ({other.sql})"
            method = f"{v}.{kind.replace(' ', '_')}"
            return self._put(f"{method}({other.variable})", sql, piece.columns), False
        if kind == "distinct":
            return self._put(f"{v}.distinct()", f"SELECT DISTINCT * FROM {piece.source()}", piece.columns), False
        if kind in ("group by", "having"):
            code = f"{v}.group_by(col({key!r})).select(col({key!r}), col({value!r}).max.alias('g'))"
            items = f"{piece.relation}.{key}, max({piece.relation}.{value}) AS g"
            sql = f"SELECT {items} FROM {piece.source()} GROUP BY {piece.relation}.{key}"
            if key == "g":
                return piece, False
            if kind == "having":
                code += ".filter(col('g') > 1)"
                sql += f" HAVING max({piece.relation}.{value}) > 1"
            return self._put(code, sql, [(key, piece.kind(key)), ("g", piece.kind(value))]), False
        if kind == "order by":
            order = [key, *(name for name in piece.names if name != key)]
            keys = ", ".join(f"col({name!r}){'.desc' if name == key else ''}" for name in order)
            by = ", ".join(f"{piece.relation}.{name}{' DESC' if name == key else ''}" for name in order)
            sql = f"SELECT * FROM {piece.source()} ORDER BY {by} LIMIT 3"
            return self._put(f"{v}.order_by({keys}).fetch(3)", sql, piece.columns), True
        if kind == "joined with itself":
            other = self._apart(piece, piece.names)
            mine, theirs = self._key(piece), self._key(other)
            on = f"{piece.relation}.{mine} = {other.relation}.{theirs}"
            return self._put(
                f"{v}.left_outer_join({other.variable}, col({mine!r}) == col({theirs!r}))",
                f"SELECT {piece.items()}, {other.items()} FROM {piece.source()} LEFT JOIN {other.source()} ON {on}",
                piece.columns + other.columns,
            ), False
        return piece, False
