"""Builds TABLESAMPLE, which selects a sample of the rows of a relation."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from grammar import syntax as s
from grammar.builder.constants import count_of
from grammar.builder.query_parts import QueryParts, Steps
from grammar.builder.scopes import Relation
from grammar.errors import Misread
from ir.identifiers import fold
from ir.operations.hint import Sample
from ir.resolution.sorting import take_rows


def build_sample(builder: QueryParts, relation: Relation, sample: s.Sample) -> Steps:
    """Build a sample of a relation."""
    seed = None
    if sample.method is not None and fold(sample.method.text) not in ("system", "bernoulli"):
        message = (
            f"TABLESAMPLE {sample.method.text} is unknown: write TABLESAMPLE (10 PERCENT), or BERNOULLI before (…)."
        )
        raise Misread(sample.method.position, message, "PARSE_SYNTAX_ERROR")
    if sample.method is not None and fold(sample.method.text) == "system":
        message = (
            "TABLESAMPLE SYSTEM takes whole blocks of a table, which few sources have and views never, and is not "
            "possible here. Without SYSTEM, each row is taken by chance."
        )
        raise Misread(sample.position, message, "UNSUPPORTED_FEATURE.TABLESAMPLE_SYSTEM_NO_SCAN")
    if sample.seed is not None:
        if not isinstance(sample.seed, s.Number) or not sample.seed.text.isdigit():
            raise Misread(sample.seed.position, "REPEATABLE takes a whole number.")
        seed = int(sample.seed.text)
    if sample.unit == "BUCKET":
        number, of, on = sample.size
        if on is not None:
            raise Misread(sample.position, "A bucket ON a column is for tables of Hive, and not possible.")
        percent = Decimal(number.text) * 100 / Decimal(of.text)
    elif sample.unit == "ROWS":
        count = yield count_of(builder, sample.size, "TABLESAMPLE in rows", sample.position)
        return Relation(builder.call_resolver(sample.position, take_rows, relation.operation, count), relation.columns)
    elif not isinstance(sample.size, s.Number):
        raise Misread(sample.position, "TABLESAMPLE takes a number of percent or rows, as (10 PERCENT) or (5 ROWS).")
    elif sample.unit == "PERCENT" or (sample.unit == "BYTES" and sample.method is not None):
        try:
            percent = Decimal(sample.size.text)
        except InvalidOperation:
            raise Misread(sample.size.position, f"{sample.size.text} is no percentage.") from None
    else:
        raise Misread(sample.position, f"TABLESAMPLE in {sample.unit} is not possible; use PERCENT or ROWS.")
    return Relation(builder.call_resolver(sample.position, Sample, relation.operation, percent, seed), relation.columns)
