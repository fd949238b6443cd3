"""Builds the command of INSERT."""

from __future__ import annotations

from collections.abc import Sequence

from grammar import statements as st
from grammar import syntax as s
from grammar.builder.commands.alterations import build_partition
from grammar.builder.commands.context import CommandContext
from grammar.builder.commands.tables import hive_storage
from grammar.builder.scopes import Relation, Scope
from grammar.errors import Misread
from ir.casts import plain_type
from ir.commands.partitions import Partition
from ir.commands.rows import InsertInto, InsertIntoDirectory, InsertMode, list_targets
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.identifiers import fold
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
    relation = context.relation(node.target)
    table = context.table(relation, node.target.position, node.called)
    partition = _partition(node, table, context)
    is_by_name = node.columns is True
    named = _named_columns(node, table, partition, context)
    targets = list_targets(table.schema, partition) if named is None else named
    query, defaults = node.query, tuple[tuple[int, int], ...]()
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
    mode, condition = InsertMode.OVERWRITE if node.overwrite else InsertMode.APPEND, None
    if node.replaced is not None:
        mode, condition = InsertMode.REPLACE_WHERE, _replaced(node, relation, table, context)
    position = getattr(node.query, "position", node.position)
    flags = is_by_name, defaults, node.evolves_schema, node.if_not_exists
    form = inserts.InsertForm(mode, named, partition, condition, *flags)
    rules = context.tables.value_rules(table.identifier)
    return resolve(position, inserts.make_insert, table, given, form, rules)


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
    for name in node.columns:
        by = ((name.text,), table.schema, shown, constant)
        context.builder.call_resolver(name.position, inserts.spell_columns, *by)
    return [name.text for name in node.columns]


def _replaced(node: st.InsertInto, relation: Relation, table: Source, context: CommandContext) -> ResolvedExpression:
    """Return the condition of the rows that are replaced."""
    if node.overwrite:
        raise Misread(
            node.replaced.position,
            "INSERT OVERWRITE replaces all rows, and has no condition. Write INSERT INTO … REPLACE WHERE.",
            "PARSE_SYNTAX_ERROR",
        )
    written = context.expression(node.replaced, Scope(relation.columns))
    by = (written, (table.schema,), context.builder.lookup, "The condition of REPLACE WHERE")
    return context.builder.call_resolver(node.replaced.position, rows.resolve_condition, *by)


def _require_constants(written: Sequence[st.PartitionValue], partition: Partition, table: Source) -> None:
    """Refuse a computed value in PARTITION, which Spark cannot read, and a text that is none of the column's type.

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
