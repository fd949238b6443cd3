"""Builds the commands that declare a table: CREATE TABLE, REPLACE TABLE and CREATE TABLE LIKE."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grammar import statements as st
from grammar import table_syntax as ts
from grammar.builder.commands.context import CommandContext
from grammar.builder.scopes import Column, Scope
from grammar.errors import Misread
from grammar.language import Form
from ir.commands.table_definition import (
    Bucketing,
    ColumnDefinition,
    ColumnValue,
    Constraint,
    CreateMode,
    ForeignKeyConstraint,
    HiveStorage,
    IdentityValue,
    MetadataValue,
    Pairs,
    PartitionField,
    PrimaryKeyConstraint,
    TableDefinition,
    UniqueConstraint,
    WatermarkDefinition,
)
from ir.commands.tables import CreateTable, CreateTableLike
from ir.errors import TableException
from ir.expressions import Expression, FieldReference
from ir.file_formats import files_of_connector
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.operations.script import RowFormat
from ir.resolution.commands import like, tables
from ir.schema import Column as SchemaColumn
from ir.schema import ResolvedSchema
from ir.types import IntegralType

_OF_SPARK = {"format": "USING", "options": "OPTIONS", "location": "LOCATION", "properties": "TBLPROPERTIES"}


def build_create_table(node: st.CreateTable, context: CommandContext) -> CreateTable | CreateTableLike:
    """Build the command of CREATE TABLE."""
    query = None if node.query is None else context.output(node.query)
    if query is not None and (node.columns or node.constraints or node.keys):
        position = (node.columns or node.constraints or node.keys)[0].position
        raise Misread(position, "A table made from a query has the columns of the query; leave these out.")
    if query is not None and node.temporary:
        raise Misread(node.position, "A temporary table has no query; CREATE TEMPORARY VIEW gives a query a name.")
    definition = _Definition(node, context, query).build()
    mode = _mode(node)
    target = context.name(node.name)
    if node.like is None:
        return CreateTable(target, definition, mode, node.temporary, query)
    if query is not None:
        raise Misread(node.like.position, "A table has the columns of a query or those of another table: AS or LIKE.")
    features = []
    for given in node.like.features:
        features.append((given.strategy, given.feature))
        context.builder.call_resolver(given.position, like.require_features, features)
    return CreateTableLike(
        target, context.name(node.like.table), definition, mode, node.temporary, tuple(sorted(features))
    )


def _mode(node: st.CreateTable) -> CreateMode:
    if node.or_replace:
        return CreateMode.CREATE_OR_REPLACE
    if node.only_replaces:
        return CreateMode.REPLACE
    return CreateMode.CREATE_IF_NOT_EXISTS if node.if_not_exists else CreateMode.CREATE


def _pairs(given: Mapping[str, str]) -> Pairs:
    return tuple(sorted(given.items()))


class _Definition:
    """Builds the definition of one table."""

    def __init__(self, node: st.CreateTable, context: CommandContext, query: QueryOperation | None) -> None:
        self._node = node
        self._context = context
        self._options = node.options
        self._written: list[Any] = [*node.columns, *self._declared_partitions()]
        self._require_distinct()
        plain = [c for c in self._written if not isinstance(c, st.ComputedColumn)]
        self._inherited = self._find_inherited()
        own = tuple([SchemaColumn(c.name.text, c.data_type, None) for c in plain])
        # The columns to which expressions may refer.
        self._stored = ResolvedSchema((*self._inherited, *own))
        self._generated = {c.name.text for c in plain if isinstance(_value(c), ts.ColumnGenerated)}
        self._query = query

    def _find_inherited(self) -> tuple[SchemaColumn, ...]:
        """Return the columns of the table of LIKE, as far as they are known, without those of the same names."""
        if self._node.like is None:
            return ()
        try:
            found = self._context.tables.altered_table(self._context.name(self._node.like.table))
        except TableException:
            # It may be executed where there is such a table, and Spark takes a view as well.
            return ()
        own = {fold(column.name.text) for column in self._written}
        fields = () if found is None else found.row.fields
        return tuple([SchemaColumn(f.name, f.data_type, None) for f in fields if fold(f.name) not in own])

    def _declared_partitions(self) -> list[st.DeclaredColumn]:
        keys: Sequence[ts.PartitionKey] = self._options.get("partition keys", ())
        return [key.declared for key in keys if key.declared is not None]

    def _require_distinct(self) -> None:
        names: list[str] = []
        for column in self._written:
            names.append(column.name.text)
            self._checked(column.position, tables.require_distinct, tuple(names), "The table")

    def _checked(self, position: int, make: Callable[..., Any], *arguments: Any) -> Any:
        return self._context.builder.call_resolver(position, make, *arguments)

    def _expression(self, written: Any, schema: ResolvedSchema) -> Expression:
        columns = [
            Column(column.name, (fold(self._node.name.parts[-1]),), FieldReference(column.name, column.data_type, 0, i))
            for i, column in enumerate(schema.columns)
        ]
        return self._context.expression(written, Scope(columns))

    # --- the definition ---

    def build(self) -> TableDefinition:
        options = self._options
        columns = tuple([self._column(column) for column in self._written])
        own = [SchemaColumn(c.name, c.data_type, None) for c in columns]
        every = ResolvedSchema((*self._inherited, *own))
        format, location, file_options, connector = self._storage()
        return TableDefinition(
            columns,
            tuple(self._constraints(every)),
            self._watermark(every),
            self._partitioning(every),
            tuple([self._clustering(path, every) for path in options.get("clustering", ())]),
            self._buckets(every),
            format,
            self._hive(),
            file_options,
            location,
            self._properties(),
            connector,
            options.get("comment"),
            options.get("collation"),
            self._node.external,
        )

    def _known(self, every: ResolvedSchema) -> ResolvedSchema | None:
        """Return the columns of the table; None if only its files, or another table, have them."""
        if self._query is not None:
            return self._query.schema
        return every if every.columns and self._node.like is None else None

    def _properties(self) -> Pairs:
        given: Mapping[str, str] = self._options.get("properties", {})
        self._checked(self._node.position, tables.refuse_reserved_properties, given)
        return _pairs(given)

    def _storage(self) -> tuple[str | None, str | None, Pairs, Pairs]:
        """Return the format, location and options of files, and the options of another connector."""
        options = self._options
        connector: Mapping[str, str] | None = options.get("connector")
        if connector is None:
            format = options.get("format")
            return format and fold(format), options.get("location"), _pairs(options.get("options", {})), ()
        for kind, word in _OF_SPARK.items():
            if kind in options:
                raise Misread(
                    self._node.position,
                    f"WITH is Flink's form of CREATE TABLE, which has no {word}. Say it in WITH ('connector' = "
                    "'filesystem', 'path' = …, 'format' = …), or leave WITH out for Spark's form.",
                )
        if "connector" not in connector and self._node.like is None:
            raise ts.make_connector_error(self._node.position, connector)
        files = files_of_connector(connector)
        return (None, None, (), _pairs(connector)) if files is None else (files[0], files[1], _pairs(files[2]), ())

    def _hive(self) -> HiveStorage | None:
        formats, row_format = self._options.get("storage", ()), self._options.get("row format")
        if formats and "format" in self._options:
            raise Misread(self._node.position, "A table has one format: USING or STORED AS, not both.")
        return hive_storage(formats, row_format)

    # --- columns ---

    def _column(self, column: Any) -> ColumnDefinition:
        name, lookup = column.name.text, self._context.builder.lookup
        if isinstance(column, st.ComputedColumn):
            expression = self._expression(column.expression, self._stored)
            computed = self._checked(
                column.expression.position, tables.resolve_computed, name, expression, self._stored, lookup
            )
            return ColumnDefinition(name, computed.expression.data_type, computed, column.comment)
        return ColumnDefinition(name, column.data_type, self._column_value(column), column.comment)

    def _column_value(self, column: Any) -> ColumnValue | None:
        name, lookup, value = column.name.text, self._context.builder.lookup, _value(column)
        if isinstance(column, st.MetadataColumn):
            return MetadataValue(None if column.key == name else column.key, column.is_virtual)
        if isinstance(value, ts.ColumnIdentity):
            if not isinstance(column.data_type, IntegralType):
                raise Misread(column.position, f"The identity column {name!r} is a BIGINT or another integer.")
            return IdentityValue(value.always, value.start, value.step)
        made: ColumnValue | None = None
        if isinstance(value, ts.ColumnDefault):
            position, expression = value.expression.position, self._expression(value.expression, ResolvedSchema(()))
            made = self._checked(position, tables.resolve_default, name, column.data_type, expression, lookup)
        elif isinstance(value, ts.ColumnGenerated):
            plain = [other for other in self._stored.names if other not in self._generated]
            expression = self._expression(value.expression, self._stored)
            resolve = functools.partial(tables.resolve_generated, schema=self._stored, plain=plain, lookup=lookup)
            made = self._checked(value.position, resolve, name, column.data_type, expression)
        return made

    # --- constraints and the watermark ---

    def _constraints(self, every: ResolvedSchema) -> list[Constraint]:
        return [*map(self._key(every), self._node.keys), *[self._constraint(c, every) for c in self._node.constraints]]

    def _key(self, every: ResolvedSchema) -> Callable[[st.PrimaryKey], Constraint]:
        def build(key: st.PrimaryKey) -> Constraint:
            if key.is_enforced:
                self._context.builder.language.refuse(Form.ENFORCED_KEY, key.position)
            name = None if key.name is None else key.name.text
            return PrimaryKeyConstraint(name, key.relies, self._names(key.columns, every, "The primary key"))

        return build

    def _constraint(self, written: ts.TableConstraint, every: ResolvedSchema) -> Constraint:
        name = None if written.name is None else written.name.text
        if written.kind == "CHECK":
            expression = self._expression(written.expression, every)
            if written.is_enforced is False:
                raise Misread(written.position, "Spark enforces every CHECK constraint; leave NOT ENFORCED out.")
            resolve = functools.partial(tables.resolve_check, name, relies=written.relies)
            position, lookup = written.expression.position, self._context.builder.lookup
            check: Constraint = self._checked(position, resolve, expression, every, lookup)
            return check
        if written.is_enforced:
            raise Misread(written.position, f"Spark does not enforce {written.kind}; leave ENFORCED out.")
        columns = self._names(written.columns, every, written.kind)
        if written.references is None:
            return UniqueConstraint(name, written.relies, columns)
        referenced = tuple([column.text for column in written.referenced])
        if not referenced:
            raise Misread(
                written.references.position,
                "A foreign key lists the columns to which it refers, in parentheses after the table.",
            )
        if len(referenced) != len(columns):
            raise Misread(
                written.position, f"The foreign key has {len(columns)} columns, and refers to {len(referenced)}."
            )
        return ForeignKeyConstraint(name, written.relies, columns, self._context.name(written.references), referenced)

    def _names(self, written: Sequence[Any], every: ResolvedSchema, where: str) -> tuple[str, ...]:
        """Return names of columns in the spelling of the table; an error has the position of the name."""
        names: tuple[str, ...] = ()
        for name in written:
            names = self._checked(name.position, tables.require_columns, (*names, name.text), every.names, where)
        return names

    def _watermark(self, every: ResolvedSchema) -> WatermarkDefinition | None:
        marks = self._node.watermarks
        if not marks:
            return None
        if len(marks) > 1:
            raise Misread(marks[1].position, "A table has one watermark; this is the second.")
        (mark,) = marks
        expression = self._expression(mark.expression, every)
        made: WatermarkDefinition = self._checked(
            mark.position,
            tables.resolve_watermark,
            mark.column.text,
            expression,
            every,
            self._context.builder.lookup,
        )
        return made

    # --- layout ---

    def _partitioning(self, every: ResolvedSchema) -> tuple[PartitionField, ...]:
        known = self._known(every)
        keys: Sequence[ts.PartitionKey] = self._options.get("partition keys", ())
        made: list[PartitionField] = []
        for key in keys:
            is_known = key.transform is None or key.transform in (*tables.TRANSFORMS, *tables.SPELLINGS)
            position = key.column.position if is_known else key.position
            make = functools.partial(tables.make_partition_field, schema=known)
            field = self._checked(position, make, key.column.parts, key.transform, key.argument)
            if field in made:
                raise Misread(key.position, f"PARTITIONED BY has the key {'.'.join(field.column)!r} twice.")
            made.append(field)
        return tuple(made)

    def _clustering(self, path: Any, every: ResolvedSchema) -> tuple[str, ...]:
        known = self._known(every)
        if known is None:
            return tuple(path.parts)
        found: tuple[str, ...] = self._checked(path.position, tables.find_column, path.parts, known, "CLUSTER BY")
        return found

    def _buckets(self, every: ResolvedSchema) -> Bucketing | None:
        written: ts.Buckets | None = self._options.get("buckets")
        if written is None:
            return None
        known = self._known(every)
        if known is None:
            columns, keys = (tuple([name.text for name in names]) for names in (written.columns, written.sort_keys))
        else:
            columns = self._names(written.columns, known, "The list of bucket columns")
            keys = self._names(written.sort_keys, known, "SORTED BY")
        return Bucketing(columns, keys, written.count, written.algorithm)


def hive_storage(formats: tuple[str, ...], row_format: RowFormat | None) -> HiveStorage | None:
    """Return Hive's storage; None if a statement says nothing of it."""
    if len(formats) == 1:
        formats = (formats[0].upper(),)
    return HiveStorage(formats, row_format) if formats or row_format is not None else None


def _value(column: Any) -> Any:
    """Return the DEFAULT of a declared column, or how it is generated."""
    return column.value if isinstance(column, st.DeclaredColumn) else None
