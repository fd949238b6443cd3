"""The fields of a function's entry, for type checkers alone.

An entry is a declaration: a call of ``scalar``, ``aggregate``, ``window`` or ``table`` in the module of a family, with
one keyword for each fact about the function that differs from the usual. Such a declaration may have many keywords,
since it replaces the side tables in which the facts would stand otherwise, each under the function's name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Required, TypedDict

from ir.dialects.syntax import CallSyntax
from ir.expressions import Call, ResolvedExpression
from ir.frames import Frame
from ir.functions.definition import FluentForm, Monotonicity, SparkForm, WithinGroup
from ir.inference.type_inference import StaticArgument


class Entry(TypedDict, total=False):
    """Facts about a function of any kind; the classes of ``ir.functions.definition`` say what each means."""

    sql: Required[str]
    named: tuple[StaticArgument, ...] | None
    """The arguments that a call may name."""
    is_deterministic: bool
    canonical: Callable[[tuple[ResolvedExpression, ...]], ResolvedExpression | None] | None
    holds: int

    syntax: CallSyntax
    also: tuple[str, ...]
    in_spark: bool
    spark_form: SparkForm
    in_flink: bool

    doc: Required[str]
    example: tuple[str, str]
    difference: str
    fluent: tuple[FluentForm, ...]


class ScalarEntry(Entry, total=False):
    """Facts about a function of one row."""

    monotonicity: tuple[Monotonicity | None, ...]
    kept: Callable[[Call], ResolvedExpression]
    runs_code: bool
    flink_name: str | None
    flink_syntax: CallSyntax | None


class AggregateEntry(Entry, total=False):
    """Facts about a function of the rows of a group."""

    supports_distinct: bool
    supports_ignore_nulls: bool
    skips_nulls: bool
    nulls_flag: int | None
    within_group: WithinGroup | None
    takes_window_order: bool


class WindowEntry(Entry, total=False):
    """Facts about a function of a row's place in a window."""

    supports_ignore_nulls: bool
    nulls_flag: int | None
    ordered: bool
    takes_frame: bool
    own_frame: Frame | None


AnyEntry = Entry | ScalarEntry | AggregateEntry | WindowEntry
