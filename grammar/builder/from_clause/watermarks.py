"""Builds WATERMARK … DELAY OF …, which states how late the rows of a stream may arrive."""

from __future__ import annotations

from functools import partial

from grammar import syntax as s
from grammar.builder.clause_names import ClauseNames
from grammar.builder.expressions import literals
from grammar.builder.query_parts import QueryParts, Steps, Tables
from grammar.builder.scopes import Column, Relation, Scope
from grammar.errors import Misread
from grammar.language import Form
from ir import light_attrs as attrs
from ir.column_references import column_references
from ir.expressions import FieldReference
from ir.names import make_distinct
from ir.operations.watermark import make_watermark
from ir.resolution.operations import add_columns
from ir.unresolved import UnresolvedAlias


def build_watermark(builder: QueryParts, relation: Relation, written: s.Watermark) -> Steps:
    """Add a watermark to a relation. A named expression becomes the first column.

    Raises:
        Misread: an expression has no name, the delay is negative, or the time of a stream is not a time.
    """
    builder.language.refuse(Form.WATERMARK, written.position)
    if not isinstance(written.delay, s.Interval):
        message = "DELAY OF takes an interval, such as INTERVAL 10 MINUTES."
        raise Misread(written.delay.position, message, "PARSE_SYNTAX_ERROR")
    delay = literals.interval(written.delay, builder.language)
    tables: Tables = {}
    value = yield builder.expression(written.value, ClauseNames(Scope(relation.columns)), tables)
    if written.name is None:
        if not isinstance(value, FieldReference):
            message = "A computed watermark needs a name: WATERMARK … AS name DELAY OF …."
            raise Misread(written.value.position, message, "REQUIRES_EXPLICIT_NAME_IN_WATERMARK_CLAUSE")
        plain = builder.call_resolver(written.position, make_watermark, relation.operation, value, delay)
        return attrs.evolve(relation, operation=plain)
    (name,) = make_distinct([written.name.text], relation.operation.schema.names)
    added = [UnresolvedAlias(value, name)]
    add = partial(add_columns, replace=False)
    made = builder.call_resolver(written.position, add, relation.operation, added, builder.lookup)
    fields = column_references(made.schema)
    first = Column(written.name.text, (), fields[-1])
    watermark = builder.call_resolver(written.position, make_watermark, made, fields[-1], delay)
    return Relation(watermark, [first, *[column.moved(fields[column.field.index]) for column in relation.columns]])
