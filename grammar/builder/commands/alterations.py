"""Builds the command of ALTER TABLE: each change is checked against the table as the changes before it leave it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from grammar import alterations as tc
from grammar import statements as st
from grammar import syntax as s
from grammar.builder.commands.context import CommandContext
from grammar.builder.scopes import Scope
from grammar.errors import Misread
from ir.commands import alterations as a
from ir.commands import partitions as p
from ir.commands.columns import (
    CheckConstraint,
    ColumnDefinition,
    ColumnPosition,
    ForeignKey,
    KeyConstraint,
    TableConstraint,
)
from ir.errors import ValidationException
from ir.expressions import ResolvedExpression
from ir.identifiers import ObjectIdentifier, fold
from ir.resolution.commands.alterations import check_change, check_partition
from ir.resolution.commands.altered_table import AlteredTable
from ir.resolution.expressions import ExpressionResolver
from ir.resolution.expressions import Scope as Columns
from ir.schema import ResolvedSchema


def build_alteration(node: tc.AlterTable, context: CommandContext) -> a.AlterTable:
    """Build the command of ALTER TABLE."""
    target = context.name(node.name)
    table = context.builder.call_resolver(node.name.position, context.tables.altered_table, target)
    builder = _Changes(context, node.name, target, table)
    for change in node.changes:
        builder.add(change)
    return a.AlterTable(target, tuple(builder.made))


def build_partition(
    values: Iterable[st.PartitionValue], context: CommandContext, table: AlteredTable | None, *, is_whole: bool
) -> p.Partition:
    """Build a partition, and check it against its table unless that is unknown."""
    given = list(values)
    keys = []
    for value in given:
        written = None if value.value is None else context.expression(value.value, Scope(()))
        resolved = None if written is None else _resolve(written, (), context, value.position)
        keys.append(p.PartitionKey(value.name.text, resolved))
    made = p.Partition(tuple(keys))
    if table is None:
        return made

    def check() -> p.Partition:
        return check_partition(made, table, is_whole=is_whole)

    return context.builder.call_resolver(given[0].position, check)


class _Changes:
    """Builds the changes of one table."""

    def __init__(
        self, context: CommandContext, name: s.Path, target: ObjectIdentifier, table: AlteredTable | None
    ) -> None:
        self._context = context
        self._name = name
        self._target = target
        self._table = table
        self.made: list[a.TableChange] = []

    def add(self, node: Any) -> None:
        """Build one parsed change, and check it."""
        for change in _BUILDERS[type(node)](self, node):
            checked, self._table = self._checked(self._position_of(node), check_change, change)
            self.made.append(checked)

    def _position_of(self, node: Any) -> int:
        """Return the position of a change: of the name after AFTER or TO, if the table has the column itself."""
        place = node.column.place if isinstance(node, tc.AddColumn) else getattr(node, "value", None)
        if isinstance(node, tc.RenameColumn) and self._has(node.path.parts):
            return node.new_name.position
        if isinstance(place, tc.ColumnPlace) and place.after is not None:
            path = node.column.path.parts if isinstance(node, tc.AddColumn) else node.path.parts
            if not self._has((*path[:-1], place.after.text)):
                return place.after.position
        return node.position or self._name.position

    def _has(self, path: tuple[str, ...]) -> bool:
        """Whether the table is known to have a column or field."""
        try:
            return self._table is not None and bool(self._table.spell(path))
        except ValidationException:
            return False

    def _checked(self, position: int, check: Callable[..., Any], *arguments: Any) -> Any:
        return self._context.builder.call_resolver(position, check, *arguments, self._table)

    # --- columns ---

    def add_column(self, node: tc.AddColumn) -> list[a.TableChange]:
        path, column = node.column.path.parts, self._definition(node.column)
        return [a.AddColumn(path[:-1], column, _position(node.column.place))]

    def drop_column(self, node: tc.DropColumn) -> list[a.TableChange]:
        return [a.DropColumn(node.path.parts, node.if_exists)]

    def rename_column(self, node: tc.RenameColumn) -> list[a.TableChange]:
        return [a.RenameColumn(node.path.parts, node.new_name.text)]

    def change_column(self, node: tc.ChangeColumn) -> list[a.TableChange]:
        path, value = node.path.parts, node.value
        match node.kind:
            case "type":
                return [a.ChangeColumnType(path, value)]
            case "comment":
                return [a.ChangeColumnComment(path, value)]
            case "nullable":
                return [a.ChangeColumnNullability(path, value)]
            case "default":
                return [a.ChangeColumnDefault(path, self._constant(value))]
        place = _position(value)
        assert place is not None
        return [a.ChangeColumnPosition(path, place)]

    def redefine_column(self, node: tc.RedefineColumn) -> list[a.TableChange]:
        """Return the changes that give a column its new definition, of which the type is always a part."""
        column, path = node.column, node.path.parts
        if fold(path[-1]) == "column":
            message = f"ALTER COLUMN says what it changes: ALTER COLUMN {column.path.parts[-1]} TYPE …."
            raise Misread(column.position, message, "PARSE_SYNTAX_ERROR")
        if fold(column.path.parts[-1]) != fold(path[-1]):
            raise Misread(
                column.position,
                f"CHANGE COLUMN names the column twice, and the names differ. Rename it with ALTER TABLE … RENAME "
                f"COLUMN {path[-1]} TO {column.path.parts[-1]}.",
                "UNSUPPORTED_FEATURE.TABLE_OPERATION",
            )
        if column.default is not None:
            raise Misread(column.position, "A default is changed by ALTER COLUMN … SET DEFAULT.")
        old = None if self._table is None else self._checked_type(node.path)
        made: list[a.TableChange] = []
        if node.sets_nullability and (old is None or old.nullable != column.data_type.nullable):
            made.append(a.ChangeColumnNullability(path, column.data_type.nullable))
        made.append(a.ChangeColumnType(path, column.data_type))
        if column.comment is not None:
            made.append(a.ChangeColumnComment(path, column.comment))
        place = _position(column.place)
        return made if place is None else [*made, a.ChangeColumnPosition(path, place)]

    def _checked_type(self, path: s.Path) -> Any:
        assert self._table is not None
        return self._context.builder.call_resolver(path.position, self._table.type_of, path.parts)

    def replace_columns(self, node: tc.ReplaceColumns) -> list[a.TableChange]:
        for column in node.columns:
            if column.place is not None or len(column.path.names) > 1:
                raise Misread(column.position, "REPLACE COLUMNS lists columns in their order, without FIRST or AFTER.")
            if not column.data_type.nullable or column.default is not None:
                raise Misread(column.position, "REPLACE COLUMNS has neither NOT NULL nor DEFAULT.")
        return [a.ReplaceColumns(tuple([self._definition(column) for column in node.columns]))]

    def _definition(self, column: tc.NewColumn) -> ColumnDefinition:
        return ColumnDefinition(column.path.parts[-1], column.data_type, column.comment, self._constant(column.default))

    def _constant(self, written: Any) -> ResolvedExpression | None:
        if written is None:
            return None
        expression = self._context.expression(written, Scope(()))
        return _resolve(expression, (), self._context, written.position)

    def _over_columns(self, written: Any) -> ResolvedExpression:
        """Return an expression over the columns of the table."""
        relation = self._context.relation(self._name)
        expression = self._context.expression(written, Scope(relation.columns))
        return _resolve(expression, (relation.operation.schema,), self._context, written.position)

    # --- the table ---

    def rename_table(self, node: tc.RenameTable) -> list[a.TableChange]:
        parts = node.new_name.parts
        if len(parts) > 2:
            new = self._context.name(node.new_name)
            if new.catalog != self._target.catalog:
                raise Misread(
                    node.position,
                    f"A table stays in its catalog, {self._target.catalog}, when it is renamed. Create a table in "
                    f"{new.catalog} from a query over it: CREATE TABLE … AS SELECT.",
                )
            return [a.RenameTable(new)]
        database = parts[0] if len(parts) == 2 else self._target.database
        return [a.RenameTable(ObjectIdentifier(parts[-1], database, self._target.catalog))]

    def comment_table(self, node: tc.CommentTable) -> list[a.TableChange]:
        return [a.ChangeTableComment(node.comment)]

    def set_properties(self, node: tc.SetProperties) -> list[a.TableChange]:
        return [a.SetProperties(tuple(sorted(node.properties.items())))]

    def remove_properties(self, node: tc.RemoveProperties) -> list[a.TableChange]:
        return [a.RemoveProperties(tuple(sorted(set(node.keys))), node.if_exists)]

    def set_collation(self, node: tc.SetCollation) -> list[a.TableChange]:
        return [a.SetDefaultCollation(node.collation.upper())]

    def cluster(self, node: tc.ClusterTable) -> list[a.TableChange]:
        return [a.ClusterBy(tuple([path.parts for path in node.columns]))]

    def add_constraint(self, node: tc.AddConstraint) -> list[a.TableChange]:
        return [a.AddConstraint(self._constraint(node.constraint))]

    def _constraint(self, node: tc.Constraint) -> TableConstraint:
        name = None if node.name is None else node.name.text
        columns, is_relied_on = tuple([column.text for column in node.columns]), "RELY" in node.traits
        if node.kind == "check":
            if "NOT ENFORCED" in node.traits or is_relied_on:
                raise Misread(
                    node.position,
                    "A CHECK is enforced always; leave NOT ENFORCED and RELY out.",
                    "UNSUPPORTED_CONSTRAINT_CHARACTERISTIC",
                )
            return CheckConstraint(name, self._over_columns(node.condition))
        if "ENFORCED" in node.traits:
            raise Misread(
                node.position,
                f"A {node.kind} is never enforced; leave ENFORCED out.",
                "UNSUPPORTED_CONSTRAINT_CHARACTERISTIC",
            )
        if node.kind == "foreign key":
            assert node.table is not None
            referred = tuple([column.text for column in node.referred])
            return ForeignKey(name, columns, self._context.name(node.table), referred, is_relied_on)
        return KeyConstraint(name, columns, node.kind == "primary key", is_relied_on)

    def drop_constraint(self, node: tc.DropConstraint) -> list[a.TableChange]:
        name = None if node.name is None else node.name.text
        return [a.DropConstraint(name, node.if_exists, node.cascades)]

    def set_watermark(self, node: tc.SetWatermark) -> list[a.TableChange]:
        return [a.SetWatermark(node.column.text, self._over_columns(node.expression), node.is_new)]

    def set_distribution(self, node: tc.SetDistribution) -> list[a.TableChange]:
        columns = tuple([column.text for column in node.columns])
        return [a.SetDistribution(node.kind, columns, node.buckets, node.is_new)]

    def drop_part(self, node: tc.DropPart) -> list[a.TableChange]:
        return [a.DropWatermark() if node.kind == "watermark" else a.DropDistribution()]

    # --- partitions ---

    def _partition(self, values: list[st.PartitionValue]) -> p.Partition:
        return build_partition(values, self._context, None, is_whole=False)

    def add_partitions(self, node: tc.AddPartitions) -> list[a.TableChange]:
        made = [p.NewPartition(self._partition(new.partition), new.location) for new in node.partitions]
        return [p.AddPartitions(tuple(made), node.if_not_exists)]

    def drop_partitions(self, node: tc.DropPartitions) -> list[a.TableChange]:
        made = [self._partition(partition) for partition in node.partitions]
        return [p.DropPartitions(tuple(made), node.if_exists, node.purges)]

    def rename_partition(self, node: tc.RenamePartition) -> list[a.TableChange]:
        return [p.RenamePartition(self._partition(node.partition), self._partition(node.new_partition))]

    def recover_partitions(self, node: tc.RecoverPartitions) -> list[a.TableChange]:
        return [p.RecoverPartitions()]

    def set_location(self, node: tc.SetLocation) -> list[a.TableChange]:
        return [p.SetLocation(node.location, None if node.partition is None else self._partition(node.partition))]

    def set_serde(self, node: tc.SetSerde) -> list[a.TableChange]:
        partition = None if node.partition is None else self._partition(node.partition)
        return [p.SetSerde(node.serde, tuple(sorted(node.properties.items())), partition)]


def _resolve(
    expression: Any, schemas: tuple[ResolvedSchema, ...], context: CommandContext, position: int
) -> ResolvedExpression:
    def resolve() -> ResolvedExpression:
        return ExpressionResolver(Columns(schemas), context.builder.lookup).resolve(expression)

    return context.builder.call_resolver(position, resolve)


def _position(place: tc.ColumnPlace | None) -> ColumnPosition | None:
    return None if place is None else ColumnPosition(None if place.after is None else place.after.text)


_BUILDERS: Final[Mapping[type, Callable[[_Changes, Any], list[a.TableChange]]]] = {
    tc.AddColumn: _Changes.add_column,
    tc.DropColumn: _Changes.drop_column,
    tc.RenameColumn: _Changes.rename_column,
    tc.ChangeColumn: _Changes.change_column,
    tc.RedefineColumn: _Changes.redefine_column,
    tc.ReplaceColumns: _Changes.replace_columns,
    tc.RenameTable: _Changes.rename_table,
    tc.CommentTable: _Changes.comment_table,
    tc.SetProperties: _Changes.set_properties,
    tc.RemoveProperties: _Changes.remove_properties,
    tc.SetCollation: _Changes.set_collation,
    tc.ClusterTable: _Changes.cluster,
    tc.AddConstraint: _Changes.add_constraint,
    tc.DropConstraint: _Changes.drop_constraint,
    tc.SetWatermark: _Changes.set_watermark,
    tc.SetDistribution: _Changes.set_distribution,
    tc.DropPart: _Changes.drop_part,
    tc.AddPartitions: _Changes.add_partitions,
    tc.DropPartitions: _Changes.drop_partitions,
    tc.RenamePartition: _Changes.rename_partition,
    tc.RecoverPartitions: _Changes.recover_partitions,
    tc.SetLocation: _Changes.set_location,
    tc.SetSerde: _Changes.set_serde,
}
