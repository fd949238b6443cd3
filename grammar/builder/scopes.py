"""What names mean: the columns of the relations in FROM, and those of the queries around."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

import attrs

from grammar import syntax as s
from grammar.errors import Misread
from ir.errors import did_you_mean, listing, shortened
from ir.expressions import (
    Call,
    Expression,
    FieldReference,
    OuterReference,
    UnresolvedCall,
)
from ir.functions.collection import GET
from ir.identifiers import fold
from ir.literals import literal
from ir.names import Names
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.types import ArrayType, LogicalType, MapType, RowType, VariantType


@attrs.define(eq=False, slots=True)
class Column:
    """A column that names may mean.

    ``name`` is what it is called in the text and ``field`` what it is called in the operation, where names are unique;
    ``qualifier`` holds the names that may stand before it, folded. One that is ``hidden`` is a key that a join by USING
    or NATURAL leaves out: it is in the star of its relation alone, and is named with that.
    """

    name: str
    qualifier: tuple[str, ...]
    field: FieldReference
    hidden: bool = False
    origin: object | None = None
    """Shared by columns that are the very same one, so that a name may mean any of them."""

    def moved(self, field: FieldReference, *, hidden: bool | None = None) -> Column:
        """Return the column as it is in another operation, where its field is another one."""
        return Column(self.name, self.qualifier, field, self.hidden if hidden is None else hidden, self.origin)


def column_of(name: str, qualifier: tuple[str, ...], expression: Expression) -> Column:
    """Return a column that stands for an expression: what Flink's window table functions add, and fields in a star."""
    return Column(name, qualifier, expression)  # type: ignore[arg-type]  # a computed column stands for itself


@attrs.define(eq=False, slots=True)
class Relation:
    """An operation and what its columns are called."""

    operation: QueryOperation
    columns: list[Column]
    sources: Sequence[tuple[str, ...]] = ()
    """What may stand before the columns that a SELECT takes as they are, in the ORDER BY of a set operation of it."""
    is_cast: bool = False
    """Whether it is there only because Flink's SQL casts what a set operation is over."""
    around: Scope | None = None
    """Of a query of WITH that refers to columns of the query around, the scope of these."""
    without_limit: Relation | None = None
    """Of a recursive query of WITH, what LIMIT ALL makes of it."""
    alias: str | None = None
    """What the relation is called as a whole, as it is spelled."""

    @staticmethod
    def of(operation: QueryOperation, names: Sequence[str] | None = None, qualifier: tuple[str, ...] = ()) -> Relation:
        """Return the relation of an operation, whose columns may have other names in the text."""
        fields = operation.schema.columns
        shown = [column.name for column in fields] if names is None else names
        columns = [
            Column(name, qualifier, FieldReference(column.name, column.data_type, 0, index))
            for index, (name, column) in enumerate(zip(shown, fields, strict=True))
        ]
        return Relation(operation, columns)

    @property
    def names(self) -> list[str]:
        """What the columns are called, in order, those in no star left out."""
        return [column.name for column in self.columns if not column.hidden]

    def by_name(self) -> dict[str, Column]:
        """Return the columns that a star stands for, by their folded names; of several of a name, the first."""
        found: dict[str, Column] = {}
        for column in self.columns:
            if not column.hidden:
                found.setdefault(fold(column.name), column)
        return found

    def renamed(self, qualifier: tuple[str, ...], names: Sequence[str] | None = None) -> Relation:
        """Return the relation under an alias, and perhaps with other names of its columns."""
        visible = [column for column in self.columns if not column.hidden]
        shown = [column.name for column in visible] if names is None else names
        # The same query under another alias has columns of its own, and so have other names.
        own = {id(c.origin): object() for c in visible if c.origin is not None} if names is None else {}
        columns = [
            Column(name, qualifier, c.field, False, own.get(id(c.origin)))
            for name, c in zip(shown, visible, strict=True)
        ]
        return Relation(self.operation, columns)

    def without(self, taken: Iterable[str]) -> Relation:
        """Return the relation with fields whose names differ from those that are taken; what they are called stays."""
        occupied = Names(taken)
        fields = self.operation.schema.columns
        if all(occupied.is_free(column.name) for column in fields):
            return self
        for column in fields:
            if occupied.is_free(column.name):
                occupied.take(column.name)
        qualifiers = {c.field.index: c.qualifier[-1] for c in self.columns if c.qualifier}
        taken_names = Names(taken)
        chosen: list[str] = []
        for index, column in enumerate(fields):
            name = column.name
            if not taken_names.is_free(name):
                name = f"{qualifiers[index]}_{name}" if index in qualifiers else name
                if not occupied.is_free(name):
                    name = occupied.generate(f"{column.name}_", 0)
                occupied.take(name)
            chosen.append(name)
        own = tuple([FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(fields)])
        operation = project(self.operation, own, tuple(chosen))
        made = operation.schema.columns
        columns = [
            c.moved(FieldReference(made[c.field.index].name, made[c.field.index].data_type, 0, c.field.index))
            for c in self.columns
        ]
        return Relation(operation, columns, alias=self.alias)


