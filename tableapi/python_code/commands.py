"""Write statements about tables: by the fluent API where it has the statement, otherwise as SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from ir.commands import alterations as a
from ir.commands.columns import ColumnPosition
from ir.commands.command import Command
from ir.commands.inserts import InsertInto, InsertMode, InsertSet
from ir.commands.rows import (
    Assignment,
    DeleteRow,
    DeleteRows,
    InsertRow,
    InsertWholeRow,
    MatchKind,
    MergeClause,
    MergeInto,
    UpdateRow,
    UpdateRows,
    UpdateWholeRow,
)
from ir.commands.tables import CreateTable
from ir.errors import TableException, ValidationException
from ir.expressions import FieldReference, OuterReference, ResolvedExpression, ValueLiteral
from ir.identifiers import ObjectIdentifier, path_text
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.rendering import Dialect
from ir.schema import ResolvedSchema
from tableapi.expression import Expression, wrap
from tableapi.python_code.code import Code, Name, attribute, display_dict, display_list, lambda_, method, name
from tableapi.python_code.definitions import WriteExpression, write_descriptor
from tableapi.python_code.expressions import ExpressionWriter
from tableapi.python_code.literals import lines_of_text, python_value, text
from tableapi.python_code.operations import WRITERS, shortest_path
from tableapi.python_code.python_names import is_python_name
from tableapi.python_code.query import Environment, QueryWriter, Unwritable
from tableapi.python_code.script import parts_of_code, require_names, script_of

_WHEN: Final[Mapping[MatchKind, str]] = {
    MatchKind.MATCHED: "when_matched",
    MatchKind.NOT_MATCHED: "when_not_matched",
    MatchKind.NOT_MATCHED_BY_SOURCE: "when_not_matched_by_source",
}


class CommandWriter:
    """Writes one command.

    Args:
        environment: the environment of the command.
        environment_name: the name of the variable that holds it.
    """

    def __init__(self, environment: Environment, environment_name: str) -> None:
        self._queries = QueryWriter(environment, environment_name, WRITERS)
        self._environment = self._queries.environment_code

    def write(self, command: Command) -> Code:
        """Return the code of a command: the first form whose value is the command.

        Raises:
            TableException: a query in the command has no code and no SQL.
        """
        write = _WRITERS.get(type(command))
        if write is not None:
            try:
                code = write(self, command)
                if code.value.get_command() is command:
                    return code
            except (Unwritable, ValidationException, TableException):
                # The API lacks a part of the statement, which SQL has.
                pass
        return self._sql(command)

    def _sql(self, command: Command) -> Code:
        try:
            return method(self._environment, "sql_statement", lines_of_text(command.as_serializable_string()))
        except TableException:
            written = lines_of_text(command.as_serializable_string(Dialect.FLINK))
            return method(self._environment, "sql_statement", written, dialect=text(Dialect.FLINK.name))

    # --- parts -------------------------------------------------------------------------------------------------------

    def _path(self, identifier: ObjectIdentifier) -> Code:
        return text(shortest_path(self._queries, identifier))

    def _expression(self, root: ResolvedExpression, rows: Sequence[Name] = ()) -> Code:
        if isinstance(root, ValueLiteral) and root.is_null:
            return python_value(None)
        return _RowExpressions(self._queries.query, _refuse_outer, (root,), rows).written(root)

    def _function(self, root: ResolvedExpression, schemas: Sequence[ResolvedSchema]) -> Code:
        """Return a function of the row of the table and that of the source."""
        rows = [
            name(word, _Row(schema, index)) for index, (word, schema) in enumerate(zip(_ROWS, schemas, strict=True))
        ]
        body = self._expression(root, rows)
        return lambda_(rows, body, lambda target, source: body.value)

    def _values(
        self, owner: Code, called: str, assignments: Sequence[Assignment], write: Callable[[Any], Code]
    ) -> Code:
        """Return a call with the values of columns, as keywords where the names allow it."""
        values: list[tuple[str, Code]] = []
        for assignment in assignments:
            if assignment.value is None:
                raise Unwritable("The fluent API has no DEFAULT.")
            values.append((path_text(assignment.path), write(assignment.value)))
        if all(is_python_name(path) for path, _ in values):
            return method(owner, called, **dict(values))
        return method(owner, called, display_dict([(text(path), value) for path, value in values]))

    # --- statements --------------------------------------------------------------------------------------------------

    def update(self, command: UpdateRows) -> Code:
        """Return ``update(…).set(…).where(…)``."""
        begun = method(self._environment, "update", self._path(command.target))
        return self._where(self._values(begun, "set", command.assignments, self._expression), command.condition)

    def delete(self, command: DeleteRows) -> Code:
        """Return ``delete_from(…).where(…)``."""
        return self._where(method(self._environment, "delete_from", self._path(command.target)), command.condition)

    def _where(self, begun: Code, condition: ResolvedExpression | None) -> Code:
        return method(begun, "all_rows") if condition is None else method(begun, "where", self._expression(condition))

    def merge(self, command: MergeInto) -> Code:
        """Return ``merge_into(…)`` with its clauses."""
        source = command.source
        if isinstance(source, Source) and source is Source(source.identifier, source.schema):
            given = self._path(source.identifier)
        else:
            given = self._queries.query(source)
        schemas = command.table.schema, source.schema
        on = self._function(command.condition, schemas)
        code: Code = method(self._environment, "merge_into", self._path(command.target), given, on=on)
        if command.evolves_schema:
            code = method(code, "with_schema_evolution")
        for clause in command.clauses:
            code = self._clause(code, clause, schemas)
        return code

    def _clause(self, statement: Code, clause: MergeClause, schemas: Sequence[ResolvedSchema]) -> Code:
        condition = [] if clause.condition is None else [self._function(clause.condition, schemas)]
        begun = method(statement, _WHEN[clause.kind], *condition)

        def value(root: ResolvedExpression) -> Code:
            reads = any(isinstance(part, FieldReference) for part in root.walk())
            return self._function(root, schemas) if reads else self._expression(root)

        match clause.action:
            case UpdateRow(assignments):
                return self._values(begun, "update", assignments, value)
            case InsertRow(assignments):
                return self._values(begun, "insert", assignments, value)
            case UpdateWholeRow():
                return method(begun, "update_all")
            case InsertWholeRow():
                return method(begun, "insert_all")
            case DeleteRow():
                return method(begun, "delete")
        raise Unwritable(f"There is no Python code for {clause.describe()}.")

    def insert(self, command: InsertInto) -> Code:
        """Return ``insert_into`` on the query."""
        named: dict[str, Code] = {}
        form = command.form
        keys = () if form.partition is None else form.partition.keys
        valued = [(key.name, key.value) for key in keys if isinstance(key.value, ValueLiteral)]
        if valued:
            named["partition"] = display_dict([(text(key), python_value(value.value)) for key, value in valued])
        if command.names_columns:
            named["columns"] = display_list([text(column) for column in command.columns])
        overwrite = [] if form.mode is InsertMode.APPEND else [python_value(True)]
        query = self._queries.query(command.query)
        return method(query, "insert_into", self._path(command.target), *overwrite, **named)

    def insert_set(self, command: InsertSet) -> Code:
        """Return ``create_statement_set`` with its inserts."""
        code: Code = method(self._environment, "create_statement_set")
        for insert in command.inserts:
            if not isinstance(insert, InsertInto):
                raise Unwritable("An insert into a directory is written as SQL.")
            code = method(code, "add", self.insert(insert))
        return code

    def create(self, command: CreateTable) -> Code:
        """Return ``table_statement`` of a descriptor, a query or both."""
        given = [self._path(command.target)]
        descriptor = write_descriptor(command.definition, self._expression)
        named: dict[str, Code] = {}
        if command.query is not None:
            named["query"] = self._queries.query(command.query)
        if descriptor is not None:
            given.append(descriptor)
        if command.mode.value != "CREATE TABLE":
            named["or_replace" if "REPLACE" in command.mode.value else "ignore_if_exists"] = python_value(True)
        return method(self._environment, "table_statement", *given, **named)

    def alter(self, command: a.AlterTable) -> Code:
        """Return ``alter_table`` with its changes."""
        code: Code = method(self._environment, "alter_table", self._path(command.target))
        for change in command.changes:
            for called, positional, named in _write_change(change, self._expression):
                code = method(code, called, *positional, **named)
        return code


_ROWS: Final = ("target", "source")
Call = tuple[str, Sequence[Code], Mapping[str, Code]]


def _write_change(change: a.TableChange, expression: WriteExpression) -> Iterator[Call]:
    """Yield the calls that make a change of a table: the method, its arguments and its named arguments."""
    match change:
        case a.AddColumn(parent, column, position):
            named = {} if column.default is None else {"default": expression(column.default)}
            if column.comment is not None:
                named["comment"] = text(column.comment)
            given = text(path_text((*parent, column.name))), text(column.data_type.as_summary_string())
            yield "add_column", given, {**named, **_place(position)}
        case a.DropColumn(path, if_exists):
            yield "drop_column", [text(path_text(path))], {"if_exists": python_value(True)} if if_exists else {}
        case a.RenameColumn(path, new_name):
            yield "rename_column", [text(path_text(path)), text(new_name)], {}
        case a.ChangeColumnType(path, data_type):
            yield "change_column_type", [text(path_text(path)), text(data_type.as_summary_string())], {}
        case a.ChangeColumnComment(path, comment):
            yield "change_column_comment", [text(path_text(path)), text(comment)], {}
        case a.ChangeTableComment(comment) if comment is not None:
            yield "change_comment", [text(comment)], {}
        case a.SetProperties(properties):
            pairs = [(text(key), text(value)) for key, value in properties]
            yield "set_properties", [display_dict(pairs)], {}
        case a.RenameTable(new_target):
            yield "rename_to", [text(path_text(new_target.parts))], {}
        case _:
            raise Unwritable("The change is written as SQL.")


def _place(position: ColumnPosition | None) -> dict[str, Code]:
    if position is None:
        return {}
    return {"first": python_value(True)} if position.after is None else {"after": text(position.after)}


def _refuse_outer(reference: OuterReference) -> Code:
    raise Unwritable(f"A subquery refers to the column {reference.name} of the changed table.")


class _Row:
    """A row in the function of both rows of a MERGE, whose attributes are its columns."""

    def __init__(self, schema: ResolvedSchema, index: int) -> None:
        self._schema = schema
        self._index = index

    def __getattr__(self, name: str) -> Expression[Any]:
        place = self._schema.index_of(name)
        if place is None:
            raise AttributeError(name)
        column = self._schema.columns[place]
        return wrap(FieldReference(column.name, column.data_type, self._index, place))


class _RowExpressions(ExpressionWriter):
    """Writes expressions over the columns of a table, or over those of the two rows of a MERGE."""

    def __init__(
        self,
        table: Callable[[QueryOperation], Code],
        outer: Callable[[OuterReference], Code],
        roots: Sequence[ResolvedExpression],
        rows: Sequence[Name],
    ) -> None:
        super().__init__(table, outer, roots)
        self._rows = rows

    def written(self, root: ResolvedExpression) -> Code:
        """Return an expression; a constant is a plain Python value if that is enough."""
        self.expression(root)
        return self._argument(root)

    def _write(self, part: ResolvedExpression) -> Code:
        if self._rows and isinstance(part, FieldReference):
            if not is_python_name(part.name):
                raise Unwritable(f"{part.name} is no name of an attribute.")
            return attribute(self._rows[part.input_index], part.name)
        return super()._write(part)


_WRITERS: Final[Mapping[type[Command], Callable[[CommandWriter, Any], Code]]] = {
    UpdateRows: CommandWriter.update,
    DeleteRows: CommandWriter.delete,
    MergeInto: CommandWriter.merge,
    InsertInto: CommandWriter.insert,
    InsertSet: CommandWriter.insert_set,
    CreateTable: CommandWriter.create,
    a.AlterTable: CommandWriter.alter,
}


def statement_script(command: Command, environment: Environment, names: tuple[str, str], line_length: int) -> str:
    """Return the script that makes a statement.

    Args:
        command: the tree of the statement.
        environment: its environment.
        names: the variables for the environment and for the statement.
        line_length: the maximum length of lines that can be broken.

    Raises:
        ValidationException: a name is not a valid Python name.
        TableException: a query in the statement has no code and no SQL.
    """
    require_names(*names, line_length)
    code = CommandWriter(environment, names[0]).write(command)
    return script_of(parts_of_code(code, names[0], names[1], line_length), line_length)
