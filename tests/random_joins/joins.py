"""FROM clauses with the join of a case: its kind, condition, key and names."""

from __future__ import annotations

from tests.random_joins.cases import Case
from tests.random_joins.choices import Choices
from tests.random_joins.relations import From, Relation, in_any_case, key_reference, qualified, reference
from tests.random_joins.tables import columns_of

_WORDS = {
    "inner": ("JOIN", "INNER JOIN"),
    "left": ("LEFT JOIN", "LEFT OUTER JOIN"),
    "right": ("RIGHT JOIN",),
    "full": ("FULL JOIN", "FULL OUTER JOIN"),
    "cross": ("CROSS JOIN",),
    "semi": ("LEFT SEMI JOIN", "SEMI JOIN"),
    "anti": ("LEFT ANTI JOIN", "ANTI JOIN"),
    "comma": (",",),
    "lateral": ("JOIN LATERAL", "CROSS JOIN LATERAL"),
    "left lateral": ("LEFT JOIN LATERAL",),
    "comma lateral": (", LATERAL",),
}
_PLAIN = ("inner", "left", "right", "full", "cross", "semi", "anti", "comma")
# The suffix of table names on the left and on the right side.
_PLACES = {
    "first": (("",), ("",)),
    "middle": (("_m",), ("_m",)),
    "last": (("_l",), ("_l",)),
    "differs": (("", "_m", "_l"), ("_l", "", "_m")),
    "several": (("", "_m"), ("", "_m")),
    "several swapped": (("", "_l"), ("_l", "")),
}
_NAMES = {
    "different": ("l{level}", "r{level}", "m{level}", "n{level}"),
    "equal": ("l", "r", "m", "n"),
    "case": ("l", "R", "m", "N"),
    # Names for columns, and for tables that are not meant.
    "columns": ("k", "v", "a", "b"),
}
LEFT, RIGHT, MORE, LATERAL = range(4)


