"""Builds the command of INSERT."""

from __future__ import annotations

from collections.abc import Sequence

from grammar import statements as st
from grammar import syntax as s
from grammar.builder.commands.alterations import build_partition
from grammar.builder.commands.context import CommandContext
from grammar.builder.scopes import Scope
from grammar.errors import Misread
from ir.casts import plain_type
from ir.commands.partitions import Partition
from ir.commands.rows import InsertInto, InsertMode, list_targets
from ir.expressions import ValueLiteral
from ir.operations.source import Source
from ir.resolution.commands import inserts, rows
from ir.text_casts import never_casts
from ir.types import LogicalType


def build_insert(node: st.InsertInto, context: CommandContext) -> InsertInto:
    """Build the command of INSERT.

    Raises:
        Misread: a column gets its default in some rows of VALUES alone.
        ValidationException: the query does not fit the table, or a name is unknown.
    """
    resolve = context.builder.call_resolver
    relation = context.relation(node.target)
    table = context.table(relation, node.target.position, node.called)
    partition: Partition | None = None
    if node.partition:
        known = resolve(node.target.position, context.tables.altered_table, table.identifier)
        partition = build_partition(node.partition, context, known, is_whole=False)
        _require_constants(node.partition, partition, table)
        if known is not None:
            partition = inserts.complete_partition(partition, known.partition_keys)
    is_by_name = node.columns is True
    named = None
    if isinstance(node.columns, list):
        shown = table.identifier.as_summary_string()
        constant = partition.valued if partition is not None else frozenset()
        for name in node.columns:
            resolve(name.position, inserts.spell_columns, (name.text,), table.schema, shown, constant)
        named = [name.text for name in node.columns]
    targets = list_targets(table.schema, partition) if named is None else named
    query = node.query
    if isinstance(query, s.InlineValues) and not is_by_name:
        query, valued = _without_defaults(query, targets)
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
        if node.overwrite:
            raise Misread(
                node.replaced.position,
                "INSERT OVERWRITE replaces all rows, and has no condition. Write INSERT INTO … REPLACE WHERE.",
                "PARSE_SYNTAX_ERROR",
            )
        mode = InsertMode.REPLACE_WHERE
        written = context.expression(node.replaced, Scope(relation.columns))
        by = (written, (table.schema,), context.builder.lookup, "The condition of REPLACE WHERE")
        condition = resolve(node.replaced.position, rows.resolve_condition, *by)
    position = getattr(node.query, "position", node.position)
    form = inserts.InsertForm(mode, named, partition, condition, is_by_name)
    rules = context.tables.value_rules(table.identifier)
    return resolve(position, inserts.make_insert, table, given, form, rules)  # type: ignore[no-any-return]  # what make_insert returns


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


def _without_defaults(values: s.InlineValues, targets: Sequence[str]) -> tuple[s.InlineValues, list[str]]:
    """Return VALUES and the columns that it is for without those that get their default in every row.

    A column for which there is no value gets its default, too.

    Raises:
        Misread: a column gets its default in some rows alone, or all columns do.
    """
    written = [st.values_of(row) for row in values.rows]
    of_default = [{place for place, value in enumerate(row) if st.is_default(value)} for row in written]
    if not any(of_default):
        return values, list(targets)
    for place, row, places in zip(range(len(written)), written, of_default, strict=True):
        if places != of_default[0] or len(row) != len(targets):
            first = next(iter(places ^ of_default[0]), 0)
            raise Misread(
                values.position if place == 0 else getattr(row[min(first, len(row) - 1)], "position", values.position),
                "A column has DEFAULT in some rows of VALUES and a value in others. Write a statement for each kind of "
                "row, or run this one with execute_sql, which leaves it to Spark.",
            )
    places = of_default[0]
    if len(places) == len(targets):
        message = "Rows of defaults alone have no values to insert. Write a value for one column."
        raise Misread(values.position, message)
    made = []
    for row in written:
        kept = [value for place, value in enumerate(row) if place not in places]
        made.append(s.Row(getattr(kept[0], "position", values.position), kept) if len(kept) > 1 else kept[0])
    names = [name for place, name in enumerate(targets) if place not in places]
    return s.InlineValues(values.position, made), names
