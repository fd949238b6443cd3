"""Builds the command of INSERT."""

from __future__ import annotations

from collections.abc import Sequence

from grammar import statements as st
from grammar import syntax as s
from grammar.builder.commands.alterations import build_partition
from grammar.builder.commands.context import CommandContext
from grammar.builder.commands.rows import columns_of_source
from grammar.builder.commands.tables import hive_storage
from grammar.builder.scopes import Relation, Scope
from grammar.errors import Misread
from ir.casts import plain_type
from ir.commands.inserts import (
    Insert,
    InsertForm,
    InsertInto,
    InsertIntoDirectory,
    InsertMode,
    join_inserts,
    list_targets,
)
from ir.commands.partitions import Partition
from ir.expressions import ValueLiteral
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.resolution.commands import inserts, rows
from ir.text_casts import never_casts
from ir.types import LogicalType


def build_insert(node: st.InsertInto, context: CommandContext) -> InsertInto:
    """Build the command of INSERT.

    Raises:
        ValidationException: the query does not fit the table, or a name is unknown.
    """
    resolve = context.builder.call_resolver
    _require_clauses_of_mode(node)
    relation = context.relation(node.target)
    table = context.table(relation, node.target.position, node.called)
    partition = _partition(node, table, context)
    is_by_name = node.columns is True
    named = _named_columns(node, table, partition, context)
    targets = list_targets(table.schema, partition) if named is None else named
    written = node.query.query if isinstance(node.query, st.NamedRows) else node.query
    query, defaults = written, tuple[tuple[int, int], ...]()
    if isinstance(query, s.InlineValues) and not is_by_name:
        query, valued, defaults = _without_defaults(query, targets)
        if len(valued) < len(targets):
            targets = named = valued

    def expect(position: int, name: str) -> LogicalType | None:
        """Return the type of the column of the table that gets a column of the query."""
        if not is_by_name:
            name = targets[position] if position < len(targets) else ""
        index = table.schema.index_of(name)
        return None if index is None else plain_type(table.schema.columns[index].data_type)

    given = context.output(query, expect)
    form = InsertForm(
        InsertMode.OVERWRITE if node.overwrite else InsertMode.APPEND,
        partition,
        is_by_name=is_by_name,
        defaults=defaults,
        evolves_schema=node.evolves_schema,
        if_not_exists=node.if_not_exists,
        options=tuple(sorted(node.options.items())),
    )
    if node.replaced is not None:
        form = _with_replaced(form, node, (relation, table, given), context)
    rules = context.tables.value_rules(table.identifier)
    return resolve(getattr(written, "position", node.position), inserts.make_insert, table, given, form, named, rules)


def build_insert_set(node: st.InsertSet | st.MultiInsert, context: CommandContext) -> Insert:
    """Build the command of several INSERTs.

    Raises:
        ValidationException: an INSERT is invalid.
    """
    made: list[InsertInto | InsertIntoDirectory] = []
    for insert in node.inserts:
        if isinstance(insert, st.InsertIntoDirectory):
            made.append(build_insert_into_directory(insert, context))
        else:
            made.append(build_insert(insert, context))
    return join_inserts(made)


def build_insert_into_directory(node: st.InsertIntoDirectory, context: CommandContext) -> InsertIntoDirectory:
    """Build the command of INSERT OVERWRITE DIRECTORY.

    Raises:
        Misread: the statement names no directory, two of them, or no format or two.
        ValidationException: a name in the query is unknown, or two columns have the same name.
    """
    options = dict(node.options.get("options", {}))
    of_option = options.pop("path", None)
    if (node.path is None) is (of_option is None):
        message = "The statement names one directory: a text after DIRECTORY, or the option 'path'."
        raise Misread(node.position, message)
    formats, row_format = node.options.get("storage", ()), node.options.get("row format")
    hive = hive_storage(formats, row_format)
    if (hive is None) is ("format" not in node.options):
        message = "The directory has one format: USING and its name, or Hive's STORED AS and ROW FORMAT."
        raise Misread(node.position, message)
    query = context.output(node.query)
    context.builder.call_resolver(node.position, query.schema.require_distinct_names, "A directory of files")
    format = node.options.get("format")
    return InsertIntoDirectory(
        of_option if node.path is None else node.path,
        query,
        None if format is None else fold(format),
        tuple(sorted(options.items())),
        hive,
        node.is_local,
    )


def _partition(node: st.InsertInto, table: Source, context: CommandContext) -> Partition | None:
    if not node.partition:
        return None
    known = context.builder.call_resolver(node.target.position, context.tables.altered_table, table.identifier)
    partition = build_partition(node.partition, context, known, is_whole=False)
    _require_constants(node.partition, partition, table)
    return partition if known is None else inserts.complete_partition(partition, known.partition_keys)


def _named_columns(
    node: st.InsertInto, table: Source, partition: Partition | None, context: CommandContext
) -> list[str] | None:
    """Return the columns that the statement lists, None if it lists none.

    Raises:
        ValidationException: the table has no such column; the message has the position of the name.
    """
    if not isinstance(node.columns, list):
        return None
    shown = table.identifier.as_summary_string()
    constant = partition.valued if partition is not None else frozenset()
    names = [name.text for name in node.columns]
    for number, name in enumerate(node.columns, 1):
        context.builder.call_resolver(
            name.position, inserts.spell_columns, names[:number], table.schema, shown, constant
        )
    return names


