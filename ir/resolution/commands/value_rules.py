"""A table's rules for values besides their types, checked against constants before anything runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from ir import light_attrs as attrs
from ir import rewriting
from ir.calls.folding import fold_constant
from ir.commands.inserts import InsertInto
from ir.commands.rows import Assignment, InsertRow, MergeClause, UpdateRow, UpdateRows
from ir.commands.table_definition import (
    CheckConstraint,
    DefaultValue,
    GeneratedValue,
    IdentityValue,
    TableDefinition,
)
from ir.errors import ValidationException
from ir.expressions import FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.comparison import IN
from ir.functions.logic import AND
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.operations.project import Project
from ir.operations.source import Source, Values
from ir.schema import Column, ResolvedSchema
from ir.summaries import show_as_sql
from ir.types import DecimalType, DoubleType, FloatType, IntegralType, LogicalType

Constants = Mapping[str, ValueLiteral]
"""Constant values by the folded names of their columns."""


@attrs.frozen(eq=False)
class ValueRules:
    """The defaults, generated columns and CHECK constraints of a table.

    Attributes:
        defaults: the default of a column, None if it is not a constant, by the folded name of the column.
        computed: what a column is to which no statement gives a value, by its folded name.
        checks: the CHECK constraints.
    """

    defaults: Mapping[str, ValueLiteral | None] = attrs.field(factory=dict)
    computed: Mapping[str, str] = attrs.field(factory=dict)
    checks: tuple[CheckConstraint, ...] = ()

    @staticmethod
    def of(definition: TableDefinition) -> ValueRules:
        """Return the rules in the definition of a table."""
        defaults: dict[str, ValueLiteral | None] = {}
        computed: dict[str, str] = {}
        for column in definition.columns:
            name, value = fold(column.name), column.value
            if isinstance(value, DefaultValue):
                folded = fold_constant(value.expression)
                defaults[name] = folded if isinstance(folded, ValueLiteral) else None
            elif isinstance(value, GeneratedValue):
                computed[name] = "a generated column"
            elif isinstance(value, IdentityValue) and value.always:
                computed[name] = "an identity column"
            elif isinstance(value, IdentityValue):
                defaults[name] = None
        checks = [constraint for constraint in definition.constraints if isinstance(constraint, CheckConstraint)]
        return ValueRules(defaults, computed, tuple(checks))

    def default_of(self, column: Column) -> ValueLiteral | None:
        """Return the value of a column that an INSERT omits; None if it is not constant, or if the table is unknown."""
        known = self.defaults or self.computed or self.checks
        nothing = ValueLiteral(None, column.data_type.as_nullable()) if known else None
        return self.defaults.get(fold(column.name), nothing)

    @property
    def filled(self) -> frozenset[str]:
        """The folded names of the columns to which the table gives a value if a statement does not."""
        return frozenset((*self.defaults, *self.computed))


NO_RULES = ValueRules()
"""The rules of a table of which nothing but the types is known."""


def require_columns_of_statements(columns: Sequence[str], rules: ValueRules, shown: str) -> None:
    """Reject a column whose values only the table makes.

    Raises:
        ValidationException: there is one among the columns.
    """
    for column in columns:
        what = rules.computed.get(fold(column))
        if what is not None:
            raise ValidationException(
                f"{column} is {what} of {shown}, which the table gives its values. Leave the column out. Nothing was "
                "written."
            )


def check_insert(command: InsertInto, rules: ValueRules) -> None:
    """Check the constants that an INSERT writes.

    Raises:
        ValidationException: a row violates NOT NULL or a CHECK constraint.
    """
    schema, shown = command.table.schema, command.target.as_summary_string()
    keys = () if command.form.partition is None else command.form.partition.keys
    fixed = {key.name: key.value for key in keys if key.value is not None}
    rows = list(_constant_rows(command.query, command.columns))
    for number, place in command.form.defaults:
        column = schema.column(command.columns[place])
        default = rules.default_of(column)
        if default is None:
            del rows[number][fold(column.name)]
        else:
            rows[number][fold(column.name)] = default
    _check_rows(rows, _same_constants(command.columns, fixed, schema, rules), schema, rules, shown)


def check_query(
    query: QueryOperation,
    columns: Sequence[str],
    fixed: Mapping[str, ResolvedExpression],
    table: tuple[ResolvedSchema, str],
    rules: ValueRules,
) -> None:
    """Check the constants in the rows of a query that are inserted.

    Args:
        query: the rows.
        columns: the columns that get the columns of the query.
        fixed: the values that all rows have in other columns.
        table: the columns of the table, and its name in messages.
        rules: what the table says of values.

    Raises:
        ValidationException: a row violates NOT NULL or a CHECK constraint.
    """
    same = _same_constants(columns, fixed, table[0], rules)
    _check_rows(list(_constant_rows(query, columns)), same, table[0], rules, table[1])


def _same_constants(
    columns: Sequence[str], fixed: Mapping[str, ResolvedExpression], schema: ResolvedSchema, rules: ValueRules
) -> Constants:
    """Return the constants that all rows have in the columns that get none of the query."""
    same = {fold(name): value for name, value in fixed.items() if isinstance(value, ValueLiteral)}
    return {**_defaults(rules, schema, {fold(name) for name in (*columns, *fixed)}), **same}


def _check_rows(
    rows: Sequence[Constants], same: Constants, schema: ResolvedSchema, rules: ValueRules, shown: str
) -> None:
    for number, row in enumerate(rows, 1):
        where = f"Row {number} of VALUES" if len(rows) > 1 else "The row"
        _check_row({**same, **row}, schema, rules, where, shown)


def check_update(command: UpdateRows, rules: ValueRules) -> None:
    """Check the constants that an UPDATE gives columns.

    Raises:
        ValidationException: a value violates a CHECK constraint, or is given to a column that the table computes.
    """
    _check_assignments(command.assignments, command.table, rules, "UPDATE", is_whole=False)


def check_clause(clause: MergeClause, table: Source, rules: ValueRules) -> None:
    """Check the constants that a clause of a MERGE gives columns.

    Raises:
        ValidationException: a value violates a CHECK constraint, or is given to a column that the table computes.
    """
    action = clause.action
    if isinstance(action, UpdateRow | InsertRow):
        where = f"WHEN {clause.kind.value}"
        _check_assignments(action.assignments, table, rules, where, is_whole=isinstance(action, InsertRow))


def _check_assignments(
    assignments: Sequence[Assignment], table: Source, rules: ValueRules, where: str, *, is_whole: bool
) -> None:
    """Check assignments; ``is_whole`` is whether columns that get no value get their default."""
    shown, known = table.identifier.as_summary_string(), dict[str, ValueLiteral]()
    require_columns_of_statements([a.path[0] for a in assignments if a.value is not None], rules, shown)
    for assignment in assignments:
        name = fold(assignment.path[0])
        value = rules.defaults.get(name) if assignment.value is None else fold_constant(assignment.value)
        if len(assignment.path) == 1 and isinstance(value, ValueLiteral):
            known[name] = value
    if is_whole:
        known |= _defaults(rules, table.schema, {fold(assignment.path[0]) for assignment in assignments})
    _check_row(known, table.schema, rules, where, shown)


def _defaults(rules: ValueRules, schema: ResolvedSchema, given: set[str]) -> dict[str, ValueLiteral]:
    """Return the constants of columns to which a new row gives no value."""
    found: dict[str, ValueLiteral] = {}
    for column in schema.columns:
        name = fold(column.name)
        if name in given or name in rules.computed:
            continue
        default = rules.default_of(column)
        if default is not None:
            found[name] = default
    return found


def _constant_rows(query: QueryOperation, columns: Sequence[str]) -> Iterator[dict[str, ValueLiteral]]:
    """Yield the constants of each row of VALUES, or those of a SELECT list."""
    lists: Sequence[Sequence[ResolvedExpression]] = ()
    if isinstance(query, Values):
        lists = query.rows
    elif isinstance(query, Project):
        lists = [query.projections]
    for values in lists:
        folded = [(name, fold_constant(value)) for name, value in zip(columns, values, strict=False)]
        yield {fold(name): value for name, value in folded if isinstance(value, ValueLiteral)}


def _check_row(known: Constants, schema: ResolvedSchema, rules: ValueRules, where: str, shown: str) -> None:
    for column in schema.columns:
        value = known.get(fold(column.name))
        if value is not None and value.value is None and not column.data_type.nullable:
            raise ValidationException(
                f"{where} gives NULL to the column {column.name} of {shown}, which must not be NULL. Nothing was "
                "written.",
                condition="NOT_NULL_CONSTRAINT_VIOLATION",
            )
    for check in rules.checks:
        if _is_false(check.condition, known):
            names = [part.name for part in check.condition.walk() if isinstance(part, FieldReference)]
            read = {name: known.get(fold(name)) for name in names}
            values = ", ".join(f"{name} = {show_as_sql(value)}" for name, value in read.items() if value)
            called = "a CHECK constraint" if check.name is None else f"the CHECK constraint {check.name}"
            raise ValidationException(
                f"{where} violates {called} of {shown}, {show_as_sql(check.condition)}: {values}. Nothing was written.",
                condition="CHECK_CONSTRAINT_VIOLATION",
                sql_state="23001",
            )


def _is_false(condition: ResolvedExpression, known: Constants) -> bool:
    """Whether a condition is FALSE for every row with the known values; a conjunction is, if one of its parts is."""
    pending = [condition]
    while pending:
        part = pending.pop()
        if getattr(part, "function", None) is AND:
            pending.extend(part.children)
            continue
        substituted = _substitute(part, known)
        folded = fold_constant(substituted)
        if isinstance(folded, ValueLiteral) and folded.value is False:
            return True
        if getattr(substituted, "function", None) is IN and _is_missing(substituted.children):
            return True
    return False


def _is_missing(arguments: Sequence[ResolvedExpression]) -> bool:
    """Whether the first of some constants is none of the others, and no NULL among them makes that unknown."""
    values = [argument.value for argument in arguments if isinstance(argument, ValueLiteral)]
    return len(values) == len(arguments) and None not in values and values[0] not in values[1:]


def _substitute(condition: ResolvedExpression, known: Constants) -> ResolvedExpression:
    def find(part: ResolvedExpression) -> ResolvedExpression | None:
        value = known.get(fold(part.name)) if isinstance(part, FieldReference) else None
        stored = None if value is None else _store(value.value, part.data_type)
        return None if stored is None else ValueLiteral(stored[0], part.data_type.with_nullability(stored[0] is None))

    return rewriting.replace(condition, find)


def _store(value: Any, data_type: LogicalType) -> tuple[Any] | None:
    """Return a constant as a column of a type has it, None if that needs the engine."""
    if value is None:
        return (None,)
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        if isinstance(data_type, DecimalType):
            return (Decimal(value),)
        if isinstance(data_type, DoubleType | FloatType):
            return (float(value),)
        return (value,) if isinstance(data_type, IntegralType) and isinstance(value, int) else None
    return (value,)
