"""Resolves names to the columns of FROM and of outer queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from copy import copy

from grammar import syntax as s
from grammar.errors import Misread
from ir import light_attrs as attrs
from ir.call_expressions import Call
from ir.errors import did_you_mean, listing, shorten
from ir.expressions import Expression, FieldReference, OuterReference
from ir.functions.collection import GET
from ir.identifiers import fold, quote
from ir.literals import literal
from ir.names import Names, choose_names_beside
from ir.operations.operation import QueryOperation
from ir.operations.project import project
from ir.types import ArrayType, LogicalType, MapType, RowType, VariantType
from ir.unresolved import UnresolvedCall


@attrs.define(eq=False, slots=True)
class Column:
    """A column that names may denote.

    ``name`` is the column's name in the text, and ``field`` its field in the operation, where names are unique;
    ``qualifier`` holds the folded names that may precede it. A ``hidden`` column is a join key that USING or NATURAL
    has merged: only the star of its relation includes it, and it can be named only with its relation.
    """

    name: str
    qualifier: tuple[str, ...]
    field: FieldReference
    hidden: bool = False
    origin: object | None = None
    """Shared by identical columns, so that a name may denote any of them."""

    def moved(self, field: FieldReference, *, hidden: bool | None = None) -> Column:
        """Return the column over another operation, where its field differs."""
        return Column(self.name, self.qualifier, field, self.hidden if hidden is None else hidden, self.origin)


def column_of(name: str, qualifier: tuple[str, ...], expression: Expression) -> Column:
    """Return a column that stands for an expression, such as a window bound in Flink or a field in a star."""
    return Column(name, qualifier, expression)  # type: ignore[arg-type]  # a computed column stands for itself


@attrs.define(eq=False, slots=True)
class Relation:
    """An operation and the names of its columns in the text."""

    operation: QueryOperation
    columns: list[Column]
    sources: Sequence[tuple[str, ...]] = ()
    """The qualifiers of the columns that a SELECT passes on, for the ORDER BY of a set operation over it."""
    is_cast: bool = False
    """Whether its projection only exists because Flink's SQL casts the inputs of a set operation."""
    around: Scope | None = None
    """For a query of WITH that refers to outer columns, the scope of these columns."""
    without_limit: Relation | None = None
    """For a recursive query of WITH, its variant under LIMIT ALL."""
    alias: str | None = None
    """The alias of the relation, as written."""
    left_widths: tuple[int, ...] = ()
    """Of a lateral join, how many of the columns are those of its left side, then the same of that side."""
    tested: frozenset[str] = frozenset()
    """The names of the right sides of SEMI and ANTI JOINs, which give no columns."""

    @staticmethod
    def of(operation: QueryOperation, names: Sequence[str] | None = None, qualifier: tuple[str, ...] = ()) -> Relation:
        """Return the relation of an operation; ``names`` are the column names in the text, if these differ."""
        fields = operation.schema.columns
        shown = [column.name for column in fields] if names is None else names
        columns = [
            Column(name, qualifier, FieldReference(column.name, column.data_type, 0, index))
            for index, (name, column) in enumerate(zip(shown, fields, strict=True))
        ]
        return Relation(operation, columns)

    @property
    def names(self) -> list[str]:
        """The names of the visible columns, in order."""
        return [column.name for column in self.columns if not column.hidden]

    def by_name(self) -> dict[str, Column]:
        """Return the visible columns by folded name; the first of several columns of a name."""
        found: dict[str, Column] = {}
        for column in self.columns:
            if not column.hidden:
                found.setdefault(fold(column.name), column)
        return found

    def renamed(self, qualifier: tuple[str, ...], names: Sequence[str] | None = None) -> Relation:
        """Return the relation under an alias, optionally with new column names."""
        visible = [column for column in self.columns if not column.hidden]
        shown = [column.name for column in visible] if names is None else names
        # The same query under another alias has distinct columns, so that their origins must differ.
        own = {id(c.origin): object() for c in visible if c.origin is not None} if names is None else {}
        columns = [
            Column(name, qualifier, c.field, False, own.get(id(c.origin)))
            for name, c in zip(shown, visible, strict=True)
        ]
        return Relation(self.operation, columns)

    def without(self, taken: Sequence[str]) -> Relation:
        """Rename the fields whose names are in ``taken``. The names that the text uses stay."""
        occupied = Names(taken)
        fields = self.operation.schema.columns
        if all(occupied.is_free(column.name) for column in fields):
            return self
        qualifiers = {c.field.index: c.qualifier[-1] for c in self.columns if c.qualifier}
        chosen = choose_names_beside(self.operation.schema.names, taken, qualifiers)
        own = tuple([FieldReference(c.name, c.data_type, 0, i) for i, c in enumerate(fields)])
        operation = project(self.operation, own, tuple(chosen))
        made = operation.schema.columns
        columns = [
            c.moved(FieldReference(made[c.field.index].name, made[c.field.index].data_type, 0, c.field.index))
            for c in self.columns
        ]
        return Relation(operation, columns, alias=self.alias, tested=self.tested)


