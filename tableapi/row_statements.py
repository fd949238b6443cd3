"""Fluent statements that change the rows of a table: MERGE, UPDATE and DELETE."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ir.commands.rows import (
    Assignment,
    DeleteRow,
    DeleteRows,
    InsertRow,
    InsertWholeRow,
    MatchKind,
    MergeClause,
    MergeInto,
    RowAction,
    UpdateRow,
    UpdateRows,
    UpdateWholeRow,
)
from ir.errors import ValidationException, listing
from ir.expressions import Expression as Unresolved
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.functions import collection
from ir.identifiers import parse_path
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.relation_names import NO_NAMES
from ir.resolution.commands import rows
from ir.schema import ResolvedSchema
from ir.unresolved import UnresolvedCall, UnresolvedReference, walk_written_parts
from tableapi.advice.copies import NotSent
from tableapi.expression import Expression, unwrap, wrap
from tableapi.queries.environment_parts import EnvironmentParts
from tableapi.table import Table, own_query
from tableapi.table_statement import RunsCommands, TableStatement
from tableapi.tracebacks import boundaries
from tableapi.unknown_members import AdvisesOnMembers

if TYPE_CHECKING:
    from ir.commands.command import Command
    from tableapi.explain_detail import ExplainDetail
    from tableapi.result import TableResult

__all__ = ["DeleteStatement", "MergeStatement", "RowOf", "UpdateStatement"]

_AMBIGUOUS = " Both rows have it: write a function of both, as in on=lambda target, source: target.id == source.id."


# The flag of a Python function with a parameter such as *rows.
_TAKES_ANY = 0x04


class RowOf:
    """A row in the functions that ``merge_into`` takes: its columns are attributes, or items for any name."""

    def __init__(self, schema: ResolvedSchema, index: int) -> None:
        self._schema = schema
        self._index = index

    def __getitem__(self, name: str) -> Expression[Any]:
        column = self._schema.column(name)
        position = self._schema.index_of(name)
        assert position is not None
        return wrap(FieldReference(column.name, column.data_type, self._index, position))

    def __getattr__(self, name: str) -> Expression[Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        return self[name]

    def __repr__(self) -> str:
        return f"<a row of {self._schema!r}>"


Condition = Expression[Any] | Callable[[RowOf, RowOf], Any]
"""A condition over the names of both rows, or a function of the row of the table and that of the source."""


class _Rows:
    """A table whose rows are changed, in its environment, and the source of a MERGE."""

    def __init__(
        self, environment: EnvironmentParts, runner: RunsCommands, path: str, called: str, source: Table | str | None
    ) -> None:
        self.environment = environment
        self.runner = runner
        self.table: Source = rows.require_table(environment.tables.source(path), called)
        environment.runtime.manager.refuse_view(self.table.identifier)
        self.rules = environment.runtime.value_rules(self.table.identifier)
        self.source: QueryOperation | None = None
        self.names = NO_NAMES
        if isinstance(source, str):
            self.source = environment.tables.source(source)
        elif source is not None:
            query = own_query(environment, source, "merge_into")
            self.source, self.names = query.operation, query.names

    def schemas(self, kind: MatchKind | None) -> tuple[ResolvedSchema, ...]:
        """Return the columns to which a clause may refer; those of the table alone without a source."""
        if self.source is None or kind is MatchKind.NOT_MATCHED_BY_SOURCE:
            return (self.table.schema,)
        both = self.table.schema, self.source.schema
        return (ResolvedSchema(()), both[1]) if kind is MatchKind.NOT_MATCHED else both

    def expression(self, given: Any, kind: MatchKind | None) -> Unresolved:
        """Return the unresolved expression of a value, a fluent expression, or a function of both rows."""
        if callable(given) and not isinstance(given, Expression):
            if self.source is None:
                raise ValidationException(
                    "A function of rows is for merge_into. Write an expression over the columns of the table, such as "
                    "col('id') > 1."
                )
            code = getattr(given, "__code__", None)
            if code is not None and code.co_argcount != 2 and not code.co_flags & _TAKES_ANY:
                raise ValidationException(
                    f"A function of both rows takes two arguments, the row of the table and that of the source, and "
                    f"this one takes {code.co_argcount}: lambda target, source: target.id == source.id."
                )
            given = given(RowOf(self.table.schema, 0), RowOf(self.source.schema, 1))
        return unwrap(given)

    def condition(self, given: Any, kind: MatchKind | None, where: str) -> ResolvedExpression:
        """Return a resolved condition."""
        if isinstance(given, str):
            raise ValidationException(
                f"{where} is an expression, but was given the string {given!r}. Write col('a') > 1; or "
                f"call_sql({given!r}) for SQL over the names of columns."
            )
        written = self.expression(given, kind)
        with _explaining_names(written, is_merge=self.source is not None):
            return rows.resolve_condition(written, self.schemas(kind), self.environment.lookup, where)

    def assignments(
        self, values: Mapping[str, Any], named: Mapping[str, Any], kind: MatchKind | None, method: str
    ) -> tuple[Assignment, ...]:
        """Return the new values of columns, and of fields by the dotted path.

        Raises:
            ValidationException: there is no assignment, or one is invalid.
        """
        if not isinstance(values, Mapping):
            raise ValidationException(f"{method} takes a mapping from columns to values, but was given {values!r}.")
        made = []
        for name, value in {**values, **named}.items():
            if not isinstance(name, str):
                raise ValidationException(f"{method} takes the names of columns, but was given {name!r}.")
            written = self.expression(value, kind)
            schemas = self.schemas(kind)
            with _explaining_names(written, is_merge=self.source is not None):
                made.append(
                    rows.resolve_assignment(parse_path(name), written, self.table, schemas, self.environment.lookup)
                )
        if not made:
            raise ValidationException(f"{method} takes at least one column with its value: {method}(amount=…).")
        return tuple(made)


@contextmanager
def _explaining_names(written: Unresolved, *, is_merge: bool) -> Iterator[None]:
    """Add to an error about a name how to refer to the row of the table and that of the source."""
    try:
        yield
    except ValidationException as error:
        unknown = str(error).partition("[")[2].partition("]")[0]
        qualified = _qualified_name(written, unknown) if error.condition in _UNRESOLVED else None
        if qualified is not None:
            error.args = (f"{error} {_NO_QUALIFIERS[is_merge].format(qualified)}", *error.args[1:])
        if error.condition == "AMBIGUOUS_REFERENCE":
            name = str(error).partition(": ")[2].partition(". ")[0]
            error.args = (f"Ambiguous column name: {name}.{_AMBIGUOUS}", *error.args[1:])
        raise


_UNRESOLVED = ("UNRESOLVED_COLUMN.WITH_SUGGESTION", "UNRESOLVED_COLUMN.WITHOUT_SUGGESTION")
_NO_QUALIFIERS = {
    True: (
        "{} begins with the name of a table, and an expression has names of columns alone. Write a function of both "
        "rows, such as lambda target, source: target.id == source.id; or the whole statement in SQL, where both tables "
        "have names: sql_statement('MERGE INTO …')."
    ),
    False: "{} begins with the name of a table, and an expression has names of columns alone. Leave that name out.",
}


def _qualified_name(written: Unresolved, unknown: str) -> str | None:
    """Return the name such as ``t.id`` because of which the column ``t`` or ``t.id`` is unknown; None if none is."""
    for part in walk_written_parts([written]):
        path: Sequence[object] = ()
        if isinstance(part, UnresolvedReference):
            path = part.name.split(".")
        elif isinstance(part, UnresolvedCall) and part.function is collection.GET:
            first, *fields = part.arguments
            if isinstance(first, UnresolvedReference):
                path = [first.name, *[field.value for field in fields if isinstance(field, ValueLiteral)]]
        name = ".".join(map(str, path))
        if len(path) > 1 and unknown in (path[0], name):
            return name
    return None


# --- MERGE -----------------------------------------------------------------------------------------------------------


@boundaries
class MergeStatement(TableStatement):
    """A MERGE, made with ``TableEnvironment.merge_into``; each clause returns a statement with the clause added.

    For each row, the first clause of its kind whose condition is TRUE acts. If several rows of the source match one row
    of the table and a clause changes that row, the engine fails: make the source's rows distinct in the columns of
    ``on``.
    """

    _receiver = "merge statement"

    def __init__(
        self, given: _Rows, on: ResolvedExpression, clauses: Sequence[MergeClause] = (), evolves: bool = False
    ) -> None:
        self._rows = given
        self._on = on
        self._clauses = tuple(clauses)
        self._evolves = evolves
        self._environment = given.runner
        self._names = given.names

    @property
    def _command(self) -> Command:  # type: ignore[override]  # computed, because a statement without a clause is none
        return self._build()

    def _build(self) -> MergeInto:
        assert self._rows.source is not None
        return rows.make_merge(self._rows.table, self._rows.source, self._on, self._clauses, self._evolves)

    def when_matched(self, condition: Condition | None = None) -> WhenMatched:
        """Begin a clause for rows of the table with a row of the source: ``update``, ``update_all`` or ``delete``."""
        return WhenMatched(self, MatchKind.MATCHED, condition)

    def when_not_matched(self, condition: Condition | None = None) -> WhenNotMatched:
        """Begin a clause for rows of the source without a row of the table: ``insert`` or ``insert_all``."""
        return WhenNotMatched(self, MatchKind.NOT_MATCHED, condition)

    def when_not_matched_by_source(self, condition: Condition | None = None) -> WhenNotMatchedBySource:
        """Begin a clause for rows of the table without a row of the source: ``update`` or ``delete``."""
        return WhenNotMatchedBySource(self, MatchKind.NOT_MATCHED_BY_SOURCE, condition)

    def with_schema_evolution(self) -> MergeStatement:
        """Allow new columns of the source in the table, if its format supports this."""
        return MergeStatement(self._rows, self._on, self._clauses, True)

    def _with(self, clause: MergeClause) -> MergeStatement:
        return MergeStatement(self._rows, self._on, (*self._clauses, clause), self._evolves)

    def __repr__(self) -> str:
        if not self._clauses:
            return f"MergeStatement into {self._rows.table.identifier.as_summary_string()}, without a clause yet"
        return super().__repr__()


class _When(AdvisesOnMembers, NotSent):
    """A clause of a MERGE that lacks its action."""

    _instead = "It belongs to an environment of this process. Send the text of the statement."

    def __init__(self, statement: MergeStatement, kind: MatchKind, condition: Any) -> None:
        self._statement = statement
        self._kind = kind
        self._condition = (
            None
            if condition is None
            else statement._rows.condition(condition, kind, f"The condition of WHEN {kind.value}")
        )

    def _then(self, action: RowAction) -> MergeStatement:
        given = self._statement._rows
        return self._statement._with(rows.make_clause(self._kind, self._condition, action, given.table, given.rules))

    def _assignments(self, values: Any, named: Mapping[str, Any], method: str) -> tuple[Assignment, ...]:
        return self._statement._rows.assignments(values, named, self._kind, method)

    def __repr__(self) -> str:
        return f"WHEN {self._kind.value} of a MergeStatement, without its action yet"


@boundaries
class WhenMatched(_When):
    """A clause for rows of the table with a row of the source."""

    _receiver = "merge clause"

    def update(self, values: Mapping[str, Any] | None = None, /, **columns: Any) -> MergeStatement:
        """Give columns new values.

        Args:
            values: values by column, or by the path of a field: ``{"address.town": "Bonn"}``.
            columns: further values by column: a value, an expression, or a function of the row of the table and that
                of the source.

        Raises:
            ValidationException: there is no such column; or the value cannot be stored in it.
        """
        return self._then(UpdateRow(self._assignments(values or {}, columns, "update")))

    def update_all(self) -> MergeStatement:
        """Give every column the value of the source's column of that name."""
        return self._then(UpdateWholeRow())

    def delete(self) -> MergeStatement:
        """Delete the row of the table."""
        return self._then(DeleteRow())


