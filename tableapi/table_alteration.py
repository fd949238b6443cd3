"""The fluent form of ALTER TABLE: changes of one table, each checked against the table after the changes before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ir.commands import alterations as a
from ir.commands import partitions as p
from ir.commands.columns import CheckConstraint, ColumnDefinition, ColumnPosition, KeyConstraint, TableConstraint
from ir.errors import ValidationException
from ir.identifiers import ObjectIdentifier, parse_path
from ir.resolution.commands.alterations import check_change
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.schema import ResolvedSchema
from tableapi.data.values import value_expression
from tableapi.declarations.schema_columns import column_type
from tableapi.expression import Expression, unwrap
from tableapi.table_statement import TableStatement
from tableapi.tracebacks import boundaries

if TYPE_CHECKING:
    from ir.expressions import ResolvedExpression
    from ir.resolution.commands.altered_table import AlteredTable
    from ir.resolution.lookup import FunctionLookup
    from tableapi.result import TableResult
    from tableapi.table_statement import RunsCommands
    from tableapi.types import DataType

__all__ = ["TableAlteration"]


@boundaries
class TableAlteration(TableStatement):
    """Changes of a table, made with ``TableEnvironment.alter_table``.

    Each method returns a new alteration with one more change, and raises for a change that is impossible. A column is
    given by its name, and a nested one by a path: ``address.town``, ``items.element.price``, ``scores.value``.

    In SQL, each kind of change is a statement of its own. A table of a catalog in memory or in a directory gets all
    changes or none; in a catalog of Spark, the statements run one after the other.

    >>> from tableapi import EnvironmentSettings, TableEnvironment
    >>> te = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
    >>> _ = te.declare("orders", {"id": "BIGINT", "amount": "INT"})
    >>> print(te.alter_table("orders").rename_column("amount", "total").as_serializable_string())
    ALTER TABLE `memory`.`default_database`.`orders` RENAME COLUMN `amount` TO `total`
    """

    _receiver = "alteration"

    def __init__(
        self,
        target: ObjectIdentifier,
        changes: tuple[a.TableChange, ...],
        table: AlteredTable | None,
        lookup: FunctionLookup,
        environment: RunsCommands,
    ) -> None:
        super().__init__(a.AlterTable(target, changes), environment)
        self._target = target
        self._changes = changes
        self._table = table
        self._lookup = lookup

    def get_command(self) -> a.AlterTable:
        """Return the tree of the statement.

        Raises:
            ValidationException: there is no change yet.
        """
        if not self._changes:
            raise ValidationException(
                f"The alteration of {self._target.as_summary_string()} has no change; add one, such as "
                "add_column(name, type)."
            )
        return a.AlterTable(self._target, self._changes)

    def execute(self) -> TableResult:
        """Make the changes.

        Raises:
            ValidationException: there is no change yet.
            TableException: the catalog or the format of the table does not support a change; or Spark rejects it.
        """
        self.get_command()
        return super().execute()

    # --- columns -----------------------------------------------------------------------------------------------------

    def add_column(
        self,
        name: str,
        data_type: DataType | str,
        *,
        default: Any = None,
        comment: str | None = None,
        after: str | None = None,
        first: bool = False,
    ) -> TableAlteration:
        """Add a column, or a field of a nested row.

        Args:
            name: the name, or the path of the field.
            data_type: the type, or a string such as ``"INT NOT NULL"``.
            default: the value for rows that give none: a value or a constant expression.
            comment: the comment.
            after: the column before it; by default it is the last one.
            first: whether it is the first one.

        Raises:
            ValidationException: the table has such a column, or the type, the default or the place is invalid.
        """
        path = parse_path(name)
        resolved = column_type(data_type, name)
        column = ColumnDefinition(path[-1], resolved, comment, None if default is None else self._constant(default))
        return self._with(a.AddColumn(path[:-1], column, _position(after, first=first)))

    def drop_column(self, name: str, *, if_exists: bool = False) -> TableAlteration:
        """Drop a column.

        Raises:
            ValidationException: there is no such column and ``if_exists`` is not set; or it partitions the table.
        """
        return self._with(a.DropColumn(parse_path(name), if_exists))

    def rename_column(self, name: str, new_name: str) -> TableAlteration:
        """Rename a column.

        Raises:
            ValidationException: there is no such column, or one of the new name.
        """
        return self._with(a.RenameColumn(parse_path(name), new_name))

    def change_column_type(self, name: str, data_type: DataType | str) -> TableAlteration:
        """Change the type of a column to one that holds all values of the old one; its nullability stays.

        Raises:
            ValidationException: there is no such column, or the type is not wider.
        """
        return self._with(a.ChangeColumnType(parse_path(name), column_type(data_type, name).as_nullable()))

    def change_column_comment(self, name: str, comment: str) -> TableAlteration:
        """Change the comment of a column; an empty one removes it.

        Raises:
            ValidationException: there is no such column.
        """
        return self._with(a.ChangeColumnComment(parse_path(name), comment))

    def change_column_position(self, name: str, *, after: str | None = None, first: bool = False) -> TableAlteration:
        """Move a column behind another one, or to the first place.

        Raises:
            ValidationException: there is no such column, or not exactly one of ``after`` and ``first`` is given.
        """
        position = _position(after, first=first)
        if position is None:
            raise ValidationException(f"The new place of {name!r} is missing: pass after='…' or first=True.")
        return self._with(a.ChangeColumnPosition(parse_path(name), position))

    def drop_not_null(self, name: str) -> TableAlteration:
        """Make a column nullable.

        Raises:
            ValidationException: there is no such column.
        """
        return self._with(a.ChangeColumnNullability(parse_path(name), True))

    def change_column_default(self, name: str, default: Any) -> TableAlteration:
        """Change the default of a column for new rows; None removes it.

        Raises:
            ValidationException: there is no such column, or the default is not a constant of its type.
        """
        value = None if default is None else self._constant(default)
        return self._with(a.ChangeColumnDefault(parse_path(name), value))

    # --- the table ---------------------------------------------------------------------------------------------------

    def rename_to(self, new_name: str) -> TableAlteration:
        """Rename the table within its catalog; a name without a database stays in that of the table.

        Raises:
            ValidationException: the name is in another catalog.
        """
        parts = parse_path(new_name)
        catalog = parts[-3] if len(parts) > 2 else self._target.catalog
        database = parts[-2] if len(parts) > 1 else self._target.database
        if catalog != self._target.catalog:
            raise ValidationException(
                f"{self._target.as_summary_string()} stays in its catalog when it is renamed, and {new_name} is in "
                "another one."
            )
        return self._with(a.RenameTable(ObjectIdentifier(parts[-1], database, catalog)))

    def change_comment(self, comment: str | None) -> TableAlteration:
        """Change the comment of the table; None removes it."""
        return self._with(a.ChangeTableComment(comment))

    def set_property(self, key: str, value: str) -> TableAlteration:
        """Set one property of the table; in a catalog in memory or in a directory, an option of its files."""
        return self.set_properties({key: value})

    def set_properties(self, properties: Mapping[str, str]) -> TableAlteration:
        """Set properties of the table."""
        return self._with(a.SetProperties(tuple(sorted(properties.items()))))

    def remove_properties(self, *keys: str, if_exists: bool = False) -> TableAlteration:
        """Remove properties of the table."""
        return self._with(a.RemoveProperties(tuple(sorted(set(keys))), if_exists))

    def set_location(self, location: str) -> TableAlteration:
        """Change the directory of the table's files; files stay where they are."""
        return self._with(p.SetLocation(location))

    def cluster_by(self, *names: str) -> TableAlteration:
        """Cluster the files of the table by columns; by none without names.

        Raises:
            ValidationException: there is no such column.
        """
        return self._with(a.ClusterBy(tuple([parse_path(name) for name in names])))

    def add_check(self, condition: Expression[Any], *, name: str | None = None) -> TableAlteration:
        """Add a condition that no row may violate.

        Raises:
            ValidationException: the condition is not BOOLEAN, or names an unknown column.
        """
        return self._add_constraint(CheckConstraint(name, self._resolve(unwrap(condition))))

    def add_primary_key(self, *columns: str, name: str | None = None) -> TableAlteration:
        """Add a primary key, which nothing enforces.

        Raises:
            ValidationException: there is no such column, or the table has a primary key.
        """
        return self._add_constraint(KeyConstraint(name, columns, True))

    def drop_constraint(self, name: str, *, if_exists: bool = False) -> TableAlteration:
        """Drop a constraint."""
        return self._with(a.DropConstraint(name, if_exists))

    def _add_constraint(self, constraint: TableConstraint) -> TableAlteration:
        return self._with(a.AddConstraint(constraint))

    # --- partitions --------------------------------------------------------------------------------------------------

    def add_partition(
        self, values: Mapping[str, Any], *, location: str | None = None, if_not_exists: bool = False
    ) -> TableAlteration:
        """Add a partition.

        Args:
            values: the value of each partition column.
            location: the directory of its files, by default the usual one.
            if_not_exists: whether to keep a partition that exists.

        Raises:
            ValidationException: the table is not partitioned by these columns.
        """
        new = p.NewPartition(self._partition(values), location)
        return self._with(p.AddPartitions((new,), if_not_exists))

    def drop_partition(
        self, values: Mapping[str, Any], *, if_exists: bool = False, purge: bool = False
    ) -> TableAlteration:
        """Drop a partition with its rows, or all partitions with the values of some columns.

        Raises:
            ValidationException: the table is not partitioned by these columns.
        """
        return self._with(p.DropPartitions((self._partition(values),), if_exists, purge))

    def _partition(self, values: Mapping[str, Any]) -> p.Partition:
        return p.Partition(tuple([p.PartitionKey(key, self._constant(value)) for key, value in values.items()]))

    # --- checking ----------------------------------------------------------------------------------------------------

    def _with(self, change: a.TableChange) -> TableAlteration:
        checked, table = check_change(change, self._table)
        return TableAlteration(self._target, (*self._changes, checked), table, self._lookup, self._environment)

    def _constant(self, value: Any) -> ResolvedExpression:
        if isinstance(value, Expression):
            return ExpressionResolver(Scope(()), self._lookup).resolve(unwrap(value))
        return value_expression(value)

    def _resolve(self, expression: Any) -> ResolvedExpression:
        schema = ResolvedSchema(()) if self._table is None else self._table.schema
        return ExpressionResolver(Scope((schema,)), self._lookup).resolve(expression)


def _position(after: str | None, *, first: bool) -> ColumnPosition | None:
    """Return the place that arguments say, None for the last one.

    Raises:
        ValidationException: both are given.
    """
    if after is not None and first:
        raise ValidationException("A column is either first or after another one: pass after or first, not both.")
    return ColumnPosition(after) if after is not None or first else None
