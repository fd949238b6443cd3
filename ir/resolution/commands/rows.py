"""Makes the commands that change the rows of a table, and checks them as Spark's analyzer would.

Each function raises ``ValidationException`` for what is wrong. The parts are resolved over the columns of the table
(input 0) and, in a MERGE, of its source (input 1).
"""

from __future__ import annotations

from collections.abc import Sequence

from ir.call_expressions import Call, Over
from ir.calls import is_aggregate, is_window_function
from ir.calls.folding import fold_constant
from ir.casts import can_store
from ir.commands.rows import (
    Assignment,
    DeleteRow,
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
from ir.contents import CHANGING, QUERY
from ir.errors import ValidationException, did_you_mean, listing
from ir.expressions import Expression, FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.logic import AND, OR
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.operations.source import Source
from ir.resolution.commands import value_rules
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.schema import ResolvedSchema
from ir.summaries import show_as_sql
from ir.types import BooleanType, LogicalType, RowType

_ACTIONS = {
    MatchKind.MATCHED: (UpdateRow, UpdateWholeRow, DeleteRow),
    MatchKind.NOT_MATCHED: (InsertRow, InsertWholeRow),
    MatchKind.NOT_MATCHED_BY_SOURCE: (UpdateRow, DeleteRow),
}


# --- expressions -----------------------------------------------------------------------------------------------------


def resolve_condition(
    written: Expression, inputs: Sequence[ResolvedSchema], lookup: FunctionLookup, where: str
) -> ResolvedExpression:
    """Return a resolved condition.

    Args:
        written: the condition.
        inputs: the columns of the table, and those of the source if the condition may refer to them.
        lookup: finds functions.
        where: the condition in messages: ``The condition of UPDATE``.

    Raises:
        ValidationException: a name is unknown; the condition is not BOOLEAN, or has an aggregate or window function.
    """
    condition = _resolve(written, inputs, lookup)
    if not isinstance(condition.data_type, BooleanType):
        raise ValidationException(
            f"{where} is of type BOOLEAN, but {show_as_sql(condition)} is of type "
            f"{condition.data_type.as_summary_string()}.",
            condition="DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN",
        )
    _refuse_many_rows(condition, where)
    return condition


def _resolve(written: Expression, inputs: Sequence[ResolvedSchema], lookup: FunctionLookup) -> ResolvedExpression:
    return ExpressionResolver(Scope(tuple(inputs)), lookup).resolve(written)


_IN_A_QUERY = "Compute it in a query: a subquery of UPDATE or DELETE, or the source of MERGE."


def _refuse_many_rows(expression: ResolvedExpression, where: str) -> None:
    """Refuse what is computed from several rows."""
    for part in expression.walk():
        if isinstance(part, Over) or is_window_function(part):
            raise ValidationException(
                f"{where} holds {show_as_sql(part)}, which is computed over a window. {_IN_A_QUERY}"
            )
        if is_aggregate(part):
            raise ValidationException(
                f"{where} holds the aggregate {show_as_sql(part)}, and is evaluated for each row. {_IN_A_QUERY}"
            )


# --- assignments -----------------------------------------------------------------------------------------------------


def resolve_assignment(
    path: Sequence[str],
    written: Expression | None,
    table: Source,
    inputs: Sequence[ResolvedSchema],
    lookup: FunctionLookup,
) -> Assignment:
    """Return the new value of a column, or of a field in it.

    Args:
        path: the name of the column, followed by names of fields.
        written: the value; None for the default of the column.
        table: the table.
        inputs: the columns to which the value may refer.
        lookup: finds functions.

    Raises:
        ValidationException: there is no such column or field, with the nearest name; or the value cannot be stored in
            it, by the ANSI rules of store assignment, or is NULL where the column must not be.
    """
    names, data_type = _find_target(path, table)
    shown = ".".join(names)
    if written is None:
        if len(names) > 1:
            raise ValidationException(f"DEFAULT is for columns, and {shown} is a field; give it a value.")
        return Assignment(names, None)
    value = ExpressionResolver(Scope(tuple(inputs)), lookup).resolve(written, data_type)
    _refuse_many_rows(value, f"The value of {shown}")
    if isinstance(value, ValueLiteral) and value.value is None:
        if not data_type.nullable:
            raise ValidationException(
                f"The column {shown} of {table.identifier.as_summary_string()} must not be NULL.",
                condition="NOT_NULL_CONSTRAINT_VIOLATION",
            )
    elif not can_store(value.data_type, data_type):
        raise ValidationException(
            f"{show_as_sql(value)} is of type {value.data_type.as_summary_string()}, and cannot be stored in "
            f"{shown}, which is of type {data_type.as_summary_string()}; cast it.",
            condition="INCOMPATIBLE_DATA_FOR_TABLE.CANNOT_SAFELY_CAST",
        )
    return Assignment(names, value)


def _find_target(path: Sequence[str], table: Source) -> tuple[tuple[str, ...], LogicalType]:
    """Return the path of a column or field in the spelling of the table, and its type."""
    column = table.schema.column(path[0])
    names, data_type = [column.name], column.data_type
    for name in path[1:]:
        shown = ".".join(names)
        if not isinstance(data_type, RowType):
            raise ValidationException(
                f"{shown} is of type {data_type.as_summary_string()}, which has no fields to assign."
            )
        fields = {fold(field.name): field for field in data_type.fields}
        found = fields.get(fold(name))
        if found is None:
            known = [field.name for field in data_type.fields]
            raise ValidationException(
                f"{shown} has no field {name!r}; it has [{listing(known)}]." + did_you_mean(name, known),
                condition="FIELD_NOT_FOUND",
            )
        names.append(found.name)
        data_type = found.data_type
    return tuple(names), data_type


def require_distinct_targets(assignments: Sequence[Assignment]) -> None:
    """Refuse assignments of which two concern the same column or field.

    Raises:
        ValidationException: two do; the message names the column.
    """
    seen: list[tuple[str, ...]] = []
    for assignment in assignments:
        path = tuple(map(fold, assignment.path))
        for other in seen:
            shorter = min(len(path), len(other))
            if path[:shorter] == other[:shorter]:
                raise ValidationException(
                    f"The column {'.'.join(assignment.path)} is assigned twice; give it one value."
                )
        seen.append(path)


# --- commands --------------------------------------------------------------------------------------------------------


def require_table(operation: QueryOperation, called: str) -> Source:
    """Return the operation of a table that can be changed.

    Raises:
        ValidationException: the target is not a table of a catalog, or is a version of a table.
    """
    if not isinstance(operation, Source):
        raise ValidationException(f"{called.capitalize()} changes a table of a catalog by its name.")
    if operation.version is not None or operation.timestamp is not None:
        raise ValidationException(f"{called.capitalize()} changes a table as it is now, and not an earlier version.")
    return operation


def make_update(
    table: Source,
    assignments: Sequence[Assignment],
    condition: ResolvedExpression | None,
    rules: value_rules.ValueRules = value_rules.NO_RULES,
) -> UpdateRows:
    """Return an UPDATE.

    Raises:
        ValidationException: nothing is assigned, a column is assigned twice, or a constant violates a rule of the
            table.
    """
    if not assignments:
        raise ValidationException("UPDATE sets at least one column: set(amount=…).")
    require_distinct_targets(assignments)
    command = UpdateRows(table, tuple(assignments), condition)
    value_rules.check_update(command, rules)
    return command


def make_clause(
    kind: MatchKind,
    condition: ResolvedExpression | None,
    action: RowAction,
    table: Source,
    rules: value_rules.ValueRules = value_rules.NO_RULES,
) -> MergeClause:
    """Return a clause of a MERGE.

    Raises:
        ValidationException: the action is not one for such rows, a column is assigned twice or not at all, or a
            constant violates a rule of the table.
    """
    if not isinstance(action, _ACTIONS[kind]):
        does = {MatchKind.NOT_MATCHED: "inserts a row"}.get(kind, "updates or deletes the row of the table")
        raise ValidationException(f"WHEN {kind.value} {does}, and cannot {action.describe().partition('(')[0]}.")
    _refuse_other_row(kind, condition, action)
    if isinstance(action, UpdateRow | InsertRow):
        if not action.assignments:
            raise ValidationException(f"WHEN {kind.value} THEN {action.describe()[:6].upper()} sets no column.")
        require_distinct_targets(action.assignments)
    if isinstance(action, InsertRow):
        given = {fold(assignment.path[0]) for assignment in action.assignments}
        for column in table.schema.columns:
            name = fold(column.name)
            if name not in given and name not in rules.filled and not column.data_type.nullable:
                raise ValidationException(
                    f"INSERT gives the column {column.name} of {table.identifier.as_summary_string()} no value, and it "
                    "must not be NULL.",
                    condition="NOT_NULL_CONSTRAINT_VIOLATION",
                )
    clause = MergeClause(kind, condition, action)
    value_rules.check_clause(clause, table, rules)
    return clause


def _refuse_other_row(kind: MatchKind, condition: ResolvedExpression | None, action: RowAction) -> None:
    """Refuse a reference to a row that such a clause does not have."""
    missing = {MatchKind.NOT_MATCHED: (0, "the table"), MatchKind.NOT_MATCHED_BY_SOURCE: (1, "the source")}.get(kind)
    if missing is None:
        return
    index, what = missing
    for expression in (*([] if condition is None else [condition]), *action.held(ResolvedExpression)):
        for part in expression.walk():
            if isinstance(part, FieldReference) and part.input_index == index:
                raise ValidationException(
                    f"WHEN {kind.value} is for rows without a row of {what}, so that there is no {part.name} of {what}."
                )


def make_merge(
    table: Source,
    source: QueryOperation,
    condition: ResolvedExpression,
    clauses: Sequence[MergeClause],
    evolves_schema: bool,
) -> MergeInto:
    """Return a MERGE.

    Raises:
        ValidationException: there is no clause; a clause can never act, because one before it takes all its rows, or
            because its condition is never TRUE; a condition holds what Spark does not allow there; or the source lacks
            a column of the table that ``UPDATE *`` or ``INSERT *`` needs.
    """
    if not clauses:
        raise ValidationException("MERGE says what happens to rows: WHEN MATCHED, WHEN NOT MATCHED.")
    for number in range(len(clauses)):
        refuse_idle_clause(clauses[: number + 1])
    for expression, where in ((condition, "The condition of MERGE"), *_conditions(clauses)):
        _refuse_in_merge(expression, where)
    if not evolves_schema:
        _require_columns_of_whole_rows(table, source, clauses)
    return MergeInto(table, source, condition, tuple(clauses), evolves_schema)


def refuse_idle_clause(clauses: Sequence[MergeClause]) -> None:
    """Refuse the last of some clauses if it can never act: its condition is never TRUE, or one before takes its rows.

    Raises:
        ValidationException: the clause can never act; the message has the reason.
    """
    *before, last = clauses
    problem = f"Clause {len(clauses)}, WHEN {last.kind.value}, can never act, because"
    condition = None if last.condition is None else fold_constant(last.condition)
    if last.condition is not None and isinstance(condition, ValueLiteral) and condition.value is not True:
        shown = show_as_sql(last.condition)
        value = "" if condition is last.condition else f", which is {show_as_sql(condition)}"
        raise ValidationException(f"{problem} its condition is {shown}{value}. Leave the clause out.")
    for number, clause in enumerate(before, 1):
        if clause.kind is not last.kind:
            continue
        if clause.condition is None:
            raise ValidationException(
                f"{problem} clause {number} has no condition and takes all such rows. Give that one a condition, or "
                "put it last.",
                condition="NON_LAST_MATCHED_CLAUSE_OMIT_CONDITION",
            )
        if clause.condition.contents & CHANGING or not _implies(last.condition, clause.condition):
            continue
        if last.condition is clause.condition:
            raise ValidationException(
                f"{problem} clause {number} has the same condition and takes its rows. Leave one of the two out, or "
                "give one another condition."
            )
        raise ValidationException(
            f"{problem} clause {number} takes its rows: {show_as_sql(clause.condition)} is TRUE whenever the condition "
            "of this one is. Put the narrower clause first, or leave it out."
        )


def _implies(condition: ResolvedExpression | None, other: ResolvedExpression) -> bool:
    """Whether one condition is TRUE for every row for which another one is, as far as AND and OR show it.

    >>> from ir.calls import call
    >>> a, b = FieldReference("a", BooleanType(), 0, 0), FieldReference("b", BooleanType(), 0, 1)
    >>> _implies(call(AND, [a, b]), b), _implies(b, call(AND, [a, b]))
    (True, False)
    """
    value = fold_constant(other)
    if condition is other or (isinstance(value, ValueLiteral) and value.value is True):
        return True
    if isinstance(condition, Call) and condition.function is OR:
        return all(_implies(part, other) for part in condition.arguments)
    if isinstance(other, Call) and other.function is AND:
        return all(_implies(condition, part) for part in other.arguments)
    if isinstance(condition, Call) and condition.function is AND:
        return any(_implies(part, other) for part in condition.arguments)
    return isinstance(other, Call) and other.function is OR and any(_implies(condition, p) for p in other.arguments)


def _conditions(clauses: Sequence[MergeClause]) -> list[tuple[ResolvedExpression, str]]:
    return [(c.condition, f"The condition of WHEN {c.kind.value}") for c in clauses if c.condition is not None]


def _refuse_in_merge(expression: ResolvedExpression, where: str) -> None:
    """Refuse what Spark does not allow in a condition of MERGE."""
    for bit, what in ((QUERY, "a subquery"), (CHANGING, "a call whose result differs each time")):
        if expression.contents & bit:
            raise ValidationException(
                f"{where} holds {what}, which Spark does not allow there. Compute it in the source.",
                condition="UNSUPPORTED_MERGE_CONDITION",
            )


def _require_columns_of_whole_rows(table: Source, source: QueryOperation, clauses: Sequence[MergeClause]) -> None:
    whole = [clause for clause in clauses if isinstance(clause.action, UpdateWholeRow | InsertWholeRow)]
    if not whole:
        return
    star = "UPDATE *" if isinstance(whole[0].action, UpdateWholeRow) else "INSERT *"
    for column in table.schema.columns:
        index = source.schema.index_of(column.name)
        if index is None:
            raise ValidationException(
                f"{star} needs a column {column.name!r} in the source, which has [{listing(source.schema.names)}]."
                + did_you_mean(column.name, source.schema.names)
                + " Name the columns, or merge WITH SCHEMA EVOLUTION.",
                condition="UNRESOLVED_COLUMN.WITH_SUGGESTION",
            )
        given = source.schema.columns[index].data_type
        if not can_store(given, column.data_type):
            raise ValidationException(
                f"{star} cannot store the source's column {column.name!r} of type {given.as_summary_string()} in one "
                f"of type {column.data_type.as_summary_string()}; cast it in the source.",
                condition="INCOMPATIBLE_DATA_FOR_TABLE.CANNOT_SAFELY_CAST",
            )
