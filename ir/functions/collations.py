"""Functions of string collations."""

from __future__ import annotations

from ir import types as t
from ir.collations import collation_name
from ir.dialects.syntax import OwnSyntax, special
from ir.expressions import ResolvedExpression, ValueLiteral
from ir.functions.builder import as_method, as_property, scalar
from ir.functions.definition import CollationOf, CollationRules, Construct, FunctionDefinition
from ir.inference import CallContext
from ir.inference.arguments import TEXT_LITERAL, TEXT_OR_NULL
from ir.inference.inputs import positional
from ir.inference.results import Computed, never_null
from ir.literals import literal
from ir.types import LogicalType


def _infer_collated(context: CallContext) -> LogicalType:
    return t.StringType(context.literal_value(1), nullable=context.argument_types[0].nullable)


def _normalize_collation_name(arguments: tuple[ResolvedExpression, ...], call: Construct) -> ResolvedExpression | None:
    """Return the call with Spark's spelling of the collation name."""
    text, name = arguments
    assert isinstance(name, ValueLiteral)
    usual = collation_name(name.value)
    return None if usual == name.value else call(COLLATE, (text, literal(usual)))


COLLATE: FunctionDefinition = scalar(
    "collate",
    positional(TEXT_OR_NULL, TEXT_LITERAL, names="text collation"),
    Computed(_infer_collated),
    sql="COLLATE",
    syntax=special(OwnSyntax.COLLATE),
    fluent=as_method("collate", "collation"),
    canonical=_normalize_collation_name,
    in_flink=False,
    doc="The text with an explicit collation, which decides how it is compared and sorted, and overrides any implicit "
    "collation.",
    example=("'Ada' COLLATE UTF8_LCASE = 'ADA'", "TRUE"),
    collating=CollationRules(unites=False, result=CollationOf.EXPLICIT),
)
COLLATION = scalar(
    "collation",
    positional(TEXT_OR_NULL, names="text"),
    never_null(t.STRING),
    sql="COLLATION",
    fluent=as_property("collation"),
    in_flink=False,
    doc="The full name of the collation of text.",
    example=("COLLATION('a')", "'SYSTEM.BUILTIN.UTF8_BINARY'"),
)
