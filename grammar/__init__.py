"""SQL text as query operations."""

from __future__ import annotations

from ir import schema_texts
from ir.types import LogicalType


def _parse_schema(text: str) -> LogicalType:
    # The parser is loaded when the first text is read.
    from grammar.schemas import parse_schema

    return parse_schema(text)


schema_texts.register(_parse_schema)