class Scope:
    """The columns of the relations of one query, and the scope of the query around it."""

    def __init__(self, columns: Sequence[Column], parent: Scope | None = None, advice: str = "") -> None:
        self.columns = columns
        self.parent = parent
        # What an error about a name says besides.
        self.advice = advice
        # Aggregates of this query for which queries in its HAVING ask, by the names under which they do.
        self.aggregates: dict[str, Call] = {}
        # The columns of its SELECT by their aliases and the keys of its groups, while that HAVING is being built.
        self.outputs_of_groups: Mapping[str, Expression] | None = None
        self.keys_of_groups: Sequence[Expression] = ()
        self._by_name: dict[str, list[Column]] = {}
        self._hidden_by_name: dict[str, list[Column]] = {}
        for column in columns:
            by_name = self._hidden_by_name if column.hidden else self._by_name
            by_name.setdefault(fold(column.name), []).append(column)

    def find(self, path: s.Path) -> Expression | None:
        """Return what names with dots between them mean here or in the query around, or None.

        Raises:
            Misread: they may mean several things, or something that no reference reaches.
        """
        found = self.own(path)
        if found is not None:
            return found
        level, scope = 1, self.parent
        while scope is not None:
            column = scope.column(path)
            if column is not None:
                reference, rest = column
                if level > 1:
                    raise Misread(
                        path.position,
                        f"{shown(path)} is a column of a query, or a parameter of a function, two levels further out. "
                        "A subquery may refer to the query that it is part of, and to nothing further out. Spark "
                        "has it so as well: select it under a name in the query between them, and refer to that.",
                    )
                return fields_of(OuterReference(reference.field.name, reference.field.data_type), rest)
            level, scope = level + 1, scope.parent
        return None

    def own(self, path: s.Path) -> Expression | None:
        """Return what names with dots between them mean among the columns of this query, or None."""
        found = self.column(path)
        return None if found is None else fields_of(found[0].field, found[1])

    def column(self, path: s.Path) -> tuple[Column, Sequence[s.Name]] | None:
        """Return the column that names with dots between them begin with, and the names of the fields within it.

        As in Spark, the longest qualifier that fits counts.
        """
        return self._column(path, self._by_name, 0) or self._column(path, self._hidden_by_name, 1)

    def _column(
        self, path: s.Path, by_name: Mapping[str, list[Column]], shortest: int
    ) -> tuple[Column, Sequence[s.Name]] | None:
        """Return the column among some that a path begins with, with so many names before its own at least."""
        names = path.names
        if len(names) == 1:
            found = None if shortest else by_name.get(fold(names[0].text))
            return None if found is None else (self._only(found, path), ())
        folded = [fold(name.text) for name in names]
        for length in range(min(len(names) - 1, 3), shortest - 1, -1):
            qualifier = tuple(folded[:length])
            candidates = by_name.get(folded[length])
            if candidates is None:
                continue
            if length:
                candidates = [c for c in candidates if c.qualifier[-length:] == qualifier]
            if candidates:
                return self._only(candidates, path), names[length + 1 :]
        return None

    def is_among(self, path: s.Path, columns: Container[Expression]) -> bool:
        """Whether names mean one of some columns of this query, or something within one."""
        try:
            found = self.column(path)
        except Misread:
            # Several columns are called so.
            return False
        return found is not None and found[0].field in columns

    def has_fields(self, path: s.Path) -> bool:
        """Whether names mean a column of this query, or something within one that may have fields."""
        found = self.column(path)
        return found is not None and (not found[1] or isinstance(type_of(found[0]), _WITH_FIELDS))

    def has_elements(self, path: s.Path) -> bool:
        """Whether a name means a column of this query whose values have elements."""
        found = self.column(path)
        return found is not None and isinstance(type_of(found[0]), _WITH_FIELDS)

    def _only(self, found: list[Column], path: s.Path) -> Column:
        if len(found) > 1:
            if len({id(column.origin) if column.origin is not None else id(column) for column in found}) == 1:
                return found[0]
            options = dict.fromkeys(".".join([*column.qualifier[-1:], column.name]) for column in found)
            advice = (
                f" Write one of [{listing(options)}]."
                if len(options) == len(found) and all(column.qualifier for column in found)
                else " Give the relations aliases, and write the alias before the name."
            )
            raise Misread(
                path.position,
                f"Ambiguous column name: {shown(path)}; {len(found)} columns have it.{advice}",
                "AMBIGUOUS_REFERENCE",
            )
        return found[0]

    def star(self, qualifier: s.Path | None) -> list[Column]:
        """Return the columns that a star stands for."""
        if qualifier is None:
            return [column for column in self.columns if not column.hidden]
        found = self._columns_of(qualifier)
        # As in Spark, keys that a join has left out come first; in the star they are columns like others.
        left_out = [c.moved(c.field, hidden=False) for c in found if c.hidden]
        return [*left_out, *[c for c in found if not c.hidden]]

    def is_seen(self, qualifier: s.Path) -> bool:
        """Whether a column of a relation is one of the columns of ``*``."""
        return any(not column.hidden for column in self._columns_of(qualifier))

    def is_called(self, field: Expression, name: str) -> bool:
        """Whether a field is a column of a name."""
        return any(fold(column.name) == fold(name) and column.field is field for column in self.columns)

    def _columns_of(self, qualifier: s.Path) -> list[Column]:
        parts = tuple([fold(name.text) for name in qualifier.names])
        return [c for c in self.columns if c.qualifier and c.qualifier[-len(parts) :] == parts]

    def star_around(self, qualifier: s.Path | None) -> list[Column]:
        """Return the columns of a relation of the query around that a star stands for."""
        if self.parent is None or qualifier is None:
            return []
        return [
            column_of(c.name, c.qualifier, OuterReference(c.field.name, c.field.data_type))
            for c in self.parent.star(qualifier)
        ]

    def fields(self, path: s.Path | None) -> list[Column] | None:
        """Return the fields of a column that is a row, as columns; None of anything else."""
        found = None if path is None else self.column(path)
        if found is None:
            return None
        column, rest = found
        data_type: LogicalType = column.field.data_type
        for name in rest:
            wanted = fold(name.text)
            inner = [f for f in data_type.fields if fold(f.name) == wanted] if isinstance(data_type, RowType) else []
            if len(inner) != 1:
                return None
            data_type = inner[0].data_type
        if not isinstance(data_type, RowType):
            return None
        base = fields_of(column.field, rest)
        fields = [UnresolvedCall(GET, (base, literal(f.name))) for f in data_type.fields]
        # A field is no column of its own, but is named like one.
        return [column_of(f.name, (), made) for f, made in zip(data_type.fields, fields, strict=True)]

    def unknown(self, path: s.Path, further: Iterable[str] = ()) -> Misread:
        """Return the error about names that mean nothing."""
        names = [column.name for column in self.columns if not column.hidden]
        given = path.names[-1].text
        condition = f"UNRESOLVED_COLUMN.{'WITH' if names else 'WITHOUT'}_SUGGESTION"
        qualifiers = list(dict.fromkeys(c.qualifier[-1] for c in self.columns if c.qualifier))
        if len(path.names) == 2 and fold(path.names[0].text) not in qualifiers:
            outer = self.parent
            while outer is not None:
                if any(c.qualifier[-1:] == (fold(path.names[0].text),) for c in outer.columns):
                    return outer.unknown(path)
                outer = outer.parent
            return Misread(
                path.position,
                f"Cannot resolve {shown(path)}: there is no relation or column {path.names[0].text!r} here; the "
                f"relations are [{listing(qualifiers)}], the columns [{listing(names)}]."
                + did_you_mean(path.names[0].text, [*qualifiers, *names])
                + self.advice,
                condition,
            )
        if len(path.names) >= 2:
            names = [c.name for c in self.columns if c.qualifier[-1:] == (fold(path.names[-2].text),)] or names
        if not self.columns and not further:
            message = f"Cannot resolve {shown(path)}: no columns are in scope here.{self.advice}"
            return Misread(path.position, message, condition)
        return Misread(
            path.names[-1].position,
            f"Cannot resolve field [{shown(path)}], input field list:[{listing(names)}]."
            + did_you_mean(given, [*names, *further]),
            condition,
        )