class Scope:
    """The columns of the relations of one query, and the scope of the outer query."""

    def __init__(
        self,
        columns: Sequence[Column],
        parent: Scope | None = None,
        advice: str = "",
        left_widths: tuple[int, ...] = (),
        tested: frozenset[str] = frozenset(),
    ) -> None:
        self.columns = columns
        self.left_widths = left_widths
        self.tested = tested
        self.parent = parent
        # A hint that is added to errors for unknown names.
        self.advice = advice
        # The aggregates of this query that subqueries in its HAVING refer to, by generated name.
        self.aggregates: dict[str, Call] = {}
        # In HAVING, the columns of the SELECT by alias, and the group keys.
        self.outputs_of_groups: Mapping[str, Expression] | None = None
        self.keys_of_groups: Sequence[Expression] = ()
        # The folded names of what the SELECT computes, while QUALIFY is built. Subqueries cannot refer to it.
        self.computed: frozenset[str] = frozenset()
        self._by_name: dict[str, list[Column]] = {}
        # What a name without a relation means where several columns have it.
        self._preferred: dict[str, list[Column]] = {}
        self._hidden_by_name: dict[str, list[Column]] = {}
        for column in columns:
            by_name = self._hidden_by_name if column.hidden else self._by_name
            by_name.setdefault(fold(column.name), []).append(column)

    def prefer_left_sides(self) -> Scope:
        """Return the scope in which a name of several columns means the only one on the left side of a lateral join.

        Spark looks there for what ORDER BY and SORT BY name, and for nothing else.
        """
        scope = Scope(self.columns, self.parent, self.advice)
        for name, found in self._by_name.items() if self.left_widths else ():
            if len(found) == 1:
                continue
            scope._preferred[name] = self._only_one_on_the_left(found) or found
            of_relations = [[c for c in found if c.qualifier == q] for q in {c.qualifier for c in found}]
            scope._by_name[name] = [c for same in of_relations for c in self._only_one_on_the_left(same) or same]
        return scope

    def _only_one_on_the_left(self, found: list[Column]) -> list[Column]:
        """Return the only one of some columns on the left side of the first lateral join that has only one there."""
        for width in self.left_widths:
            left = [column for column in self.columns[:width] if column in found]
            if len(left) == 1:
                return left
        return []

    def prefer_hidden_keys(self, shown: Container[Expression]) -> Scope:
        """Return the scope in which a relation before a name means a hidden key rather than a column that is not shown.

        Two relations of a join by USING may have one name. Spark then finds the hidden key for ORDER BY and SORT BY,
        unless the other column is ``shown``. So it does where a column that has no fields has the name of the relation.
        """
        keys: dict[str, list[Column]] = {}
        for name, hidden in self._hidden_by_name.items():
            for column in hidden:
                same = [c for c in self._by_name.get(name, ()) if c.qualifier == column.qualifier]
                namesakes = self._by_name.get(column.qualifier[-1], ()) if column.qualifier and not same else ()
                is_no_field = bool(namesakes) and not any(isinstance(type_of(c), _WITH_FIELDS) for c in namesakes)
                if is_no_field or (same and not any(c.field in shown for c in same)):
                    keys.setdefault(name, []).append(column)
        if not keys:
            return self
        scope = copy(self)
        scope._by_name, scope._preferred = dict(self._by_name), dict(self._preferred)
        for name, found in keys.items():
            visible, qualifiers = self._by_name.get(name, []), {column.qualifier for column in found}
            scope._preferred.setdefault(name, visible)
            scope._by_name[name] = [*[c for c in visible if c.qualifier not in qualifiers], *found]
        return scope

    def having_scope(self, outputs: Mapping[str, Expression], keys: Sequence[Expression]) -> Scope:
        """Return the scope in HAVING, with the columns of the SELECT by alias, and the group keys."""
        scope = copy(self)
        scope.outputs_of_groups, scope.keys_of_groups = outputs, keys
        return scope

    def showing(self, used: Container[Expression]) -> Scope:
        """Return the scope in which the hidden columns in ``used`` can be named without their relation.

        Behind the name of their relation, they stay hidden if a visible column has that name: ``k.k`` is then a field
        of the column ``k``.
        """
        scope = copy(self)
        scope._by_name, scope._preferred = dict(self._by_name), dict(self._preferred)
        for name, hidden in self._hidden_by_name.items():
            visible = self._by_name.get(name, [])
            fields = {column.field for column in visible}
            shown = [column for column in hidden if column.field in used and column.field not in fields]
            if shown:
                scope._preferred.setdefault(name, [*visible, *shown])
            qualified = [c for c in shown if not (c.qualifier and self._by_name.get(c.qualifier[-1]))]
            if qualified:
                scope._by_name[name] = [*visible, *qualified]
        return scope

    def preferring(self, columns: Mapping[str, list[Column]], computed: frozenset[str]) -> Scope:
        """Return the scope in which some folded names without a relation mean one of the given columns.

        The names in ``computed`` mean columns that the SELECT computes.
        """
        scope = copy(self)
        scope._preferred = {**self._preferred, **columns}
        scope.computed = computed
        return scope

    def is_ambiguous(self, name: str) -> bool:
        """Whether several columns have a name."""
        return fold(name) not in self._preferred and len(self._by_name.get(fold(name), ())) > 1

    def find(self, path: s.Path) -> Expression | None:
        """Return the meaning of a path in this query or an outer one, or None.

        Raises:
            Misread: the path is ambiguous, or its column is out of reach.
        """
        found = self.own(path)
        if found is not None:
            return found
        level, scope = 1, self.parent
        while scope is not None:
            column = scope.column(path)
            if len(path.names) == 1 and fold(path.names[0].text) in scope.computed:
                raise Misread(
                    path.position,
                    f"{display_path(path)} is computed by the query around the subquery. A subquery may refer only to "
                    "columns that the query around it reads: compute it in a query below, and refer to that.",
                )
            if column is not None:
                reference, rest = column
                if level > 1:
                    raise Misread(
                        path.position,
                        f"{display_path(path)} is a column of a query, or a parameter of a function, two levels "
                        "further out. "
                        "A subquery may refer to the query that it is part of, and to nothing further out. Spark "
                        "has it so as well: select it under a name in the query between them, and refer to that.",
                    )
                return fields_of(OuterReference(reference.field.name, reference.field.data_type), rest)
            level, scope = level + 1, scope.parent
        return None

    def own(self, path: s.Path) -> Expression | None:
        """Return the meaning of a path among the columns of this query, or None."""
        found = self.column(path)
        return None if found is None else fields_of(found[0].field, found[1])

    def column(self, path: s.Path) -> tuple[Column, Sequence[s.Name]] | None:
        """Return the column that a path begins with, and the names of the fields after it.

        As in Spark, the longest matching qualifier wins.
        """
        return self._column(path, self._by_name, 0) or self._column(path, self._hidden_by_name, 1)

    def _column(
        self, path: s.Path, by_name: Mapping[str, list[Column]], shortest: int
    ) -> tuple[Column, Sequence[s.Name]] | None:
        """Return the column that a path begins with, after a qualifier of at least ``shortest`` names."""
        names = path.names
        if len(names) == 1:
            name = fold(names[0].text)
            found = None if shortest else self._preferred.get(name) or by_name.get(name)
            return None if found is None else (self._require_single(found, path), ())
        folded = [fold(name.text) for name in names]
        for length in range(min(len(names) - 1, 3), shortest - 1, -1):
            qualifier = tuple(folded[:length])
            candidates = by_name.get(folded[length])
            if candidates is None:
                continue
            if length:
                candidates = [c for c in candidates if c.qualifier[-length:] == qualifier]
            if candidates:
                return self._require_single(candidates, path), names[length + 1 :]
        return None

    def is_among(self, path: s.Path, columns: Container[Expression]) -> bool:
        """Whether a path denotes one of some columns of this query, or a field of one."""
        try:
            found = self.column(path)
        except Misread:
            # Several columns have the name.
            return False
        return found is not None and found[0].field in columns

    def has_fields(self, path: s.Path) -> bool:
        """Whether a path denotes a column of this query or a field in it that may itself have fields."""
        found = self.column(path)
        return found is not None and (not found[1] or isinstance(type_of(found[0]), _WITH_FIELDS))

    def has_elements(self, path: s.Path) -> bool:
        """Whether a path denotes a column of this query whose values have elements or fields."""
        found = self.column(path)
        return found is not None and isinstance(type_of(found[0]), _WITH_FIELDS)

    def _require_single(self, found: list[Column], path: s.Path) -> Column:
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
                f"Ambiguous column name: {display_path(path)}; {len(found)} columns have it.{advice}",
                "AMBIGUOUS_REFERENCE",
            )
        return found[0]

    def names_in_text(self) -> dict[str, str]:
        """Return how a query must write the columns whose names are not those of their fields or are not unique."""
        visible = Counter(fold(column.name) for column in self.columns if not column.hidden)
        found = {}
        for column in self.columns:
            is_qualified = column.hidden or visible[fold(column.name)] > 1
            parts = [*(column.qualifier[-1:] if is_qualified else ()), column.name]
            written = ".".join(part if part.isidentifier() else quote(part) for part in parts)
            if isinstance(column.field, FieldReference) and written != column.field.name:
                found[column.field.name] = written
        return found

    def star(self, qualifier: s.Path | None) -> list[Column]:
        """Return the columns of a star."""
        if qualifier is None:
            return [column for column in self.columns if not column.hidden]
        found = self._columns_of(qualifier)
        # As in Spark, hidden join keys come first; the star includes them like other columns.
        left_out = [c.moved(c.field, hidden=False) for c in found if c.hidden]
        return [*left_out, *[c for c in found if not c.hidden]]

    def is_seen(self, qualifier: s.Path) -> bool:
        """Whether a relation has a column that ``*`` includes."""
        return any(not column.hidden for column in self._columns_of(qualifier))

    def is_called(self, field: Expression, name: str) -> bool:
        """Whether a field is a column with the given name."""
        return any(fold(column.name) == fold(name) and column.field is field for column in self.columns)

    def _columns_of(self, qualifier: s.Path) -> list[Column]:
        parts = tuple([fold(name.text) for name in qualifier.names])
        return [c for c in self.columns if c.qualifier and c.qualifier[-len(parts) :] == parts]

    def star_around(self, qualifier: s.Path | None) -> list[Column]:
        """Return the columns of an outer relation that a qualified star selects, as outer references."""
        if self.parent is None or qualifier is None:
            return []
        return [
            column_of(c.name, c.qualifier, OuterReference(c.field.name, c.field.data_type))
            for c in self.parent.star(qualifier)
        ]

    def fields(self, path: s.Path | None) -> list[Column] | None:
        """Return the fields of a row column as columns, None for anything else."""
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
        # A field has the name of a column but no qualifier.
        return [column_of(f.name, (), made) for f, made in zip(data_type.fields, fields, strict=True)]

    def unknown(self, path: s.Path, further: Iterable[str] = ()) -> Misread:
        """Return the error for an unknown path."""
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
            if fold(path.names[0].text) in self.tested:
                return Misread(
                    path.position,
                    f"Cannot resolve {display_path(path)}: a SEMI or ANTI JOIN gives no columns of its right side, "
                    f"{path.names[0].text!r}; the columns are [{listing(names)}]. Write JOIN for columns of both.",
                    condition,
                )
            return Misread(
                path.position,
                f"Cannot resolve {display_path(path)}: there is no relation or column {path.names[0].text!r} here; the "
                f"relations are [{listing(qualifiers)}], the columns [{listing(names)}]."
                + did_you_mean(path.names[0].text, [*qualifiers, *names])
                + self.advice,
                condition,
            )
        if len(path.names) >= 2:
            names = [c.name for c in self.star(s.Path(path.position, path.names[-2:-1]))] or names
        if not self.columns and not further:
            message = f"Cannot resolve {display_path(path)}: no columns are in scope here.{self.advice}"
            return Misread(path.position, message, condition)
        return Misread(
            path.names[-1].position,
            f"Cannot resolve field [{display_path(path)}], input field list:[{listing(names)}]."
            + did_you_mean(given, [*names, *further]),
            condition,
        )


