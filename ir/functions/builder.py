"""Builders that make a definition read like its documentation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ir.dialects.syntax import FUNCTION, CallSyntax
from ir.expressions import Call, ResolvedExpression
from ir.frames import Frame
from ir.functions.definition import (
    Fluent,
    FluentForm,
    FunctionDefinition,
    FunctionKind,
    Monotonicity,
    SparkForm,
    WithinGroup,
)
from ir.inference.type_inference import InputTypeStrategy, StaticArgument, TypeInference, TypeStrategy
from ir.literals import literal
from ir.types import LogicalType

INCREASING, DECREASING = Monotonicity.INCREASING, Monotonicity.DECREASING


def as_property(*names: str) -> tuple[FluentForm, ...]:
    """Return the fluent form of a property of an expression, under each of the names."""
    return tuple(FluentForm(Fluent.PROPERTY, name) for name in names)


def as_method(name: str, parameters: str = "", **choices: tuple[str, ...]) -> tuple[FluentForm, ...]:
    """Return the fluent form of a method.

    Args:
        name: its name.
        parameters: their names with blanks between.
        choices: by the name of a parameter, the only strings that mean something for it.
    """
    return (FluentForm(Fluent.METHOD, name, tuple(parameters.split()), tuple(choices.items())),)


def as_function(name: str, parameters: str = "", **choices: tuple[str, ...]) -> tuple[FluentForm, ...]:
    """Return the fluent form of a function; the arguments are those of ``as_method``."""
    return (FluentForm(Fluent.FUNCTION, name, tuple(parameters.split()), tuple(choices.items())),)


def by_name(names: str, *defaults: Any) -> tuple[StaticArgument, ...]:
    """Return the arguments that a call may name; ``defaults`` are those of the last ones, which may be left out."""
    every = names.split()
    required = len(every) - len(defaults)
    return (
        *[StaticArgument(name) for name in every[:required]],
        *[
            StaticArgument(name, optional=True, default=literal(value))
            for name, value in zip(every[required:], defaults, strict=True)
        ],
    )


def on_spark(
    make: Callable[..., ResolvedExpression], *usual: LogicalType, over: FunctionDefinition | None = None
) -> SparkForm:
    """Return what a call is on Spark, which lacks the function; ``usual`` are types that its arguments may have.

    Of an aggregate it is what ``make`` returns of a call of ``over``, an aggregate of Spark's, of the same rows.
    """
    return SparkForm(make, usual, over)


def scalar(
    name: str,
    inputs: InputTypeStrategy,
    returns: TypeStrategy,
    *,
    sql: str,
    doc: str,
    example: tuple[str, str] | None = None,
    flink_sql: str | None = None,
    syntax: CallSyntax = FUNCTION,
    flink_syntax: CallSyntax | None = None,
    fluent: tuple[FluentForm, ...] = (),
    deterministic: bool = True,
    monotonicity: tuple[Monotonicity | None, ...] = (),
    in_spark: bool = True,
    also: tuple[str, ...] = (),
    in_flink: bool = True,
    difference: str = "",
    canonical: Callable[[tuple[ResolvedExpression, ...]], ResolvedExpression | None] | None = None,
    named: tuple[StaticArgument, ...] | None = None,
    kept: Callable[[Call], ResolvedExpression] | None = None,
    spark_form: SparkForm | None = None,
    runs_code: bool = False,
) -> FunctionDefinition:
    """Return the definition of a function of one row; with ``spark_form``, of one that Spark lacks."""
    return FunctionDefinition(
        name,
        FunctionKind.SCALAR,
        TypeInference(inputs, returns, named),
        sql,
        flink_name=flink_sql,
        syntax=syntax,
        flink_syntax=flink_syntax,
        fluent=fluent,
        is_deterministic=deterministic,
        monotonicity=monotonicity,
        canonical=canonical,
        kept=kept,
        in_spark=in_spark and spark_form is None,
        spark_form=spark_form,
        also=also,
        in_flink=in_flink,
        difference=difference,
        doc=doc,
        example=example,
        runs_code=runs_code,
    )


def aggregate(
    name: str,
    inputs: InputTypeStrategy,
    returns: TypeStrategy,
    *,
    sql: str,
    doc: str,
    example: tuple[str, str] | None = None,
    fluent: tuple[FluentForm, ...] = (),
    supports_distinct: bool = True,
    supports_ignore_nulls: bool = False,
    skips_nulls: bool = False,
    nulls_flag: int | None = None,
    within_group: WithinGroup | None = None,
    syntax: CallSyntax = FUNCTION,
    takes_window_order: bool = True,
    deterministic: bool = True,
    canonical: Callable[[tuple[ResolvedExpression, ...]], ResolvedExpression | None] | None = None,
    in_spark: bool = True,
    also: tuple[str, ...] = (),
    in_flink: bool = True,
    difference: str = "",
    named: tuple[StaticArgument, ...] | None = None,
    spark_form: SparkForm | None = None,
) -> FunctionDefinition:
    """Return the definition of a function of all rows of a group."""
    return FunctionDefinition(
        name,
        FunctionKind.AGGREGATE,
        TypeInference(inputs, returns, named),
        sql,
        syntax=syntax,
        fluent=fluent,
        is_deterministic=deterministic,
        supports_distinct=supports_distinct,
        supports_ignore_nulls=supports_ignore_nulls or skips_nulls,
        skips_nulls=skips_nulls,
        nulls_flag=nulls_flag,
        within_group=within_group,
        takes_window_order=takes_window_order,
        canonical=canonical,
        in_spark=in_spark and spark_form is None,
        spark_form=spark_form,
        also=also,
        in_flink=in_flink,
        difference=difference,
        doc=doc,
        example=example,
    )


def window(
    name: str,
    inputs: InputTypeStrategy,
    returns: TypeStrategy,
    *,
    sql: str,
    doc: str,
    example: tuple[str, str],
    fluent: tuple[FluentForm, ...] = (),
    also: tuple[str, ...] = (),
    in_flink: bool = True,
    difference: str = "",
    takes_frame: bool = False,
    own_frame: Frame | None = None,
    supports_ignore_nulls: bool = False,
    nulls_flag: int | None = None,
    named: tuple[StaticArgument, ...] | None = None,
    canonical: Callable[[tuple[ResolvedExpression, ...]], ResolvedExpression | None] | None = None,
) -> FunctionDefinition:
    """Return the definition of a function of a row's place among the rows of a window, which must have an order."""
    return FunctionDefinition(
        name,
        FunctionKind.WINDOW,
        TypeInference(inputs, returns, named),
        sql,
        fluent=fluent,
        supports_ignore_nulls=supports_ignore_nulls,
        nulls_flag=nulls_flag,
        ordered=True,
        takes_frame=takes_frame,
        own_frame=own_frame,
        canonical=canonical,
        also=also,
        in_flink=in_flink,
        difference=difference,
        doc=doc,
        example=example,
    )