def wrong_count(given: int, names: Sequence[str]) -> tuple[str, str]:
    """Return the message about as many names for other columns, and Spark's condition."""
    columns = f"{len(names)} column{'' if len(names) == 1 else 's'}"
    verb = "name is" if given == 1 else "names are"
    return f"{given} {verb} given to {columns}: [{listing(names)}].", "ASSIGNMENT_ARITY_MISMATCH"


def shown(path: s.Path) -> str:
    """Return names as they were written."""
    return shortened(".".join(name.text for name in path.names))


def fields_of(base: Expression, names: Sequence[s.Name]) -> Expression:
    """Return a field of a field … of a value."""
    for name in names:
        base = UnresolvedCall(GET, (base, literal(name.text)))
    return base


def require_columns(relation: Relation, position: int) -> None:
    """Refuse a query without columns where its value, and not its rows alone, is asked for.

    Raises:
        Misread: so it is.
    """
    if not relation.names:
        message = "The query has no columns, and so no value: its star stands for none, or EXCEPT leaves all out."
        raise Misread(position, message)


def joined(left: Relation, right: Relation) -> tuple[Relation, list[Column], Relation]:
    """Return both sides of a join with fields of different names, and the columns that its condition may name.

    In the condition, fields of the right side have the input index 1.
    """
    right = right.without(left.operation.schema.names)
    columns = list(left.columns)
    columns += [c.moved(c.field.evolve(input_index=1)) for c in right.columns]
    return left, columns, right


def after_join(left: Relation, right: Relation, operation: QueryOperation) -> list[Column]:
    """Return the columns of a join: those of the left side, then those of the right one."""
    fields = operation.schema.columns
    width = len(left.operation.schema)
    columns: list[Column] = []
    for column, offset in [*[(c, 0) for c in left.columns], *[(c, width) for c in right.columns]]:
        index = column.field.index + offset
        made = fields[index]
        columns.append(column.moved(FieldReference(made.name, made.data_type, 0, index)))
    return columns


def without_keys(columns: Sequence[Column], keys: Sequence[Column]) -> list[Column]:
    """Return columns but some, the keys of a join, say, and what is the very same column as one of these."""
    known = {id(key) for key in keys}
    origins = {id(key.origin) for key in keys if key.origin is not None}
    return [c for c in columns if id(c) not in known and (c.hidden or c.origin is None or id(c.origin) not in origins)]


Aliases = Mapping[str, Expression]
_WITH_FIELDS = (ArrayType, MapType, RowType, VariantType)


def type_of(column: Column) -> LogicalType:
    """Return the type of a column."""
    return column.field.data_type
