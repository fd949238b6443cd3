"""The keywords of a function's entry, for type checkers.

An entry is a call of ``scalar``, ``aggregate``, ``window`` or ``table`` in the module of a family. It has one keyword
for each fact that differs from the default. An entry may have many keywords, because it replaces side tables that would
list the facts by function name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypedDict

from ir.call_expressions import Call
from ir.dialects.syntax import CallSyntax
from ir.expressions import ResolvedExpression
from ir.frames import Frame
from ir.functions.definition import (
    Canonical,
    CollationRules,
    FluentForm,
    Folding,
    Mismatch,
    Monotonicity,
    Shown,
    SparkForm,
    WithinGroup,
)
from ir.inference.type_inference import StaticArgument
from ir.types import LogicalType

if TYPE_CHECKING:
    from typing_extensions import Required


class CastFacts(TypedDict, total=False):
    """Facts about a function that is named like a type."""

    shown: Shown


class Facts(CastFacts, total=False):
    """Facts about single functions that the builder of a family passes on unchanged."""

    mismatch: Mismatch
    collating: CollationRules
    read_as: str
    bare_names: tuple[str, ...]
    before_columns: bool
    takes_from: bool

    folding: Folding
    can_fail: bool | Callable[[Sequence[ResolvedExpression]], bool]
    guards: bool
    reads_time_zone: bool
    in_any_order: bool


class FamilyFacts(Facts, total=False):
    """Facts that differ between the functions of a family."""

    also: tuple[str, ...]
    in_flink: bool
    difference: str
    monotonicity: tuple[Monotonicity | None, ...]


class FluentFacts(FamilyFacts, total=False):
    """Facts that differ if each function of a family has its own fluent form."""

    fluent: tuple[FluentForm, ...]


class ReaderFacts(FluentFacts, total=False):
    """Facts about a function that reads a string and may have another syntax in Flink."""

    flink_syntax: CallSyntax | None


class Entry(FluentFacts, total=False):
    """Facts about a function of any kind; ``ir.functions.definition`` documents each field."""

    sql: Required[str]
    named: tuple[StaticArgument, ...] | None
    """The arguments that a call may name."""
    is_deterministic: bool
    canonical: Canonical | None
    holds: int
    casts_to: LogicalType

    syntax: CallSyntax
    in_spark: bool
    spark_form: SparkForm

    doc: Required[str]
    example: tuple[str, str]


class ScalarEntry(Entry, total=False):
    """Facts about a scalar function."""

    kept: Callable[[Call], ResolvedExpression]
    runs_code: bool
    is_chain: bool
    flink_name: str | None
    flink_syntax: CallSyntax | None


class AggregateEntry(Entry, total=False):
    """Facts about an aggregate function."""

    supports_distinct: bool
    supports_ignore_nulls: bool
    skips_nulls: bool
    nulls_flag: int | None
    within_group: WithinGroup | None
    takes_window_order: bool
    of_keys: bool


class WindowEntry(Entry, total=False):
    """Facts about a window function."""

    supports_ignore_nulls: bool
    nulls_flag: int | None
    ordered: bool
    takes_frame: bool
    own_frame: Frame | None


AnyEntry = Entry | ScalarEntry | AggregateEntry | WindowEntry