class FromWriter:
    """Write the FROM clauses of one case."""

    def __init__(self, at: Choices, case: Case) -> None:
        self.at = at
        self.case = case
        self.naming = case["naming"]
        self.steps: dict[str, tuple[str, ...]] = {}
        """The WITH steps that a relation may read, with their columns."""

    def name(self, side: int, level: int) -> str:
        """Return a name for a relation, or an empty string if it has none."""
        if self.naming == "tables":
            return ""
        return _NAMES[self.naming][side].format(level=level)

    def relation(self, side: int, level: int) -> From:
        """Write a relation: a table, a subquery, VALUES or a WITH step."""
        with self.at.part(f"relation {side}"):
            return self._relation(side, level)

    def _relation(self, side: int, level: int) -> From:
        at = self.at
        name = self.name(side, level)
        if self.steps and at.happens(40):
            step = at.one(list(self.steps))
            return self._named(step, name or step, self.steps[step], f" AS {name}" if name else "")
        families = ("a", "c", "b", "e", "d") if side == LEFT else ("b", "c", "a", "d", "e")
        family = families[0]
        if at.happens(50):
            family = at.one(families)
        suffixes = _PLACES[self.case["key"]][min(side, 1)]
        table = family if family == "e" else family + at.one(suffixes)
        columns = columns_of(table)
        form = at.one(("table", "subquery", "swapped", "values", "column names")) if at.happens(35) else "table"
        alias = f" AS {name}" if name else ""
        if form == "subquery":
            return self._named(f"(SELECT * FROM {table})", name, columns, alias)
        if form == "swapped" and len(columns) == 3:
            # The key takes the name of a numeric column, which takes the name of the key.
            other = next(column for column in columns if column not in ("k", "s", "p", "q"))
            key = "p" if "p" in columns else "k"
            swap = {key: other, other: key}
            items = [f"{column} AS {swap[column]}" if column in swap else column for column in columns]
            text = f"(SELECT {', '.join(items)} FROM {table})"
            return self._named(text, name, tuple(swap.get(column, column) for column in columns), alias)
        if form == "values" and name:
            rows = "(1, '1', 11), (2, NULL, 14), (NULL, '2', 13), (2, '3', NULL)"
            columns = ("k", "s", at.one(("v", "w")))
            return self._named(f"(VALUES {rows})", name, columns, f" AS {name}({', '.join(columns)})")
        if form == "column names" and name and family != "e":
            columns = at.one((("k", "s", "v"), ("v", "s", "k"), ("k", "s", "w"))) if family == "d" else columns
            return self._named(table, name, columns, f" AS {name}({', '.join(columns)})")
        return self._named(table, name or table, columns, alias)

    @staticmethod
    def _named(text: str, name: str, columns: tuple[str, ...], alias: str) -> From:
        return From(text + alias, (Relation(name, columns),), columns)

    def single(self, level: int) -> From:
        """Write FROM without a join."""
        return self.relation(LEFT, level)

    def join(self, level: int, outers: list[From]) -> From:
        """Write FROM with the join of the case, and sometimes another join around it."""
        with self.at.part("join"):
            return self._join(level, outers)

    def _join(self, level: int, outers: list[From]) -> From:
        at = self.at
        left, right = self.relation(LEFT, level), self.relation(RIGHT, level)
        joined = self._joined(left, right, self.case["join"], self.case["condition"], level, outers)
        if at.happens(25):
            more = self.relation(MORE, level)
            kind = at.one(_PLAIN)
            condition = at.one(("on", "using", "natural", "none"))
            if at.happens(30) and kind != "comma":
                in_parentheses = From(f"({joined.text})", joined.relations, joined.star, joined.conditions)
                joined = self._joined(more, in_parentheses, kind, condition, level, outers)
            else:
                joined = self._joined(joined, more, kind, condition, level, outers)
        return joined

    def _joined(self, left: From, right: From, kind: str, condition: str, level: int, outers: list[From]) -> From:
        at = self.at
        word = at.one(_WORDS[kind])
        if kind.endswith("lateral"):
            return self._lateral(left, right, word, condition, level)
        conditions = left.conditions + right.conditions
        keys = self._keys(left, right)
        visible = left.relations if kind in ("semi", "anti") else left.relations + right.relations
        if kind == "comma":
            if condition in ("on", "using"):
                conditions = (*conditions, self._on(left, right, []))
            return From(f"{left.text}, {right.text}", visible, left.star + right.star, conditions)
        if condition == "natural":
            keys = [name for name in left.star if name in right.star]
            text = f"{left.text} NATURAL {word} {right.text}"
        elif condition == "using":
            written = ", ".join(in_any_case(at, key, self.naming) for key in keys)
            text = f"{left.text} {word} {right.text} USING ({written})"
        else:
            keys = []
            on = f" ON {self._on(left, right, outers)}" if condition == "on" else ""
            text = f"{left.text} {word} {right.text}{on}"
        rest = tuple(name for name in left.star if name not in keys)
        if kind not in ("semi", "anti"):
            rest += tuple(name for name in right.star if name not in keys)
        return From(text, visible, (*keys, *rest), conditions)

    def _keys(self, left: From, right: From) -> list[str]:
        """Return the columns for USING."""
        common = [name for name in left.star if name in right.star]
        if self.case["key"] == "several":
            return common[:2] or ["k"]
        if self.case["key"] == "several swapped":
            return common[:2][::-1] or ["k"]
        return ["k"] if "k" in common or not common else common[:1]

    def _on(self, left: From, right: From, outers: list[From]) -> str:
        """Return the condition of a join, which may also refer to an outer column."""
        with self.at.part("on"):
            return self._parts_of_on(left, right, outers)

    def _parts_of_on(self, left: From, right: From, outers: list[From]) -> str:
        at, naming = self.at, self.naming
        one, other = at.one(left.relations), at.one(right.relations)
        parts = [f"{key_reference(at, one, naming)} = {key_reference(at, other, naming)}"]
        if self.case["key"].startswith("several") and "s" in one.columns and "s" in other.columns:
            parts.append(f"{qualified(at, one, 's', naming)} = {qualified(at, other, 's', naming)}")
        if at.happens(30):
            parts.append(f"{reference(at, left, naming)} {at.one(('<', '>=', '<=>'))} {reference(at, right, naming)}")
        if outers and at.happens(35):
            inner = at.one((right, left))
            parts.append(
                f"{reference(at, inner, naming)} {at.one(('<', '>', '='))} {reference(at, outers[-1], naming)}"
            )
        if at.happens(8):
            inner = self.relation(MORE, 7)
            key = key_reference(at, inner.left, naming)
            outer = key_reference(at, at.one((one, other)), naming)
            parts.append(f"{at.one(('', 'NOT '))}EXISTS (SELECT * FROM {inner.text} WHERE {key} = {outer})")
        if at.happens(15):
            parts.reverse()
        return " AND ".join(parts)

    def _lateral(self, left: From, right: From, word: str, condition: str, level: int) -> From:
        """Write a lateral join with a subquery over the right side."""
        at, naming = self.at, self.naming
        name = self.name(LATERAL, level) or "t"
        key, outer = key_reference(at, right.left, naming), key_reference(at, at.one(left.relations), naming)
        where = f"{key} {at.one(('=', '<='))} {outer}"
        if at.happens(30):
            where += f" AND {reference(at, right, naming)} > {reference(at, left, naming)}"
        form = at.one(("star", "columns", "aggregate", "union"))
        if form == "star":
            items, columns = "*", right.star
        elif form == "columns":
            value = reference(at, right, naming)
            columns = (at.one(("k", "n")), "v")
            items = f"{value} AS {columns[0]}, {reference(at, left, naming)} AS {columns[1]}"
        else:
            items, columns = f"max({reference(at, right, naming)}) AS k, count(*) AS n", ("k", "n")
        query = f"SELECT {items} FROM {right.text} WHERE {where}"
        if form == "union":
            query += f" UNION ALL SELECT {reference(at, left, naming)}, 5"
        is_natural = condition == "natural" and not word.startswith(",")
        text = f"{left.text} NATURAL {word}" if is_natural else f"{left.text} {word}"
        text = f"{text} ({query}) AS {name}"
        lateral = From(name, (Relation(name, columns),), columns)
        conditions = left.conditions
        if condition == "using":
            text += " USING (k)"
        elif condition == "on" and word.startswith(","):
            conditions = (*conditions, self._on(left, lateral, []))
        elif condition == "on":
            text += f" ON {self._on(left, lateral, []) if at.happens(60) else 'true'}"
        return From(text, left.relations + lateral.relations, left.star + columns, conditions)
