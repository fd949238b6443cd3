"""Errors for expressions in places where they are invalid."""

from __future__ import annotations

from ir.errors import ValidationException, did_you_mean, listing
from ir.expressions import DescriptorLiteral, Expression
from ir.functions.definition import FunctionDefinition
from ir.messages import Term, message
from ir.resolution.lambdas import make_lambda_error
from ir.unresolved import (
    Ordering,
    UnresolvedAlias,
    UnresolvedBound,
    UnresolvedColumns,
    UnresolvedFlatten,
    UnresolvedLambda,
    UnresolvedNamedArgument,
    UnresolvedRange,
    UnresolvedStar,
)


def make_misplaced_error(written: Expression) -> ValidationException:
    """Return the error for a part of an expression that is not a value."""
    if isinstance(written, UnresolvedLambda):
        return make_lambda_error(written)
    if isinstance(written, UnresolvedAlias):
        return ValidationException(
            f"The alias {written.name!r} is inside of another expression. Only a whole expression of select, "
            "group_by or add_columns, or a value of row or struct, may have an alias."
        )
    if isinstance(written, (UnresolvedStar, UnresolvedRange, UnresolvedColumns)):
        return ValidationException(
            "What stands for several columns (the star, with_columns, without_columns, range_) may be a whole "
            "expression of select, group_by or order_by, or an argument of a call; it has no name and no direction."
        )
    if isinstance(written, UnresolvedFlatten):
        return ValidationException(
            "flatten stands for all fields of a row: it is for select and add_columns, and may have neither an "
            "alias nor be part of another expression."
        )
    if isinstance(written, UnresolvedNamedArgument):
        return ValidationException(
            f"The argument {written.name} is named where no call is: as_argument is for the arguments of call."
        )
    if isinstance(written, Ordering):
        return ValidationException("asc and desc are for order_by, and may not be part of another expression.")
    if isinstance(written, UnresolvedBound):
        return ValidationException(
            "The bounds of a frame, such as UNBOUNDED_ROW and CURRENT_RANGE, are for preceding and following of a "
            "window, and may not be part of another expression."
        )
    if isinstance(written, DescriptorLiteral):
        names = ", ".join(written.names)
        return ValidationException(
            f"DESCRIPTOR({names}) names columns, and is no value: it may only be an argument of a process table "
            "function or of a window over a time."
        )
    return ValidationException(f"{type(written).__name__} is not an expression.")


def make_misplaced_window_error(window: FunctionDefinition) -> ValidationException:
    """Return the error for a time window where none is allowed."""
    return ValidationException(
        message(
            "{window} puts rows into windows, and stands in {clauses}. Elsewhere, {select} first.",
            window=window.sql_name,
            select=Term("select it under a name", "select it under a name in a subquery"),
            clauses=Term(
                f"group_by or select: group_by(call({window.sql_name.lower()!r}, …).alias('w')) or "
                "window(…).group_by(col('w'))",
                "GROUP BY, SELECT, WHERE and ORDER BY",
            ),
        )
    )


def make_misplaced_table_function_error(function: FunctionDefinition) -> ValidationException:
    """Return the error for a table function that is called inside an expression."""
    name = function.sql_name.lower()
    return ValidationException(
        message(
            "{function} is a table function: it gives rows, and cannot be part of an expression. Join its rows: "
            "{join}; or take nothing but them: {alone}.",
            function=function.sql_name,
            join=Term(f"join_lateral(call({name!r}, …).alias(…))", f"FROM t, LATERAL {function.sql_name}(…) AS x"),
            alone=Term(f"flat_map(call({name!r}, …))", f"SELECT {function.sql_name}(…)"),
        ),
        condition="UNSUPPORTED_GENERATOR.NESTED_IN_EXPRESSIONS",
    )


def make_misplaced_process_function_error(function: FunctionDefinition) -> ValidationException:
    """Return the error for a process table function that is called inside an expression."""
    name = function.sql_name
    return ValidationException(
        message(
            "{name} is a process table function: it gives the rows of a table, and cannot be part of an expression. "
            "Call it with {call}.",
            name=name,
            call=Term(f"env.from_call({name!r}, …) or table.process({name!r}, …)", f"SELECT … FROM {name}(…)"),
        ),
        condition="UNSUPPORTED_GENERATOR.NESTED_IN_EXPRESSIONS",
    )


def describe_unknown_window(alias: str, known: list[str]) -> str:
    """Return the error message for the alias of an unknown window."""
    if not known:
        return (
            f"There is no window with the alias {alias!r}: declare it with "
            f"table.over_window(….alias({alias!r})).select(…), or give over the window itself."
        )
    return f"There is no window with the alias {alias!r}; the windows are [{listing(known)}]." + did_you_mean(
        alias, known
    )