def _require_clauses_of_mode(node: st.InsertInto) -> None:
    """Refuse clauses that contradict each other.

    Raises:
        Misread: OVERWRITE has a condition; or an alias is given, and nothing refers to it.
    """
    replaced = node.replaced
    if replaced is not None and node.overwrite:
        if replaced.kind == "WHERE":
            message = "INSERT OVERWRITE replaces all rows, and has no condition. Write INSERT INTO … REPLACE WHERE."
        else:
            message = f"INSERT OVERWRITE replaces all rows. Write INSERT INTO … REPLACE {replaced.kind}."
        raise Misread(replaced.position, message, "PARSE_SYNTAX_ERROR")
    if replaced is not None and node.partition:
        message = f"PARTITION and REPLACE {replaced.kind} both say which rows are replaced. Leave PARTITION out."
        raise Misread(node.partition[0].position, message, "PARSE_SYNTAX_ERROR")
    kind = "" if replaced is None else replaced.kind
    if kind == "USING" and isinstance(node.columns, list):
        message = "REPLACE USING has no list of columns. Write BY NAME, or list the columns in the query."
        raise Misread(node.columns[0].position, message, "PARSE_SYNTAX_ERROR")
    aliases = [node.alias, node.query.alias if isinstance(node.query, st.NamedRows) else None]
    for alias in aliases:
        if alias is not None and (kind != "ON" or alias.columns):
            wrong = "has no list of columns" if alias.columns else "is for REPLACE ON"
            raise Misread(alias.position, f"The alias of a table or a query in INSERT {wrong}.", "PARSE_SYNTAX_ERROR")


def _with_replaced(
    form: InsertForm, node: st.InsertInto, read: tuple[Relation, Source, QueryOperation], context: CommandContext
) -> InsertForm:
    """Return a form with the rows that an INSERT replaces.

    Args:
        form: the other parts of the form.
        node: the statement.
        read: the relation of the table, the table, and the query.
        context: the context of the statement.

    Raises:
        ValidationException: a column is unknown, or the condition is invalid.
    """
    relation, table, query = read
    replaced = node.replaced
    assert replaced is not None
    resolve = context.builder.call_resolver
    if replaced.kind == "USING":
        shown = table.identifier.as_summary_string()
        for column in replaced.columns:
            resolve(column.position, inserts.spell_replaced, (column.text,), query.schema, table.schema, shown)
        names = [column.text for column in replaced.columns]
        spelled = resolve(replaced.position, inserts.spell_replaced, names, query.schema, table.schema, shown)
        return form.evolve(mode=InsertMode.REPLACE_USING, replaced=spelled)
    columns, schemas, mode = relation.columns, [table.schema], InsertMode.REPLACE_WHERE
    if replaced.kind == "ON":
        mode = InsertMode.REPLACE_ON
        target = relation if node.alias is None else relation.renamed((fold(node.alias.name.text),))
        alias = node.query.alias if isinstance(node.query, st.NamedRows) else None
        given = Relation.of(query, None, () if alias is None else (fold(alias.name.text),))
        columns, schemas = [*target.columns, *columns_of_source(given)], [table.schema, query.schema]
    written = context.expression(replaced.condition, Scope(columns))
    by = (written, schemas, context.builder.lookup, f"The condition of {mode.value.upper()}")
    return form.evolve(mode=mode, condition=resolve(replaced.position, rows.resolve_condition, *by))


def _require_constants(written: Sequence[st.PartitionValue], partition: Partition, table: Source) -> None:
    """Refuse a computed value in PARTITION, which Spark cannot read, and a string that the column's type rejects.

    Raises:
        Misread: a value is computed, or its cast to the column's type always fails.
    """
    for given, key in zip(written, partition.keys, strict=True):
        if key.value is None:
            continue
        if not isinstance(key.value, ValueLiteral):
            message = f"The partition column {key.name} takes a constant. Give it a computed value by the query."
            raise Misread(given.position, message, "PARSE_SYNTAX_ERROR")
        text, index = key.value.value, table.schema.index_of(key.name)
        if isinstance(text, str) and index is not None:
            data_type = plain_type(table.schema.columns[index].data_type)
            if never_casts(text, data_type):
                message = f"{text!r} is no {data_type.as_nullable().as_summary_string()}, the type of {key.name}."
                raise Misread(given.position, message, "CAST_INVALID_INPUT")


def _without_defaults(
    values: s.InlineValues, targets: Sequence[str]
) -> tuple[s.InlineValues, list[str], tuple[tuple[int, int], ...]]:
    """Return VALUES without columns of defaults alone, the other columns, and where a value is DEFAULT.

    A column for which there is no value gets its default, too. NULL stands for a DEFAULT among other values.

    Raises:
        Misread: all columns get their default in every row.
    """
    written = [st.values_of(row) for row in values.rows]
    of_default = [{place for place, value in enumerate(row) if st.is_default(value)} for row in written]
    if not any(of_default):
        return values, list(targets), ()
    everywhere = set.intersection(*of_default) if len({len(row) for row in written}) == 1 else set()
    if len(everywhere) == len(targets):
        message = "Rows of defaults alone have no values to insert. Write a value for one column."
        raise Misread(values.position, message)
    made, defaults = [], []
    for number, row in enumerate(written):
        places = [place for place in range(len(row)) if place not in everywhere]
        defaults += [(number, new) for new, place in enumerate(places) if place in of_default[number]]
        kept = [s.Null(row[at].position) if at in of_default[number] else row[at] for at in places]
        made.append(s.Row(getattr(kept[0], "position", values.position), kept) if len(kept) > 1 else kept[0])
    names = [name for place, name in enumerate(targets) if place not in everywhere]
    return s.InlineValues(values.position, made), names, tuple(defaults)