@boundaries
class WhenNotMatched(_When):
    """A clause for rows of the source without a row of the table."""

    _receiver = "merge clause"

    def insert(self, values: Mapping[str, Any] | None = None, /, **columns: Any) -> MergeStatement:
        """Insert a row of values by column; other columns get their defaults.

        Raises:
            ValidationException: there is no such column; the value cannot be stored in it; or a column that must not be
                NULL gets no value.
        """
        return self._then(InsertRow(self._assignments(values or {}, columns, "insert")))

    def insert_all(self) -> MergeStatement:
        """Insert the row of the source, whose columns are found by name."""
        return self._then(InsertWholeRow())


@boundaries
class WhenNotMatchedBySource(_When):
    """A clause for rows of the table without a row of the source."""

    _receiver = "merge clause"

    def update(self, values: Mapping[str, Any] | None = None, /, **columns: Any) -> MergeStatement:
        """Give columns new values, computed from the row of the table."""
        return self._then(UpdateRow(self._assignments(values or {}, columns, "update")))

    def delete(self) -> MergeStatement:
        """Delete the row of the table."""
        return self._then(DeleteRow())


def merge_into(
    environment: EnvironmentParts, runner: RunsCommands, path: str, source: Table | str, on: Any
) -> MergeStatement:
    """Return a MERGE without clauses; see ``TableEnvironment.merge_into``."""
    given = _Rows(environment, runner, path, MergeInto.called, source)
    if isinstance(on, str) or (isinstance(on, list | tuple) and all(isinstance(name, str) for name in on)):
        names = [on] if isinstance(on, str) else list(on)
        if not names:
            raise ValidationException("on takes at least one column, or a condition.")
        for name in names:
            _refuse_sql(name, "on takes the names of columns", given.table.schema)
        on = lambda target, source: functools.reduce(  # noqa: E731  # as a user writes it
            operator.and_, [target[name] == source[name] for name in names]
        )
    return MergeStatement(given, given.condition(on, MatchKind.MATCHED, "The condition of MERGE"))