def wrong_count(given: int, names: Sequence[str]) -> tuple[str, str]:
    """Return the message for a wrong number of column names, and Spark's error condition."""
    columns = f"{len(names)} column{'' if len(names) == 1 else 's'}"
    verb = "name is" if given == 1 else "names are"
    return f"{given} {verb} given to {columns}: [{listing(names)}].", "ASSIGNMENT_ARITY_MISMATCH"


def display_path(path: s.Path) -> str:
    """Return a path as written, shortened for messages."""
    return shorten(".".join(name.text for name in path.names))


def fields_of(base: Expression, names: Sequence[s.Name]) -> Expression:
    """Return the nested field of a value that a list of names leads to."""
    for name in names:
        base = UnresolvedCall(GET, (base, literal(name.text)))
    return base


def require_columns(relation: Relation, position: int) -> None:
    """Reject a query without columns where its value is needed.

    Raises:
        Misread: the query has no columns.
    """
    if not relation.names:
        message = "The query has no columns, and so no value: its star stands for none, or EXCEPT leaves all out."
        raise Misread(position, message)


def prepare_join_sides(left: Relation, right: Relation) -> tuple[Relation, list[Column], Relation]:
    """Prepare both sides of a join with distinct field names, and return the columns that the condition may name.

    In the condition, fields of the right side have the input index 1.
    """
    right = right.without(left.operation.schema.names)
    columns = list(left.columns)
    columns += [c.moved(c.field.evolve(input_index=1)) for c in right.columns]
    return left, columns, right


def list_join_columns(left: Relation, right: Relation, operation: QueryOperation) -> list[Column]:
    """Return the columns of a join: those of the left side, then those of the right side."""
    fields = operation.schema.columns
    width = len(left.operation.schema)
    columns: list[Column] = []
    for column, offset in [*[(c, 0) for c in left.columns], *[(c, width) for c in right.columns]]:
        index = column.field.index + offset
        made = fields[index]
        columns.append(column.moved(FieldReference(made.name, made.data_type, 0, index)))
    return columns


def exclude_keys(columns: Sequence[Column], keys: Sequence[Column]) -> list[Column]:
    """Return the columns without some, such as join keys, and without columns identical to these."""
    known = {id(key) for key in keys}
    origins = {id(key.origin) for key in keys if key.origin is not None}
    return [c for c in columns if id(c) not in known and (c.hidden or c.origin is None or id(c.origin) not in origins)]


Aliases = Mapping[str, Expression]
_WITH_FIELDS = (ArrayType, MapType, RowType, VariantType)


def type_of(column: Column) -> LogicalType:
    """Return the type of a column."""
    return column.field.data_type
