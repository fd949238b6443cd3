"""Random MERGE statements over two small tables, and what each does: by a model in Python, and by a join with CASE."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import attrs
from hypothesis import strategies as st

from tableapi import TableEnvironment
from tableapi.expressions import col, lit
from tableapi.row_statements import MergeStatement

Row = tuple[int, int | None, str | None]
"""An id, which is distinct, an amount and a name."""
COLUMNS = {"id": "INT", "amount": "INT", "name": "STRING"}

_AMOUNTS = st.one_of(st.none(), st.integers(-2, 2))
_NAMES = st.one_of(st.none(), st.sampled_from(["a", "b", ""]))


@st.composite
def rows(draw: st.DrawFn) -> list[Row]:
    """Return rows with distinct ids, so that no row of a table matches several."""
    ids = draw(st.lists(st.integers(1, 6), unique=True, max_size=5))
    return [(number, draw(_AMOUNTS), draw(_NAMES)) for number in sorted(ids)]


@attrs.frozen
class Test:
    """A condition of a clause: a comparison of an amount; None means that it cannot be TRUE or FALSE."""

    row: str
    least: int

    def holds(self, target: Row | None, source: Row | None) -> bool:
        """Whether the condition is TRUE for a pair of rows."""
        row = target if self.row == "target" else source
        assert row is not None
        return row[1] is not None and row[1] >= self.least

    def written(self) -> Callable[[Any, Any], Any]:
        """Return the condition as the fluent API takes it."""
        return lambda target, source: (target if self.row == "target" else source).amount >= self.least


@attrs.frozen
class Clause:
    """A clause: its kind, its condition and what it does: ``delete``, ``all``, ``values``."""

    kind: str
    test: Test | None
    action: str

    def act(self, target: Row | None, source: Row | None) -> Row | None:
        """Return the row after the clause, None if it is deleted."""
        if self.action == "delete":
            return None
        if self.action == "all":
            return source
        if self.kind == "not matched":
            assert source is not None
            return (source[0], None if source[1] is None else source[1] + 10, None)
        assert target is not None
        return (target[0], None if target[1] is None else target[1] - 10, "changed")

    def add(self, merge: MergeStatement) -> MergeStatement:
        """Add the clause to a statement."""
        condition = None if self.test is None else self.test.written()
        if self.kind == "matched":
            matched = merge.when_matched(condition)
            if self.action == "values":
                return matched.update(amount=lambda t, s: t.amount - 10, name="changed")
            return matched.delete() if self.action == "delete" else matched.update_all()
        if self.kind == "not matched":
            missing = merge.when_not_matched(condition)
            if self.action == "values":
                return missing.insert(id=col("id"), amount=col("amount") + 10, name=lit(None))
            return missing.insert_all()
        rest = merge.when_not_matched_by_source(condition)
        return rest.delete() if self.action == "delete" else rest.update(amount=col("amount") - 10, name="changed")


_ROWS_OF = {"matched": ("target", "source"), "not matched": ("source",), "not matched by source": ("target",)}
_ACTIONS = {
    "matched": ("delete", "all", "values"),
    "not matched": ("all", "values"),
    "not matched by source": ("delete", "values"),
}


@st.composite
def clauses(draw: st.DrawFn) -> list[Clause]:
    """Return one to five clauses, of which only the last of a kind lacks a condition, and no two have the same."""
    made: list[Clause] = []
    closed: set[str] = set()
    for _ in range(draw(st.integers(1, 5))):
        kind = draw(st.sampled_from(sorted(_ACTIONS)))
        if kind in closed:
            continue
        test = draw(st.one_of(st.none(), st.builds(Test, st.sampled_from(_ROWS_OF[kind]), st.integers(-1, 2))))
        if any((one.kind, one.test) == (kind, test) for one in made):
            # It could never act, and is refused.
            continue
        if test is None:
            closed.add(kind)
        made.append(Clause(kind, test, draw(st.sampled_from(_ACTIONS[kind]))))
    return made


def statement(te: TableEnvironment, table: str, source: Any, given: Sequence[Clause]) -> MergeStatement:
    """Return the MERGE of clauses into a table."""
    merge = te.merge_into(table, source, on="id")
    for clause in given:
        merge = clause.add(merge)
    return merge


def expected(target: Sequence[Row], source: Sequence[Row], given: Sequence[Clause]) -> list[Row]:
    """Return the rows of a table after a MERGE, by id."""
    there, here = {row[0]: row for row in source}, {row[0]: row for row in target}
    after: list[Row] = []
    for row in target:
        other = there.get(row[0])
        kind = "not matched by source" if other is None else "matched"
        clause = _first(given, kind, row, other)
        changed = row if clause is None else clause.act(row, other)
        if changed is not None:
            after.append(changed)
    for row in source:
        if row[0] not in here:
            clause = _first(given, "not matched", None, row)
            inserted = None if clause is None else clause.act(None, row)
            if inserted is not None:
                after.append(inserted)
    return sorted(after, key=lambda row: row[0])


def _first(given: Sequence[Clause], kind: str, target: Row | None, source: Row | None) -> Clause | None:
    for clause in given:
        if clause.kind == kind and (clause.test is None or clause.test.holds(target, source)):
            return clause
    return None


# --- a join with CASE ------------------------------------------------------------------------------------------------

_PAIRS = {
    "matched": "t.id IS NOT NULL AND s.id IS NOT NULL",
    "not matched": "t.id IS NULL",
    "not matched by source": "s.id IS NULL",
}
_VALUES = {
    ("matched", "all"): {"id": "s.id", "amount": "s.amount", "name": "s.name"},
    ("matched", "values"): {"amount": "t.amount - 10", "name": "'changed'"},
    ("not matched", "all"): {"id": "s.id", "amount": "s.amount", "name": "s.name"},
    ("not matched", "values"): {"id": "s.id", "amount": "s.amount + 10", "name": "NULL"},
    ("not matched by source", "values"): {"amount": "t.amount - 10", "name": "'changed'"},
}


def joined(target: str, source: str, given: Sequence[Clause]) -> str:
    """Return the query of the rows that a table has after a MERGE, over relations in SQL."""
    chosen: dict[str, list[str]] = {name: [] for name in (*COLUMNS, "stays")}
    for clause in given:
        row = "" if clause.test is None else f" AND {clause.test.row[0]}.amount >= {clause.test.least}"
        values = _VALUES.get((clause.kind, clause.action), {})
        for name in COLUMNS:
            chosen[name].append(f"WHEN {_PAIRS[clause.kind]}{row} THEN {values.get(name, f't.{name}')}")
        chosen["stays"].append(f"WHEN {_PAIRS[clause.kind]}{row} THEN {str(clause.action != 'delete').upper()}")
    rest = {"stays": "t.id IS NOT NULL"}
    columns = ", ".join(
        f"CASE {' '.join(whens)} ELSE {rest.get(name, f't.{name}')} END AS {name}" for name, whens in chosen.items()
    )
    pairs = f"SELECT {columns} FROM {target} AS t FULL OUTER JOIN {source} AS s ON t.id = s.id"
    return f"SELECT {', '.join(COLUMNS)} FROM ({pairs}) WHERE stays"


def values_of(given: Sequence[Row]) -> str:
    """Return rows as a relation in SQL, which may have none."""
    lines = [
        f"({number}, {'NULL' if amount is None else amount}, {'NULL' if text is None else repr(text)})"
        for number, amount, text in given
    ]
    columns = ", ".join(f"CAST({name} AS {kind}) AS {name}" for name, kind in COLUMNS.items())
    where = "" if lines else " WHERE FALSE"
    return f"(SELECT {columns} FROM VALUES {', '.join(lines or ['(0, 0, NULL)'])} AS v(id, amount, name){where})"