def _refuse_sql(text: str, takes: str, schema: ResolvedSchema) -> None:
    """Reject SQL text in place of a column, which the API of Delta Lake accepts.

    Raises:
        ValidationException: the text is neither a column nor a single word.
    """
    if schema.index_of(text) is None and not text.isidentifier():
        raise ValidationException(
            f"{takes}, and {text!r} is none of [{listing(schema.names)}]. As a condition, write a function of both "
            "rows, on=lambda target, source: target.id == source.id; or call_sql('a = b') over names that only one of "
            "the two has. In SQL, sql_statement('MERGE INTO …') takes any condition."
        )


# --- UPDATE and DELETE -----------------------------------------------------------------------------------------------


@boundaries
class UpdateStatement(NotSent):
    """An UPDATE that lacks its rows or its values, made with ``TableEnvironment.update``."""

    _instead = "It belongs to an environment of this process. Send the text of the statement."

    def __init__(self, given: _Rows, assignments: tuple[Assignment, ...] = ()) -> None:
        self._rows = given
        self._assignments = assignments

    def set(self, values: Mapping[str, Any] | None = None, /, **columns: Any) -> UpdateStatement:
        """Give columns new values.

        Args:
            values: values by column, or by the path of a field: ``{"address.town": "Bonn"}``.
            columns: further values by column.

        Raises:
            ValidationException: there is no such column; or the value cannot be stored in it.
        """
        made = self._rows.assignments(values or {}, columns, None, "set")
        return UpdateStatement(self._rows, (*self._assignments, *made))

    def where(self, condition: Expression[Any]) -> TableStatement:
        """Return the statement for the rows for which a condition is TRUE."""
        return self._statement(self._rows.condition(condition, None, "The condition of UPDATE"))

    def all_rows(self) -> TableStatement:
        """Return the statement for all rows."""
        return self._statement(None)

    def _statement(self, condition: ResolvedExpression | None) -> TableStatement:
        command: UpdateRows = rows.make_update(self._rows.table, self._assignments, condition, self._rows.rules)
        return TableStatement(command, self._rows.runner)

    def execute(self) -> TableResult:
        """Raise an error, because the statement has no condition for its rows yet.

        Raises:
            ValidationException: always.
        """
        raise _without_rows("update")

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Raise an error, because the statement has no condition for its rows yet.

        Raises:
            ValidationException: always.
        """
        raise _without_rows("update")

    def __repr__(self) -> str:
        return f"UpdateStatement of {self._rows.table.identifier.as_summary_string()}, without its rows yet"


@boundaries
class DeleteStatement(NotSent):
    """A DELETE that lacks its rows, made with ``TableEnvironment.delete_from``."""

    _instead = "It belongs to an environment of this process. Send the text of the statement."

    def __init__(self, given: _Rows) -> None:
        self._rows = given

    def where(self, condition: Expression[Any]) -> TableStatement:
        """Return the statement for the rows for which a condition is TRUE."""
        resolved = self._rows.condition(condition, None, "The condition of DELETE")
        return TableStatement(DeleteRows(self._rows.table, resolved), self._rows.runner)

    def all_rows(self) -> TableStatement:
        """Return the statement for all rows."""
        return TableStatement(DeleteRows(self._rows.table, None), self._rows.runner)

    def execute(self) -> TableResult:
        """Raise an error, because the statement has no condition for its rows yet.

        Raises:
            ValidationException: always.
        """
        raise _without_rows("delete_from")

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Raise an error, because the statement has no condition for its rows yet.

        Raises:
            ValidationException: always.
        """
        raise _without_rows("delete_from")

    def __repr__(self) -> str:
        return f"DeleteStatement of {self._rows.table.identifier.as_summary_string()}, without its rows yet"


def _without_rows(method: str) -> ValidationException:
    return ValidationException(
        f"{method} says for which rows it is: where(…), or all_rows() for all of them. Nothing was executed."
    )


def update(environment: EnvironmentParts, runner: RunsCommands, path: str) -> UpdateStatement:
    """Return an UPDATE without values; see ``TableEnvironment.update``."""
    return UpdateStatement(_Rows(environment, runner, path, UpdateRows.called, None))


def delete_from(environment: EnvironmentParts, runner: RunsCommands, path: str) -> DeleteStatement:
    """Return a DELETE without rows; see ``TableEnvironment.delete_from``."""
    return DeleteStatement(_Rows(environment, runner, path, DeleteRows.called, None))
